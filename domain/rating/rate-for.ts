import { longestPrefix, type PrefixIndex } from './prefix.ts'
import type { PrefixRate, Rate } from './rate.ts'

/** The rate with the longest matching prefix, or the route's own rate. */
export function rateFor(
  routeRate: Rate,
  prefixRates: PrefixIndex<PrefixRate>,
  e164: string,
): { readonly rate: Rate; readonly prefix: string | null } {
  const prefixRate = longestPrefix(prefixRates, e164)
  return prefixRate ? { rate: prefixRate, prefix: prefixRate.prefix } : { rate: routeRate, prefix: null }
}
