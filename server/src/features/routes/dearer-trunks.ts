import type { CountryCode } from '@trunkline/domain/countries'
import { ZERO } from '@trunkline/domain/money'
import { callingCode, completions } from '@trunkline/domain/numbers'
import { rateFor } from '@trunkline/domain/rating'
import { buyRateFor, chooseTrunks, type Route, type Trunk } from '@trunkline/domain/routing'

export type DearerTrunk = { id: number; name: string }

/**
 * Trunks that serve a route and cost more than it earns, for some of its numbers at least. Calls leave such a trunk out,
 * or use it where the administrator has said so; either way somebody should know.
 */
export function dearerTrunks(route: Route, trunks: readonly Trunk[]): DearerTrunk[] {
  const code = callingCode(route.country) ?? ''
  return servingTrunks(route, trunks, code)
    .filter((trunk) => isDearer(route, trunk, code))
    .map(({ id, name }) => ({ id, name }))
}

/** Whoever would be asked if all had room and the price did not matter. */
const servingTrunks = ({ planId, country }: Route, trunks: readonly Trunk[], code: string): Trunk[] =>
  chooseTrunks({
    route: { planId, sellsBelowCost: true },
    rate: { priceMicros: ZERO },
    e164: code,
    country,
    trunks,
    usedOf: () => 0,
  }).chosen.map(({ trunk }) => trunk)

function isDearer(route: Route, trunk: Trunk, code: string): boolean {
  const costsMore = (prefix: string) =>
    buyRateFor(trunk, prefix) > rateFor(route.rate, route.prefixRates, prefix).rate.priceMicros
  const ourPrefixes = [code, ...route.prefixRates.byPrefix.keys()]
  if (ourPrefixes.some(costsMore)) return true
  for (const prefix of trunk.buyRates.byPrefix.keys())
    if (prefix.startsWith(code) && costsMore(prefix) && isIn(route.country, prefix)) return true
  return false
}

/** Calling codes are shared: 1876 begins with the 1 of the United States and is Jamaica. */
function isIn(country: CountryCode, prefix: string): boolean {
  for (const number of completions(prefix)) if (number.country === country) return true
  return false
}
