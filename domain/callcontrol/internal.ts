import type { Micros } from '../money/index.ts'
import { billedBySecond, createPrefixIndex, type Rate } from '../rating/index.ts'
import type { Route } from '../routing/index.ts'
import {
  type Admitted,
  type CallRequest,
  checkCaller,
  coverWithinLimits,
  type Refused,
  refusalOfCaller,
} from './admit.ts'
import { MAX_HOPS } from './hops.ts'
import type { InventoryNumber } from './incoming.ts'

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
  const refuse = refusalOfCaller(number)
  const caller = checkCaller(request)
  if (!caller.ok) return refuse(caller.reason)
  const { user, callerId } = caller
  if (called.status !== 'rented' || !called.rental) return refuse('unknown_number')
  if ((request.hops ?? 0) > MAX_HOPS) return refuse('call_loop')
  const wanted = coverWithinLimits(request, user.guards, rate)
  if (typeof wanted === 'string') return refuse(wanted, route)
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
