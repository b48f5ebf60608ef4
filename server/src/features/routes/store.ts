import type { Owner } from '@trunkline/domain/access'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { Tables } from '../../platform/tables.ts'

export type RouteRow = Selectable<Tables['routes']> & { plan_name: string }
export type RouteRateRow = Selectable<Tables['route_rates']>

/** Routes are for sale: whoever is signed in may see them. */
const routesWithPlan = (db: Database) =>
  db
    .selectFrom('routes')
    .innerJoin('plans', 'plans.id', 'routes.plan_id')
    .selectAll('routes')
    .select('plans.name as plan_name')

export const listRoutes = (db: Database, _owner: Owner): Promise<RouteRow[]> =>
  routesWithPlan(db).orderBy('routes.id').execute()

export const findRoute = (db: Database, _owner: Owner, id: number): Promise<RouteRow | undefined> =>
  routesWithPlan(db).where('routes.id', '=', id).executeTakeFirst()

/** Stays as it is until whoever wants to use it has done so. */
export const findRouteForUse = (db: Database, _owner: Owner, id: number): Promise<RouteRow | undefined> =>
  routesWithPlan(db).where('routes.id', '=', id).forShare('routes').executeTakeFirst()

/** Two who edit the same route line up here. */
export const lockRoute = (db: Database, _owner: Owner, id: number): Promise<RouteRow | undefined> =>
  routesWithPlan(db).where('routes.id', '=', id).forUpdate('routes').executeTakeFirst()

/** Of one route, or of all. */
export const listRouteRates = (db: Database, _owner: Owner, routeId?: number): Promise<RouteRateRow[]> =>
  db
    .selectFrom('route_rates')
    .selectAll()
    .$if(routeId !== undefined, (query) => query.where('route_id', '=', routeId ?? 0))
    .orderBy('route_id')
    .orderBy('prefix')
    .execute()

export async function insertRoute(
  db: Database,
  _owner: Owner,
  route: Insertable<Tables['routes']>,
): Promise<number> {
  const { id } = await db.insertInto('routes').values(route).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Every change makes a new version, also one of the finer rates alone. */
export async function updateRoute(
  db: Database,
  _owner: Owner,
  id: number,
  change: Updateable<Tables['routes']>,
): Promise<void> {
  await db
    .updateTable('routes')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function replaceRouteRates(
  db: Database,
  _owner: Owner,
  routeId: number,
  rates: readonly Omit<Insertable<Tables['route_rates']>, 'route_id'>[],
): Promise<void> {
  await db.deleteFrom('route_rates').where('route_id', '=', routeId).execute()
  if (rates.length === 0) return
  await db
    .insertInto('route_rates')
    .values(rates.map((rate) => ({ ...rate, route_id: routeId })))
    .execute()
}

/** Those who had selected it have no route for its country any more. */
export async function deleteRoute(db: Database, _owner: Owner, id: number): Promise<void> {
  await db.deleteFrom('routes').where('id', '=', id).execute()
}

/** How many customers have each route selected. */
export async function countSelections(db: Database, _owner: Owner): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('selected_routes')
    .select(['route_id', sql<number>`count(*)::integer`.as('customers')])
    .groupBy('route_id')
    .execute()
  return new Map(rows.map((row) => [row.route_id, row.customers]))
}
