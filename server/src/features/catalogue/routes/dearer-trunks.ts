import { allCountries, type CountryCode } from '@trunkline/domain/countries'
import { type Micros, ZERO } from '@trunkline/domain/money'
import { callingCode, completions } from '@trunkline/domain/numbers'
import { billedBySecond, costOfMinute, rateFor } from '@trunkline/domain/rating'
import { buyRateFor, chooseTrunks, type Route, type Trunk } from '@trunkline/domain/routing'

type Priced = Pick<Route, 'country' | 'planId' | 'rate' | 'prefixRates'>

/** A prefix where a one-minute call costs more than it is sold for. */
export type Loss = { prefix: string; buyMicros: Micros; priceMicros: Micros }
/** With an example prefix. */
export type DearerTrunk = { id: number; name: string } & Loss

/**
 * Trunks that serve a route and exceed its price for at least one prefix. Calls skip such a trunk, unless the administrator
 * allows it.
 */
export const dearerTrunks = (route: Priced, trunks: readonly Trunk[]): DearerTrunk[] =>
  servingTrunks(route, trunks).flatMap((trunk) => {
    const { value: loss } = lossesOf(route, trunk).next()
    return loss ? [{ id: trunk.id, name: trunk.name, ...loss }] : []
  })

/** Trunks that serve the route, regardless of capacity and price. */
export const servingTrunks = (
  { planId, country }: Pick<Priced, 'planId' | 'country'>,
  trunks: readonly Trunk[],
): Trunk[] =>
  chooseTrunks({
    route: { planId, sellsBelowCost: true },
    rate: billedBySecond(ZERO),
    e164: codeOf({ country }),
    country,
    trunks,
    usedOf: () => 0,
  }).chosen.map(({ trunk }) => trunk)

/** Calling code of the country. */
export const codeOf = ({ country }: Pick<Priced, 'country'>): string => callingCode(country) ?? ''

/** All prefixes in the route's country where the trunk exceeds the price, prefixes of the route first. */
export function* lossesOf(route: Priced, trunk: Trunk): Generator<Loss, undefined, undefined> {
  const code = codeOf(route)
  const ours = new Set([code, ...route.prefixRates.byPrefix.keys()])
  for (const prefix of ours) {
    const loss = lossAt(route, trunk, prefix)
    if (loss) yield loss
  }
  for (const prefix of trunk.buyRates.byPrefix.keys()) {
    if (!prefix.startsWith(code) || ours.has(prefix)) continue
    const loss = lossAt(route, trunk, prefix)
    if (loss && isIn(route.country, code, prefix)) yield loss
  }
}

function lossAt(route: Priced, trunk: Trunk, prefix: string): Loss | null {
  const buyMicros = costOfMinute(buyRateFor(trunk, prefix))
  const priceMicros = costOfMinute(rateFor(route.rate, route.prefixRates, prefix).rate)
  return buyMicros > priceMicros ? { prefix, buyMicros, priceMicros } : null
}

const codes = allCountries().map(({ code }) => callingCode(code))
const sharedCodes = new Set(codes.filter((code, at) => codes.indexOf(code) !== at))
const NORTH_AMERICA = '1'
const MAX_REMEMBERED = 20_000
const remembered = new Map<string, boolean>()

/**
 * Countries share calling codes: 1876 starts with 1 but is Jamaica. The country is found by generating numbers, which takes a
 * millisecond, so results are cached, in North America by area code.
 */
function isIn(country: CountryCode, code: string, prefix: string): boolean {
  if (!sharedCodes.has(code)) return true
  const area = code === NORTH_AMERICA ? prefix.slice(0, 4) : prefix
  const key = `${country} ${area}`
  const known = remembered.get(key) ?? hasNumbersIn(country, area)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(key, known)
  return known
}

function hasNumbersIn(country: CountryCode, prefix: string): boolean {
  for (const number of completions(prefix)) if (number.country === country) return true
  return false
}
