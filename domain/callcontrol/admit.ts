import type { CountryCode } from '../countries/index.ts'
import {
  type GuardReason,
  type Guards,
  guardDestination,
  guardPace,
  guardPrice,
  isGuardReason,
  spendableToday,
} from '../guards/index.ts'
import type { Micros } from '../money/index.ts'
import type { PhoneNumber } from '../numbers/index.ts'
import { type Rate, rateFor } from '../rating/index.ts'
import { type ChosenTrunk, chooseTrunks, type Route, type Routing, type Trunk } from '../routing/index.ts'
import { type Cover, cover } from './cover.ts'
import { MAX_HOPS } from './hops.ts'
import type { RefusalReason } from './reasons.ts'

/** `approved`: customers can only use caller IDs that an administrator approved. */
export type CallerIdPolicy = 'any' | 'approved'

export type CallUser = {
  readonly id: number
  readonly username: string
  readonly isDisabled: boolean
  readonly isPremium: boolean
  readonly callerId: string | null
  /** Always true when the policy is `any`. */
  readonly isCallerIdApproved: boolean
  /** Home country for national numbers; null accepts international numbers only. */
  readonly homeCountry: CountryCode | null
  readonly guards: Guards
  /** The selected route of each country. */
  readonly routes: ReadonlyMap<CountryCode, Route>
}

export type CallRequest = {
  readonly user: CallUser | null
  readonly number: PhoneNumber | null
  readonly trunks: readonly Trunk[]
  readonly usedOf: (trunkId: number) => number
  /** The routing rule of this call; null without one. */
  readonly routingOf?: (planId: number, country: CountryCode) => Routing | null
  /** Live calls of this user, without this one. */
  readonly liveCalls: number
  readonly callsThisSecond: number
  /** Cost of the calls that ended since midnight (UTC), and of the recordings booked since then. */
  readonly spentTodayMicros: Micros
  /** Sum of the holds of live calls. */
  readonly heldTodayMicros: Micros
  readonly sliceSeconds: number
  /** Legs before this one. */
  readonly hops?: number
  /** Caller ID of a forwarded call: the rented number or its caller. Replaces the customer's own caller ID. */
  readonly forwardedAs?: string | undefined
}

/** Fixed for the whole call. A later price change applies to the next call. */
export type CallTerms = {
  readonly rate: Rate
  readonly prefix: string | null
  readonly route: Route
  readonly number: PhoneNumber
  readonly callerId: string
}

export type Refused = {
  readonly ok: false
  readonly reason: RefusalReason
  readonly isGuard: boolean
  readonly number: PhoneNumber | null
  readonly route: Route | null
}

export type Admitted = {
  readonly ok: true
  readonly terms: CallTerms
  readonly trunks: readonly ChosenTrunk[]
  /** The hold to place before the call goes out. `cover` reduces it if the balance is too low. */
  readonly wanted: Cover
}

/**
 * Decides whether a call is allowed, at which price and over which trunks. Placing the hold checks the balance later.
 * Checks run in the order of `refusalReasons`, so a call with several faults always gets the same reason.
 */
export function admit(request: CallRequest): Admitted | Refused {
  const { number } = request
  const refuse = refusalOfCaller(number)
  const caller = checkCaller(request)
  if (!caller.ok) return refuse(caller.reason)
  const { user, callerId } = caller
  const { guards } = user
  if (number === null) return refuse('unknown_number')
  if ((request.hops ?? 0) > MAX_HOPS) return refuse('call_loop')
  const badDestination = guardDestination(guards, number)
  if (badDestination) return refuse(badDestination)

  const route = user.routes.get(number.country)
  if (!route) return refuse('no_route')
  if (route.isPremium && !user.isPremium) return refuse('premium_route', route)
  const { rate, prefix } = rateFor(route.rate, route.prefixRates, number.e164)
  const wanted = coverWithinLimits(request, guards, rate)
  if (typeof wanted === 'string') return refuse(wanted, route)

  const { trunks, usedOf } = request
  const { e164, country } = number
  const routing = request.routingOf?.(route.planId, country) ?? null
  const { chosen, none } = chooseTrunks({ route, rate, e164, country, trunks, usedOf, routing })
  if (none) return refuse(none, route)
  return { ok: true, terms: { rate, prefix, route, number, callerId }, trunks: chosen, wanted }
}

export const refusalOfCaller =
  (number: PhoneNumber | null) =>
  (reason: RefusalReason, route: Route | null = null): Refused => ({
    ok: false,
    reason,
    isGuard: isGuardReason(reason),
    number,
    route,
  })

type Usage = Pick<
  CallRequest,
  'liveCalls' | 'callsThisSecond' | 'spentTodayMicros' | 'heldTodayMicros' | 'sliceSeconds'
>

/** The hold of the first slice, or the limit that the call exceeds. */
export function coverWithinLimits(usage: Usage, guards: Guards, rate: Rate): Cover | GuardReason {
  const overLimit =
    guardPrice(guards, rate.priceMicros) ?? guardPace(guards, usage.liveCalls, usage.callsThisSecond)
  if (overLimit) return overLimit
  const spendable = spendableToday(guards, usage.spentTodayMicros, usage.heldTodayMicros)
  return cover(rate, spendable, usage.sliceSeconds) ?? 'daily_spend_reached'
}

/** Checks the account and its caller ID. A forwarded call shows the rented number or its caller, so it needs no caller ID of its own. */
export function checkCaller({
  user,
  forwardedAs,
}: Pick<CallRequest, 'user' | 'forwardedAs'>):
  | { readonly ok: true; readonly user: CallUser; readonly callerId: string }
  | { readonly ok: false; readonly reason: RefusalReason } {
  const refuse = (reason: RefusalReason) => ({ ok: false, reason }) as const
  if (user === null) return refuse('unknown_caller')
  if (user.isDisabled) return refuse('account_disabled')
  if (user.guards.areCallsStopped) return refuse('calls_stopped')
  if (forwardedAs !== undefined) return { ok: true, user, callerId: forwardedAs }
  if (!user.callerId) return refuse('no_caller_id')
  return user.isCallerIdApproved
    ? { ok: true, user, callerId: user.callerId }
    : refuse('caller_id_unapproved')
}
