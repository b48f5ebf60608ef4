import type { AllUsers } from '@trunkline/domain/access'
import { type Micros, micros, ZERO } from '@trunkline/domain/money'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Routes by plan and country. Empty lists mean all. */
export type Scope = { planIds: readonly number[]; countries: readonly string[] }

const inScope = ({ planIds, countries }: Scope): RawBuilder<boolean> => sql<boolean>`
  (${planIds.length === 0} or plan_id = any(${planIds}::integer[]))
  and (${countries.length === 0} or country = any(${countries}::text[]))`

export async function findScope(db: Database, scope: Scope): Promise<{ ids: number[]; rates: number }> {
  const { rows } = await sql<{ id: number; rates: number }>`
    select id, (select count(*)::integer from route_rates where route_id = routes.id) as rates
      from routes where ${inScope(scope)}`.execute(db)
  return { ids: rows.map(({ id }) => id), rates: rows.reduce((sum, { rates }) => sum + rates, 0) }
}

/**
 * Prevents changes of these routes, and of the trunks that decide their cost, until the end of the transaction. Every change of
 * rates also updates the row of their route or trunk.
 */
export async function lockPrices(db: Database, scope: Scope): Promise<void> {
  await sql`select from routes where ${inScope(scope)} order by id for update`.execute(db)
  await sql`select from trunks order by id for share`.execute(db)
}

export async function lockRoutes(db: Database, ids: readonly number[]): Promise<void> {
  await sql`select from routes where id = any(${ids}::integer[]) order by id for update`.execute(db)
}

/** Calls over a route or prefix. */
export type CallSums = { calls: number; seconds: bigint; revenueMicros: Micros }
export const NO_CALLS: CallSums = { calls: 0, seconds: 0n, revenueMicros: ZERO }

type SumsRow = { route_id: number; prefix: string; calls: number; seconds: bigint; revenue_micros: bigint }

/**
 * Calls since a day by route and prefix, from the figures of the analysis. They know the calls of a route and those of a prefix, but not of
 * both, so calls of a prefix are divided among the routes that price it, by their minutes.
 */
export async function sumCalls(
  db: Database,
  _scope: AllUsers,
  routeIds: readonly number[],
  since: Date,
): Promise<(routeId: number, prefix: string) => CallSums> {
  const sums = (dimension: 'route' | 'prefix') => sql`
    select key, sum(calls) as calls, sum(seconds) as seconds, sum(cost_micros) as revenue_micros
      from figure_days where dimension = ${sql.lit(dimension)} and key <> '' and day >= ${since} group by key`
  const { rows } = await sql<SumsRow>`
    with of_route as materialized (${sums('route')}),
    of_prefix as materialized (${sums('prefix')}),
    shares as (
      select route_id, prefix, of_prefix.*, coalesce(of_route.seconds, 0) as own,
             sum(coalesce(of_route.seconds, 0)) over (partition by prefix) as all_routes
        from route_rates join of_prefix on of_prefix.key = prefix
             left join of_route on of_route.key = route_id::text)
    select key::integer as route_id, '' as prefix, calls::integer, seconds::bigint, revenue_micros::bigint
      from of_route where key::integer = any(${routeIds}::integer[])
    union all
    select route_id, prefix, floor(calls * own / all_routes)::integer, floor(seconds * own / all_routes)::bigint,
           floor(revenue_micros * own / all_routes)::bigint
      from shares where all_routes > 0 and route_id = any(${routeIds}::integer[])`.execute(db)
  return ownSums(rows)
}

/** The route's own price has the calls that no prefix has. */
function ownSums(rows: readonly SumsRow[]): (routeId: number, prefix: string) => CallSums {
  const found = new Map<string, CallSums>()
  const rest = new Map<number, CallSums>()
  for (const row of rows) {
    const read = { calls: row.calls, seconds: row.seconds, revenueMicros: micros(row.revenue_micros) }
    if (row.prefix === '') rest.set(row.route_id, read)
    else found.set(`${row.route_id} ${row.prefix}`, read)
  }
  for (const { route_id, prefix } of rows) {
    const [whole, part] = [rest.get(route_id), found.get(`${route_id} ${prefix}`)]
    if (whole && part) rest.set(route_id, without(whole, part))
  }
  return (routeId, prefix) =>
    (prefix === '' ? rest.get(routeId) : found.get(`${routeId} ${prefix}`)) ?? NO_CALLS
}

const without = (whole: CallSums, part: CallSums): CallSums => ({
  calls: Math.max(0, whole.calls - part.calls),
  seconds: whole.seconds > part.seconds ? whole.seconds - part.seconds : 0n,
  revenueMicros: micros(
    whole.revenueMicros > part.revenueMicros ? whole.revenueMicros - part.revenueMicros : 0n,
  ),
})

/** Customers who selected at least one of the routes. */
export async function countCustomers(
  db: Database,
  _scope: AllUsers,
  routeIds: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ customers: number }>`
    select count(distinct user_id)::integer as customers from selected_routes
     where route_id = any(${routeIds}::integer[])`.execute(db)
  return rows[0]?.customers ?? 0
}

export type NewPrice = { routeId: number; prefix: string; priceMicros: bigint }

/** Sets prices of locked routes. A route's version increases once, also for its prefixes. */
export async function setPrices(db: Database, prices: readonly NewPrice[], now: Date): Promise<void> {
  const given = sql`
    unnest(${prices.map(({ routeId }) => routeId)}::integer[], ${prices.map(({ prefix }) => prefix)}::text[],
           ${prices.map(({ priceMicros }) => priceMicros)}::bigint[]) as given (route_id, prefix, price)`
  await sql`
    update route_rates set price_micros = given.price from ${given}
     where route_rates.route_id = given.route_id and route_rates.prefix = given.prefix`.execute(db)
  await sql`
    update routes set price_micros = coalesce(own, price_micros), version = version + 1, updated_at = ${now}
      from (select route_id, max(price) filter (where prefix = '') as own from ${given} group by route_id) as changed
     where routes.id = changed.route_id`.execute(db)
}
