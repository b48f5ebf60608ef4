import type { AnswerOf } from '@trunkline/contract'
import { UPGRADE_PRICE_DOLLARS } from '@trunkline/contract/limits'
import type { PricingRate } from '@trunkline/contract/pricing'
import { countryName } from '@trunkline/domain/countries'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { readRate } from '../prefix-rates/store.ts'
import { viewBilling } from '../prefix-rates/wire.ts'
import type { DearestRates } from './dearest-rates.ts'
import type { Kind } from './prefix-kinds.ts'
import type { listCountryPrices, PricedRoute } from './store.ts'

/** Lowest and highest price per minute by country. */
export function pricingOf(
  prices: Awaited<ReturnType<typeof listCountryPrices>>,
): AnswerOf<'GET /api/pricing'>['pricing'] {
  const countries = prices.map(({ country, routes, from_micros, to_micros }) => ({
    country: countryName(country),
    country_code: country,
    from: toWireNumber(micros(from_micros)),
    to: toWireNumber(micros(to_micros)),
    routes,
  }))
  countries.sort((left, right) => left.country.localeCompare(right.country, 'en'))
  return { currency: 'USD', billing: 'per-minute', upgrade: UPGRADE_PRICE_DOLLARS, countries }
}

/** Price of a route for landlines or mobile phones. */
export const viewRate = (route: PricedRoute, type: Kind, { [type]: rate }: DearestRates): PricingRate => ({
  id: `${route.id}-${type}`,
  country: countryName(route.country),
  countryCode: route.country,
  type,
  rate: toWireNumber(micros(rate.price_micros)),
  currency: 'USD',
  billing: 'per-minute',
  route: { id: route.id, name: route.name, planname: route.plan_name, is_premium: route.is_premium },
  ...viewBilling(readRate(rate)),
})
