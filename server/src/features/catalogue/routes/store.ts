import { ROUTE_RATES_MAX } from '@trunkline/contract/limits'
import type { AllUsers } from '@trunkline/domain/access'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { insertedId, ROW_COUNT, updateVersioned } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type RouteRow = Selectable<Tables['routes']> & { plan_name: string }
/** With the number of rates of its route. */
export type RouteRateRow = Selectable<Tables['route_rates']> & { of_all: number }

/** Routes are visible to all signed-in users. */
const routesWithPlan = (db: Database) =>
  db
    .selectFrom('routes')
    .innerJoin('plans', 'plans.id', 'routes.plan_id')
    .selectAll('routes')
    .select('plans.name as plan_name')

export const findRoute = (db: Database, id: number): Promise<RouteRow | undefined> =>
  routesWithPlan(db).where('routes.id', '=', id).executeTakeFirst()

/** Prevents changes until the end of the transaction. */
export const findRouteForUse = (db: Database, id: number): Promise<RouteRow | undefined> =>
  routesWithPlan(db).where('routes.id', '=', id).forShare('routes').executeTakeFirst()

/** Serializes changes of a route. */
export const lockRoute = (db: Database, id: number): Promise<RouteRow | undefined> =>
  routesWithPlan(db).where('routes.id', '=', id).forUpdate('routes').executeTakeFirst()

/** The first rates of a route. Long price lists are paged (features/catalogue/rate-decks). */
export const listRouteRates = (db: Database, routeId: number): Promise<RouteRateRow[]> =>
  db
    .selectFrom('route_rates')
    .selectAll()
    .select(sql<number>`(count(*) over ())::integer`.as('of_all'))
    .where('route_id', '=', routeId)
    .orderBy('prefix')
    .limit(ROUTE_RATES_MAX)
    .execute()

type RouteAsked = { id: number; code: string; leastMicros: bigint }
export type SuspectRate = Selectable<Tables['trunk_rates']> & { route_id: number }

/**
 * Buy rates that can exceed the price of a route: those in its country above its lowest price for a minute, and those that match its own
 * prefixes. These are few, even for price lists with 100,000 lines.
 */
export async function listSuspectRates(db: Database, routes: readonly RouteAsked[]): Promise<SuspectRate[]> {
  const ids = routes.map(({ id }) => id)
  const { rows } = await sql<SuspectRate>`
    with asked as (
      select * from unnest(${ids}::integer[], ${routes.map(({ code }) => code)}::text[],
                           ${routes.map(({ leastMicros }) => leastMicros)}::bigint[]) as given (route_id, code, least)),
    serving as (
      select asked.*, trunks.id as trunk_id
        from asked join routes on routes.id = asked.route_id
             join trunk_plans using (plan_id)
             join trunks on trunks.id = trunk_plans.trunk_id and trunks.status = 'active'
                        and (trunks.country is null or trunks.country = routes.country)),
    stems as (
      select distinct route_id, left(own.prefix, size) as prefix
        from (select route_id, code as prefix from asked
              union all select route_id, prefix from route_rates where route_id = any(${ids}::integer[])) as own,
             generate_series(1, length(own.prefix)) as size)
    select serving.route_id, rates.*
      from serving join trunk_rates as rates on rates.trunk_id = serving.trunk_id
                    and cost_of_minute(price_micros, connect_fee_micros, first_increment, next_increment) > serving.least
                    and rates.prefix between serving.code and rpad(serving.code, 16, '9')
    union
    select serving.route_id, rates.*
      from serving join stems using (route_id)
           join trunk_rates as rates on rates.trunk_id = serving.trunk_id and rates.prefix = stems.prefix`.execute(
    db,
  )
  return rows
}

export const insertRoute = (db: Database, route: Insertable<Tables['routes']>): Promise<number> =>
  insertedId(db.insertInto('routes').values(route).returning('id'))

/** Every change increases the version, including changes of prefix rates. */
export const updateRoute = (db: Database, id: number, change: Updateable<Tables['routes']>): Promise<void> =>
  updateVersioned(db, 'routes', id, change)

/** Also removes the selections of users. */
export async function deleteRoute(db: Database, id: number): Promise<void> {
  await db.deleteFrom('routes').where('id', '=', id).execute()
}

/** Number of customers per selected route. */
export async function countSelections(
  db: Database,
  _scope: AllUsers,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('selected_routes')
    .select(['route_id', ROW_COUNT.as('customers')])
    .where(sql<boolean>`route_id = any(${ids}::integer[])`)
    .groupBy('route_id')
    .execute()
  return new Map(rows.map((row) => [row.route_id, row.customers]))
}

/** Removes selections of a route that moved to another country. */
export async function unselectMisplaced(db: Database, _scope: AllUsers, routeId: number): Promise<void> {
  await sql`
    delete from selected_routes using routes
     where routes.id = selected_routes.route_id and routes.id = ${routeId}
       and selected_routes.country <> routes.country`.execute(db)
}
