import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

type CountryPrices = { country: string; routes: number; from_micros: bigint; to_micros: bigint }

/** Lowest and highest price per minute by country. */
export async function listCountryPrices(db: Database): Promise<CountryPrices[]> {
  const { rows } = await sql<CountryPrices>`
    select country, count(*)::integer as routes, min(least) as from_micros, max(most) as to_micros
      from (select routes.country, least(routes.price_micros, min(finer.price_micros)) as least,
                   greatest(routes.price_micros, max(finer.price_micros)) as most
              from routes left join route_rates as finer on finer.route_id = routes.id
             group by routes.id) as priced
     group by country`.execute(db)
  return rows
}

export type PricedRoute = Selectable<Tables['routes']> & { plan_name: string }

export const listPricedRoutes = (
  db: Database,
  { country, limit }: { country?: string | undefined; limit: number },
): Promise<PricedRoute[]> =>
  db
    .selectFrom('routes')
    .innerJoin('plans', 'plans.id', 'routes.plan_id')
    .selectAll('routes')
    .select('plans.name as plan_name')
    .$if(country !== undefined, (query) => query.where('routes.country', '=', country ?? ''))
    .orderBy('routes.id')
    .limit(limit)
    .execute()

export type FinerRate = Selectable<Tables['route_rates']>

/** A page of rates of a route, highest first. */
export const listDearestRates = (
  db: Database,
  routeId: number,
  after: FinerRate | undefined,
  limit: number,
): Promise<FinerRate[]> =>
  db
    .selectFrom('route_rates')
    .selectAll()
    .where('route_id', '=', routeId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(price_micros < ${after?.price_micros} or price_micros = ${after?.price_micros} and prefix > ${after?.prefix})`,
      ),
    )
    .orderBy('price_micros', 'desc')
    .orderBy('prefix')
    .limit(limit)
    .execute()
