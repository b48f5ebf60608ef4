import { guardPace, guardPrice, guardReasons, spendableToday } from '../guards/index.ts'
import type { Micros } from '../money/index.ts'
import { billedBySecond, createPrefixIndex, type Rate } from '../rating/index.ts'
import type { Route } from '../routing/index.ts'
import { type Admitted, type CallRequest, checkCaller, type Refused } from './admit.ts'
import { cover } from './cover.ts'
import { MAX_HOPS } from './hops.ts'
import type { InventoryNumber } from './incoming.ts'
import type { RefusalReason } from './reasons.ts'

/** No row in `routes` has this id. */
export const INTERNAL_ROUTE_ID = -2

export type InternalRequest = Omit<CallRequest, 'trunks' | 'usedOf' | 'routingOf' | 'number'> & {
  /** A number of the inventory. */
  readonly called: InventoryNumber
  readonly number: NonNullable<CallRequest['number']>
  readonly priceMicros: Micros
}

/**
 * Admits a call to a number of another customer, which needs no carrier. Blocked countries do not apply. The called customer's side is
 * a leg of its own, which `admitIncoming` decides.
 */
export function admitInternal(request: InternalRequest): Admitted | Refused {
  const { called, number, priceMicros } = request
  const rate = billedBySecond(priceMicros)
  const route = internalRoute(number.country, rate)
  const refuse = (reason: RefusalReason, of: Route | null = null): Refused => ({
    ok: false,
    reason,
    isGuard: guardReasons.some((guard) => guard === reason),
    number,
    route: of,
  })

  const caller = checkCaller(request)
  if (!caller.ok) return refuse(caller.reason)
  const { user, callerId } = caller
  const { guards } = user
  if (called.status !== 'rented' || !called.rental) return refuse('unknown_number')
  if ((request.hops ?? 0) > MAX_HOPS) return refuse('call_loop')
  const overLimit =
    guardPrice(guards, priceMicros) ?? guardPace(guards, request.liveCalls, request.callsThisSecond)
  if (overLimit) return refuse(overLimit, route)
  const spendable = spendableToday(guards, request.spentTodayMicros, request.heldTodayMicros)
  const wanted = cover(rate, spendable, request.sliceSeconds)
  if (!wanted) return refuse('daily_spend_reached', route)
  return { ok: true, terms: { rate, prefix: null, route, number, callerId }, trunks: [], wanted }
}

const internalRoute = (country: string, rate: Rate): Route => ({
  id: INTERNAL_ROUTE_ID,
  country,
  name: 'Internal',
  planId: 0,
  planName: '',
  isPremium: false,
  rate,
  prefixRates: createPrefixIndex([]),
  sellsBelowCost: true,
})
