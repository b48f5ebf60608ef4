import type { Database } from '../../../platform/database.ts'
import { yieldToEventLoop } from '../../../platform/event-loop.ts'
import { createPrefixKinds } from './prefix-kinds.ts'
import { type FinerRate, listDearestRates, type PricedRoute } from './store.ts'

type Terms = Pick<FinerRate, 'price_micros' | 'connect_fee_micros' | 'first_increment' | 'next_increment'>
export type DearestRates = { landline: Terms; mobile: Terms }

const RATES_AT_ONCE = 200
const ROUTES_REMEMBERED = 10_000

/**
 * The dearest price of each route to landlines and to mobile phones, found once for each version of a route. Finding out what a prefix
 * is takes half a millisecond, so one route is searched at a time, from the dearest rate down, with a pause after each prefix.
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

  /** Prefixes of mobile phones stand for all of them; those of landlines are exceptions to the route's own price. */
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
