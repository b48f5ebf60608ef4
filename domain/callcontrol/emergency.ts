import type { CountryCode } from '../countries/index.ts'
import { ZERO } from '../money/index.ts'
import { createPrefixIndex } from '../rating/index.ts'
import { buyRateFor, type Route, type Trunk } from '../routing/index.ts'
import type { Admitted, CallUser, Refused } from './admit.ts'
import { cover } from './cover.ts'
import type { RefusalReason } from './reasons.ts'

/** Over whom emergency calls go, as an administrator has set it. */
export type EmergencyRoute = {
  readonly trunkId: number
  /** The number the carrier wants for all of them; null: as it was dialled. */
  readonly sentAs: string | null
  /** Shown for customers who have no approved caller ID of their own. */
  readonly callerId: string
}

export type EmergencyRequest = {
  readonly user: CallUser | null
  /** Of the home country, or one that holds everywhere. */
  readonly dialled: string
  readonly country: CountryCode
  readonly route: EmergencyRoute | null
  readonly trunk: Trunk | undefined
  /** Emergency calls of this user that live. */
  readonly liveCalls: number
  readonly sliceSeconds: number
}

/** No row of the table of routes has this id. */
export const EMERGENCY_ROUTE_ID = 0
/** One that was cut off may be tried again before the first is known to be over. */
const MAX_AT_ONCE = 2

/**
 * May this emergency call be made? It is free, so neither balance nor daily limit count; and no guard, stopped calls, missing caller ID
 * or full trunk keeps it back. What remains is a limit for each account, so that nobody floods the emergency services.
 */
export function admitEmergency(request: EmergencyRequest): Admitted | Refused {
  const { user, dialled, country, route, trunk, sliceSeconds } = request
  const number = { e164: dialled, country, lineType: 'other', isHighRisk: false } as const
  const refuse = (reason: RefusalReason): Refused => ({
    ok: false,
    reason,
    isGuard: false,
    number,
    route: null,
  })

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
    trunks: [{ trunk, buyRateMicros: buyRateFor(trunk, dialled), number: route.sentAs ?? dialled }],
    wanted,
  }
}

/** One that nobody has approved may be somebody else's: the emergency services would call back there. */
const callerIdOf = ({ callerId, isCallerIdApproved }: CallUser): string | null =>
  isCallerIdApproved ? callerId : null

const FREE = { priceMicros: ZERO, connectFeeMicros: ZERO, firstIncrement: 1, nextIncrement: 1 } as const

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
