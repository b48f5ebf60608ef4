import { guardPace } from '../guards/index.ts'
import { ZERO } from '../money/index.ts'
import { billedBySecond, createPrefixIndex } from '../rating/index.ts'
import type { Route } from '../routing/index.ts'
import type { Admitted, CallUser, Refused } from './admit.ts'
import { cover } from './cover.ts'
import { refusalOf } from './refused.ts'

/** Free calls between a media process and the customer's own devices. No row in `routes` has these ids. */
export const FLOW_LEG_ROUTE_ID = -3
export const MAILBOX_ROUTE_ID = -4
/**
 * The free leg inside a call: to phones that are registered at another switch, or to own devices while the call is recorded. It is not a call
 * of its own and has no record.
 */
export const INNER_LEG_ROUTE_ID = -5

/** A leg of another call that rings the customer's own devices. It does not count as a call. */
export const isDeviceLeg = (routeId: number | null): boolean =>
  routeId === FLOW_LEG_ROUTE_ID || routeId === INNER_LEG_ROUTE_ID

/** Customers dial this number to listen to their messages. */
export const MAILBOX_NUMBER = '*97'

export type MailboxRequest = {
  readonly user: CallUser | null
  readonly country: string
  readonly liveCalls: number
  readonly callsThisSecond: number
  readonly isMediaAlive: boolean
  readonly sliceSeconds: number
}

/** Admits a customer's call to the own messages. It is free, so the balance, the daily limit and stopped calls do not apply. */
export function admitMailbox(request: MailboxRequest): Admitted | Refused {
  const { user, country, sliceSeconds } = request
  const number = { e164: MAILBOX_NUMBER, country, lineType: 'other', isHighRisk: false } as const
  const refuse = refusalOf(number)
  if (user === null) return refuse('unknown_caller')
  if (user.isDisabled) return refuse('account_disabled')
  const overLimit = guardPace(user.guards, request.liveCalls, request.callsThisSecond)
  if (overLimit) return refuse(overLimit)
  const wanted = cover(FREE, ZERO, sliceSeconds)
  if (!request.isMediaAlive || !wanted) return refuse('unavailable')
  const route = freeRoute(MAILBOX_ROUTE_ID, 'Voicemail', country)
  const callerId = user.callerId ?? ''
  return { ok: true, terms: { rate: FREE, prefix: null, route, number, callerId }, trunks: [], wanted }
}

/** The leg of a flow to the customer's phones or PBX, or a leg inside a call. The call itself is already paid. */
export function admitDeviceLeg(
  user: CallUser | null,
  { routeId, e164, country, callerId, sliceSeconds }: DeviceLegRequest,
): Admitted | Refused {
  const number = { e164, country, lineType: 'other', isHighRisk: false } as const
  const wanted = cover(FREE, ZERO, sliceSeconds)
  if (user === null || user.isDisabled || !wanted) {
    const reason = user?.isDisabled ? 'account_disabled' : 'unavailable'
    return refusalOf(number)(reason)
  }
  const name = routeId === FLOW_LEG_ROUTE_ID ? 'Flow' : 'Inner leg'
  const route = freeRoute(routeId, name, country)
  return { ok: true, terms: { rate: FREE, prefix: null, route, number, callerId }, trunks: [], wanted }
}

export type DeviceLegRequest = {
  readonly routeId: typeof FLOW_LEG_ROUTE_ID | typeof INNER_LEG_ROUTE_ID
  /** The number that was called. */
  readonly e164: string
  readonly country: string
  readonly callerId: string
  readonly sliceSeconds: number
}

const FREE = billedBySecond(ZERO)

const freeRoute = (id: number, name: string, country: string): Route => ({
  id,
  country,
  name,
  planId: 0,
  planName: '',
  isPremium: false,
  rate: FREE,
  prefixRates: createPrefixIndex([]),
  sellsBelowCost: true,
})
