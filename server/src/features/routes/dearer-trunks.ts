import type { CountryCode } from '@trunkline/domain/countries'
import { type Micros, ZERO } from '@trunkline/domain/money'
import { callingCode, completions } from '@trunkline/domain/numbers'
import { rateFor } from '@trunkline/domain/rating'
import { buyRateFor, chooseTrunks, type Route, type Trunk } from '@trunkline/domain/routing'

type Priced = Pick<Route, 'country' | 'planId' | 'rate' | 'prefixRates'>

/** With one prefix where it does. */
export type DearerTrunk = { id: number; name: string; prefix: string; buyMicros: Micros; priceMicros: Micros }

/**
 * Trunks that serve a route and cost more than it earns, for some of its numbers at least. Calls leave such a trunk out,
 * or use it where the administrator has said so; either way somebody should know.
 */
export function dearerTrunks(route: Priced, trunks: readonly Trunk[]): DearerTrunk[] {
  const code = codeOf(route)
  return servingTrunks(route, trunks).flatMap((trunk) => {
    const prefix = dearPrefix(route, trunk, code)
    if (prefix === undefined) return []
    const { id, name } = trunk
    return [{ id, name, prefix, buyMicros: buyRateFor(trunk, prefix), priceMicros: priceFor(route, prefix) }]
  })
}

/** Whoever would be asked if all had room and the price did not matter. */
export const servingTrunks = (
  { planId, country }: Pick<Priced, 'planId' | 'country'>,
  trunks: readonly Trunk[],
): Trunk[] =>
  chooseTrunks({
    route: { planId, sellsBelowCost: true },
    rate: { priceMicros: ZERO },
    e164: codeOf({ country }),
    country,
    trunks,
    usedOf: () => 0,
  }).chosen.map(({ trunk }) => trunk)

const codeOf = ({ country }: Pick<Priced, 'country'>): string => callingCode(country) ?? ''

const priceFor = (route: Priced, prefix: string): Micros =>
  rateFor(route.rate, route.prefixRates, prefix).rate.priceMicros

function dearPrefix(route: Priced, trunk: Trunk, code: string): string | undefined {
  const costsMore = (prefix: string) => buyRateFor(trunk, prefix) > priceFor(route, prefix)
  const ours = [code, ...route.prefixRates.byPrefix.keys()].find(costsMore)
  if (ours !== undefined) return ours
  for (const prefix of trunk.buyRates.byPrefix.keys())
    if (prefix.startsWith(code) && costsMore(prefix) && isIn(route.country, prefix)) return prefix
  return undefined
}

/** Calling codes are shared: 1876 begins with the 1 of the United States and is Jamaica. */
function isIn(country: CountryCode, prefix: string): boolean {
  for (const number of completions(prefix)) if (number.country === country) return true
  return false
}
