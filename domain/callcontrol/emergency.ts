import type { CountryCode } from '../countries/index.ts'
import { ZERO } from '../money/index.ts'
import { billedBySecond, createPrefixIndex } from '../rating/index.ts'
import { buyRateFor, type Route, type Trunk } from '../routing/index.ts'
import type { Admitted, CallUser, Refused } from './admit.ts'
import { cover } from './cover.ts'
import { refusalOf } from './refused.ts'

/** The emergency trunk, configured by an administrator. */
export type EmergencyRoute = {
  readonly trunkId: number
  /** Number sent to the carrier for every emergency call. Null sends the dialed number. */
  readonly sentAs: string | null
  /** Caller ID for customers without an approved one. */
  readonly callerId: string
}

export type EmergencyRequest = {
  readonly user: CallUser | null
  /** An emergency number of the home country, or one that is valid everywhere. */
  readonly dialed: string
  readonly country: CountryCode
  readonly route: EmergencyRoute | null
  readonly trunk: Trunk | undefined
  /** Live emergency calls of this user. */
  readonly liveCalls: number
  readonly sliceSeconds: number
}

/** No row in `routes` has this id. */
export const EMERGENCY_ROUTE_ID = 0
/** Two, so a caller who was cut off can redial before the first call is known to have ended. */
const MAX_AT_ONCE = 2

/**
 * Admits an emergency call. It is free, so balance and daily limit do not apply. Guards, stopped calls, a missing caller ID
 * and a full trunk do not block it either. The limit per account prevents flooding the emergency services.
 */
export function admitEmergency(request: EmergencyRequest): Admitted | Refused {
  const { user, dialed, country, route, trunk, sliceSeconds } = request
  const number = { e164: dialed, country, lineType: 'other', isHighRisk: false } as const
  const refuse = refusalOf(number)

  if (user === null) return refuse('unknown_caller')
  if (user.isDisabled) return refuse('account_disabled')
  if (route === null || !trunk?.isActive) return refuse('no_emergency_service')
  if (request.liveCalls >= MAX_AT_ONCE) return refuse('too_many_calls')
  const wanted = cover(FREE, ZERO, sliceSeconds)
  if (!wanted) return refuse('unavailable')
  return {
    ok: true,
    terms: {
      rate: FREE,
      prefix: null,
      route: routeTo(country),
      number,
      callerId: callerIdOf(user) ?? route.callerId,
    },
    trunks: [{ trunk, buyRate: buyRateFor(trunk, dialed), number: route.sentAs ?? dialed }],
    wanted,
  }
}

/** An unapproved caller ID may belong to someone else, and emergency services call it back. */
const callerIdOf = ({ callerId, isCallerIdApproved }: CallUser): string | null =>
  isCallerIdApproved ? callerId : null

const FREE = billedBySecond(ZERO)

const routeTo = (country: CountryCode): Route => ({
  id: EMERGENCY_ROUTE_ID,
  country,
  name: 'Emergency call',
  planId: 0,
  planName: 'Emergency call',
  isPremium: false,
  rate: FREE,
  prefixRates: createPrefixIndex([]),
  sellsBelowCost: true,
})
