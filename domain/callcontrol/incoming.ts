import { isGuardReason, spendableToday } from '../guards/index.ts'
import { type Micros, ZERO } from '../money/index.ts'
import { billedBySecond, type Rate } from '../rating/index.ts'
import type { NumberStatus, RentalState, RingPlan } from '../ringing/index.ts'
import type { CallUser } from './admit.ts'
import { type Cover, cover } from './cover.ts'
import { MAX_HOPS } from './hops.ts'
import type { RefusalReason } from './reasons.ts'

/** No row in `routes` has this id. */
export const INCOMING_ROUTE_ID = -1

/** A number of the inventory. */
export type InventoryNumber = {
  readonly id: number
  readonly e164: string
  readonly country: string
  /** The carrier that delivers its calls. Null: any carrier that may send calls. */
  readonly trunkId: number | null
  readonly status: NumberStatus
  readonly maxCalls: number
  readonly costMicros: Micros
  /** Null if nobody rents it. */
  readonly rental: {
    readonly userId: number
    readonly priceMicros: Micros
    readonly state: RentalState
    readonly ringPlan: RingPlan
    /** The customer wants recordings of its calls. The operator must allow them. */
    readonly records: boolean
  } | null
}

export type IncomingRequest = {
  /** Carriers that may send calls from the source. Null: the call comes from another customer, or is a test call. */
  readonly trunkIds: readonly number[] | null
  readonly number: InventoryNumber | null
  /** The customer who rents the number. */
  readonly owner: CallUser | null
  /** Live incoming calls of the number and of the customer, without this one. */
  readonly liveOfNumber: number
  readonly liveOfOwner: number
  /** Legs before this one. */
  readonly hops: number
  /** The same caller already waits while the number forwards the call. */
  readonly isForwardedNow: boolean
  readonly spentTodayMicros: Micros
  readonly heldTodayMicros: Micros
  readonly sliceSeconds: number
}

export type IncomingAdmitted = {
  readonly ok: true
  readonly number: InventoryNumber & { readonly rental: NonNullable<InventoryNumber['rental']> }
  readonly owner: CallUser
  /** The carrier that delivers the call. Null for a call of another customer. */
  readonly trunkId: number | null
  readonly rate: Rate
  readonly buyRate: Rate
  readonly wanted: Cover
}

export type IncomingRefused = {
  readonly ok: false
  readonly reason: RefusalReason
  readonly isGuard: boolean
  /** Null if the record belongs to nobody. */
  readonly owner: CallUser | null
}

/**
 * Decides whether a call to one of our numbers is put through. The customer pays the incoming minute, except for a call of another
 * customer and a test call. Stopped calls and blocked countries restrict outgoing calls only. Checks run in the order of `refusalReasons`.
 */
export function admitIncoming(request: IncomingRequest): IncomingAdmitted | IncomingRefused {
  const { trunkIds, number, owner } = request
  const refuse = (reason: RefusalReason, of: CallUser | null = owner): IncomingRefused => ({
    ok: false,
    reason,
    isGuard: isGuardReason(reason),
    owner: of,
  })
  const isOfCarrier =
    trunkIds === null || (number !== null && (number.trunkId === null || trunkIds.includes(number.trunkId)))

  if (trunkIds?.length === 0) return refuse('unknown_caller', null)
  const rental = number?.status === 'rented' ? number.rental : null
  if (!number || !rental || !owner || rental.state === 'ended' || !isOfCarrier)
    return refuse('unknown_number', null)
  if (owner.isDisabled) return refuse('account_disabled')
  if (rental.state === 'suspended') return refuse('number_suspended')
  if (request.hops > MAX_HOPS || request.isForwardedNow) return refuse('call_loop')
  if (request.liveOfNumber >= number.maxCalls || request.liveOfOwner >= owner.guards.maxConcurrentCalls)
    return refuse('too_many_calls')

  const isInternal = trunkIds === null
  const rate = billedBySecond(isInternal ? ZERO : rental.priceMicros)
  const spendable = spendableToday(owner.guards, request.spentTodayMicros, request.heldTodayMicros)
  const wanted = cover(rate, spendable, request.sliceSeconds)
  if (!wanted) return refuse('daily_spend_reached')
  return {
    ok: true,
    number: { ...number, rental },
    owner,
    trunkId: isInternal ? null : (number.trunkId ?? trunkIds[0] ?? null),
    rate,
    buyRate: billedBySecond(isInternal ? ZERO : number.costMicros),
    wanted,
  }
}
