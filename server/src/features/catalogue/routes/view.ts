import type { Route } from '@trunkline/contract/routes'
import { countryName } from '@trunkline/domain/countries'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { readPrefixRate, readRate } from '../prefix-rates/store.ts'
import { viewPrefixRate, viewRate } from '../prefix-rates/wire.ts'
import type { DearerTrunk } from './dearer-trunks.ts'
import type { ListedRoute } from './list-store.ts'
import type { RouteRateRow, RouteRow } from './store.ts'

export type AdminFacts = { selectedBy: number; dearerTrunks: readonly DearerTrunk[] }

export const viewRoute = (row: RouteRow, rates: readonly RouteRateRow[], facts?: AdminFacts): Route => ({
  id: row.id,
  country: countryName(row.country),
  country_code: row.country,
  name: row.name,
  planname: row.plan_name,
  ...viewRate(readRate(row)),
  is_premium: row.is_premium,
  rates: rates.map((rate) => viewPrefixRate(readPrefixRate(rate))),
  rate_count: rates[0]?.of_all ?? 0,
  version: row.version,
  ...(facts && {
    sells_below_cost: row.sells_below_cost,
    selected_by: facts.selectedBy,
    dearer_trunks: facts.dearerTrunks.map(viewDearerTrunk),
  }),
})

/** For lists, with the first rates only. */
export const viewListedRoute = (row: ListedRoute, facts?: AdminFacts): Route => ({
  ...viewRoute(row, [], facts),
  rates: row.rates.map((rate) =>
    viewPrefixRate(
      readPrefixRate({
        ...rate,
        price_micros: BigInt(rate.price_micros),
        connect_fee_micros: BigInt(rate.connect_fee_micros),
      }),
    ),
  ),
  rate_count: row.rate_count,
  other_prices:
    row.other_from_micros === null || row.other_to_micros === null
      ? null
      : {
          count: row.other_count,
          from: toWireNumber(micros(row.other_from_micros)),
          to: toWireNumber(micros(row.other_to_micros)),
          prefixes: row.other_prefixes ?? [],
        },
})

export const viewDearerTrunk = ({ id, name, prefix, buyMicros, priceMicros }: DearerTrunk) => ({
  id,
  name,
  prefix,
  buy_rate: toWireNumber(buyMicros),
  price: toWireNumber(priceMicros),
})
