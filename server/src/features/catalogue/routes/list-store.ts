import { ROUTE_RATES_LISTED } from '@trunkline/contract/limits'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import type { RouteRow } from './store.ts'

type ListedRate = Omit<
  Selectable<Tables['route_rates']>,
  'route_id' | 'price_micros' | 'connect_fee_micros'
> & { price_micros: string; connect_fee_micros: string }

/** A route with its first rates and a summary of all rates. */
export type ListedRoute = RouteRow & {
  rates: ListedRate[]
  rate_count: number
  /** Number of rates with another price than the route's own. */
  other_count: number
  other_from_micros: bigint | null
  other_to_micros: bigint | null
  other_prefixes: string[] | null
}

export type RouteFilter = {
  country?: string | undefined
  search?: string | undefined
  after?: number | undefined
  limit?: number | undefined
}

/** Changes with every change of a route, its rates or the name of its plan. */
export async function routesVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select md5(coalesce(string_agg(concat_ws(' ', routes.id, routes.version, plans.name), ',' order by routes.id), '')) as version
      from routes join plans on plans.id = routes.plan_id`.execute(db)
  return rows[0]?.version ?? ''
}

/** Changes with every change of a trunk, its rates or its plans. */
export async function trunksVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select md5(coalesce(string_agg(concat_ws(' ', id, version), ',' order by id), '')) as version from trunks`.execute(
    db,
  )
  return rows[0]?.version ?? ''
}

export async function listRoutes(
  db: Database,
  { country, search, after, limit }: RouteFilter = {},
): Promise<ListedRoute[]> {
  const wanted = [
    country === undefined ? sql`true` : sql`country = ${country}`,
    after === undefined ? sql`true` : sql`routes.id > ${after}`,
    search === undefined
      ? sql`true`
      : sql`(strpos(lower(routes.name), lower(${search})) > 0 or strpos(lower(plans.name), lower(${search})) > 0)`,
  ]
  const { rows } = await sql<ListedRoute>`
    select chosen.*, sums.*,
           array(select jsonb_build_object('prefix', prefix, 'price_micros', price_micros::text,
                          'connect_fee_micros', connect_fee_micros::text, 'first_increment', first_increment,
                          'next_increment', next_increment)
                   from route_rates where route_id = chosen.id order by prefix limit ${sql.lit(ROUTE_RATES_LISTED)}) as rates
      from (select routes.*, plans.name as plan_name
              from routes join plans on plans.id = routes.plan_id
             where ${sql.join(wanted, sql` and `)}
             order by routes.id
             ${limit === undefined ? sql`` : sql`limit ${limit}`}) as chosen,
           lateral (
             select count(*)::integer as rate_count, (count(*) filter (where is_other))::integer as other_count,
                    min(price_micros) filter (where is_other) as other_from_micros,
                    max(price_micros) filter (where is_other) as other_to_micros,
                    (array_agg(prefix order by prefix) filter (where is_other))[1:3] as other_prefixes
               from (select prefix, price_micros, price_micros <> chosen.price_micros as is_other
                       from route_rates where route_id = chosen.id) as finer) as sums
     order by chosen.id`.execute(db)
  return rows
}
