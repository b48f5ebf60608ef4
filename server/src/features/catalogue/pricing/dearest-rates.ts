import type { Database } from '../../../platform/database.ts'
import { yieldToEventLoop } from '../../../platform/event-loop.ts'
import { createPrefixKinds } from './prefix-kinds.ts'
import { type FinerRate, listDearestRates, type PricedRoute } from './store.ts'

type Terms = Pick<FinerRate, 'price_micros' | 'connect_fee_micros' | 'first_increment' | 'next_increment'>
export type DearestRates = { landline: Terms; mobile: Terms }

const RATES_AT_ONCE = 200
const ROUTES_REMEMBERED = 10_000

/**
 * The highest price of each route for landlines and mobile phones, computed once per version of a route. Classifying a prefix takes
 * half a millisecond, so routes are searched one at a time, highest rate first, yielding after each prefix.
 */
export function createDearestRates(db: Database) {
  const kindsOf = createPrefixKinds()
  const found = new Map<number, { version: number; rates: Promise<DearestRates> }>()
  let last: Promise<unknown> = Promise.resolve()

  async function* dearestFirst(routeId: number) {
    let after: FinerRate | undefined
    for (;;) {
      const rates = await listDearestRates(db, routeId, after, RATES_AT_ONCE)
      yield* rates
      after = rates.at(-1)
      if (rates.length < RATES_AT_ONCE) return
    }
  }

  /** Mobile prefixes replace the route's own price. Landline prefixes are exceptions to it. */
  async function search(route: PricedRoute): Promise<DearestRates> {
    let landline: Terms | undefined
    let mobile: Terms | undefined
    for await (const rate of dearestFirst(route.id)) {
      if (rate.price_micros <= route.price_micros) landline ??= route
      if (landline && mobile) break
      const kinds = kindsOf(rate.prefix)
      if (kinds.includes('landline')) landline ??= rate
      if (kinds.includes('mobile')) mobile ??= rate
      await yieldToEventLoop()
    }
    return { landline: landline ?? route, mobile: mobile ?? route }
  }

  return (route: PricedRoute): Promise<DearestRates> => {
    const known = found.get(route.id)
    if (known?.version === route.version) return known.rates
    const rates = last.then(() => search(route))
    last = rates.catch(() => found.delete(route.id))
    if (found.size >= ROUTES_REMEMBERED) found.clear()
    found.set(route.id, { version: route.version, rates })
    return rates
  }
}
