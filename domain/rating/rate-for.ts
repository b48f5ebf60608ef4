import { longestPrefix, type PrefixIndex } from './prefix.ts'
import type { PrefixRate, Rate } from './rate.ts'

/** The finest rate of a route for a number, and the prefix it hangs on; the route's own where none fits. */
export function rateFor(
  routeRate: Rate,
  prefixRates: PrefixIndex<PrefixRate>,
  e164: string,
): { readonly rate: Rate; readonly prefix: string | null } {
  const finer = longestPrefix(prefixRates, e164)
  return finer ? { rate: finer, prefix: finer.prefix } : { rate: routeRate, prefix: null }
}
