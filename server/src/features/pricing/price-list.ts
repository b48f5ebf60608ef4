import type { AnswerOf } from '@trunkline/contract'
import { UPGRADE_PRICE_DOLLARS } from '@trunkline/contract/limits'
import type { PricingRate } from '@trunkline/contract/pricing'
import { countryName } from '@trunkline/domain/countries'
import { larger, type Micros, smaller, toWireNumber } from '@trunkline/domain/money'
import type { PrefixRate, Rate } from '@trunkline/domain/rating'
import type { Route } from '@trunkline/domain/routing'
import type { Kind } from './prefix-kinds.ts'

/** From the cheapest to the dearest minute, country by country. */
export function pricingOf(routes: readonly Route[]): AnswerOf<'GET /api/pricing'>['pricing'] {
  const byCountry = Map.groupBy(routes, ({ country }) => country)
  const countries = [...byCountry].map(([code, sold]) => {
    const prices = sold.flatMap(pricesOf)
    return {
      country: countryName(code),
      country_code: code,
      from: toWireNumber(prices.reduce(smaller)),
      to: toWireNumber(prices.reduce(larger)),
      routes: sold.length,
    }
  })
  countries.sort((left, right) => left.country.localeCompare(right.country, 'en'))
  return { currency: 'USD', billing: 'per-minute', upgrade: UPGRADE_PRICE_DOLLARS, countries }
}

const pricesOf = ({ rate, prefixRates }: Route): Micros[] => [
  rate.priceMicros,
  ...[...prefixRates.byPrefix.values()].map(({ priceMicros }) => priceMicros),
]

/** What a route charges to landlines and to mobile phones. */
export const ratesOf = (route: Route, kindsOf: (prefix: string) => readonly Kind[]): PricingRate[] =>
  (['landline', 'mobile'] as const).map((type) => {
    const finer = [...route.prefixRates.byPrefix.values()].filter(({ prefix }) =>
      kindsOf(prefix).includes(type),
    )
    return viewRate(route, type, dearest(route, type, finer))
  })

/** Prefixes of mobile phones stand for all of them; those of landlines are exceptions to the route's own price. */
function dearest({ rate }: Route, type: Kind, finer: readonly PrefixRate[]): Rate {
  const candidates: readonly Rate[] = type === 'mobile' && finer.length > 0 ? finer : [rate, ...finer]
  return candidates.reduce((high, each) => (each.priceMicros > high.priceMicros ? each : high))
}

const viewRate = (route: Route, type: Kind, rate: Rate): PricingRate => ({
  id: `${route.id}-${type}`,
  country: countryName(route.country),
  countryCode: route.country,
  type,
  rate: toWireNumber(rate.priceMicros),
  currency: 'USD',
  billing: 'per-minute',
  route: { id: route.id, name: route.name, planname: route.planName, is_premium: route.isPremium },
  connect_fee: toWireNumber(rate.connectFeeMicros),
  first_increment: rate.firstIncrement,
  next_increment: rate.nextIncrement,
})
