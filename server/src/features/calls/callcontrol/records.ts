import { refusalCode, sipCodes } from '@trunkline/contract/call-reasons'
import { deviceOf } from '@trunkline/contract/phone-names'
import type { FromSwitchOf, TrunkAttempt } from '@trunkline/contract/switch-protocol'
import {
  type CallReason,
  type EndReason,
  failureReason,
  type RefusalReason,
  settle,
  statusOf,
  timeoutReason,
} from '@trunkline/domain/callcontrol'
import { readMediaQuality } from '@trunkline/domain/media-quality'
import { type Micros, ZERO } from '@trunkline/domain/money'
import type { PhoneNumber } from '@trunkline/domain/numbers'
import { billedBySecond, secondsBetween } from '@trunkline/domain/rating'
import type { Route } from '@trunkline/domain/routing'
import type { NewCdr } from '../cdr/cdr-store.ts'
import {
  type Call,
  type CallFacts,
  callIdOf,
  factsOf,
  type OUTGOING,
  offeredTrunk,
} from '../live-calls/call.ts'

/** How a call ended. */
export type Ending =
  | { kind: 'ended'; event: FromSwitchOf<'ended'>; stoppedAs?: EndReason | undefined }
  | { kind: 'failed'; event: FromSwitchOf<'failed'>; stoppedAs?: EndReason | undefined }
  /** Its switch died or does not know it; this is the last time it was known to be live. */
  | { kind: 'lost'; at: Date }
  /** The switch got a refusal before the hold was committed. */
  | { kind: 'withdrawn'; at: Date }

type Outcome = Pick<
  NewCdr,
  'reason' | 'sipCode' | 'trunkId' | 'answeredAt' | 'endedAt' | 'hungUpBy' | 'media'
> & {
  attempts: readonly TrunkAttempt[]
}

/** The record of an admitted call with its exact cost. `spendableMicros` is the rest of the daily limit. */
export function recordOf(call: Call, ending: Ending, spendableMicros: Micros): NewCdr {
  const { attempts, ...known } = outcomeOf(call, ending, spendableMicros)
  const outcome = { ...known, trunkId: carrierOf(call, known.trunkId) }
  const { trunkId, answeredAt, endedAt } = outcome
  const trunk = offeredTrunk(call, trunkId)
  const talkedSeconds = answeredAt ? secondsBetween(answeredAt.getTime(), endedAt.getTime()) : 0
  return {
    ...outcome,
    ...settle({ ...call, buyRate: trunk?.buyRate ?? billedBySecond(ZERO) }, talkedSeconds),
    status: statusOf({ reason: outcome.reason, isAnswered: answeredAt !== null }),
    ...factsOf(call),
    trunkName: trunk?.name ?? null,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      name: offeredTrunk(call, attempt.trunk)?.name ?? '',
    })),
    ringingAt: call.ringingAt,
  }
}

/** The carrier of an incoming call sent it. Targets of a ring plan have negative ids and are no carriers. */
const carrierOf = ({ direction, trunk }: Call, trunkId: number | null): number | null => {
  if (direction === 'in') return trunk?.id ?? null
  return trunkId !== null && trunkId < 0 ? null : trunkId
}

function outcomeOf(call: Call, ending: Ending, spendableMicros: Micros): Outcome {
  switch (ending.kind) {
    case 'ended': {
      const { event } = ending
      return {
        reason: reasonOfEnd(call, ending, spendableMicros),
        sipCode: 200,
        trunkId: event.trunk,
        attempts: event.attempts,
        answeredAt: new Date(event.answeredAt),
        endedAt: new Date(Math.max(event.at, event.answeredAt)),
        hungUpBy: event.by,
        media: event.media ? readMediaQuality(event.media.reply, event.media.caller) : null,
      }
    }
    case 'failed': {
      const { event } = ending
      // The switch has reported the answer before, so the call was connected and this is its end.
      if (call.answeredAt)
        return outcomeOf(
          call,
          { ...ending, kind: 'ended', event: endOf(event, call, call.answeredAt) },
          spendableMicros,
        )
      return {
        reason: reasonOfFailure(call, ending),
        sipCode: event.code,
        trunkId: event.attempts.at(-1)?.trunk ?? call.trunk?.id ?? null,
        attempts: event.attempts,
        answeredAt: null,
        endedAt: new Date(Math.max(event.at, call.startedAt.getTime())),
        hungUpBy: event.by === 'carrier' ? null : event.by,
      }
    }
    case 'lost': {
      const since = call.answeredAt ?? call.startedAt
      return {
        reason: 'switch_lost',
        sipCode: call.answeredAt ? 200 : null,
        trunkId: call.trunk?.id ?? null,
        attempts: [],
        answeredAt: call.answeredAt,
        endedAt: new Date(Math.max(ending.at.getTime(), since.getTime())),
        hungUpBy: null,
      }
    }
    case 'withdrawn':
      return {
        reason: 'unavailable',
        sipCode: sipCodes.unavailable,
        trunkId: null,
        attempts: [],
        answeredAt: null,
        endedAt: new Date(Math.max(ending.at.getTime(), call.startedAt.getTime())),
        hungUpBy: 'control',
      }
  }
}

const endOf = (event: FromSwitchOf<'failed'>, { trunk }: Call, answeredAt: Date): FromSwitchOf<'ended'> => ({
  ...event,
  type: 'ended',
  answeredAt: answeredAt.getTime(),
  trunk: trunk?.id ?? 0,
  by: event.by === 'carrier' ? 'callee' : event.by,
})

function reasonOfEnd(
  call: Call,
  { event, stoppedAs }: Extract<Ending, { kind: 'ended' }>,
  spendableMicros: Micros,
): CallReason {
  switch (event.by) {
    case 'caller':
      return 'hung_up_by_caller'
    case 'callee':
      return 'hung_up_by_callee'
    case 'timeout':
      return isCoverLeft(call, event) ? 'hung_up_by_caller' : timeoutReason(call, spendableMicros)
    case 'silence':
      return 'went_silent'
    case 'control':
      return call.hangupReason ?? stoppedAs ?? 'account_stopped'
  }
}

/** The cover of the caller's leg ended, not that of this incoming leg. */
const isCoverLeft = (
  { direction, parentCallId, coveredSeconds }: Call,
  event: FromSwitchOf<'ended'>,
): boolean =>
  direction === 'in' && parentCallId !== null && secondsBetween(event.answeredAt, event.at) < coveredSeconds

function reasonOfFailure(
  { hangupReason }: Call,
  { event: { code, by, attempts }, stoppedAs }: Extract<Ending, { kind: 'failed' }>,
): CallReason {
  if (by === 'caller') return 'cancelled'
  if (by === 'carrier') return failureReason(code)
  // Ended by us while it rang, or never tried because the caller had canceled.
  return hangupReason ?? stoppedAs ?? (attempts.length === 0 ? 'unavailable' : failureReason(code))
}

/** The record of a refused call. */
export type RefusedCall = {
  switchId: string
  isDemo: boolean
  question: FromSwitchOf<'authorize'>
  userId: number | null
  callerId: string | null
  number: Pick<PhoneNumber, 'e164' | 'country' | 'lineType'> | null
  route: Route | null
  reason: RefusalReason
  /** Facts of an incoming or forwarded call. */
  leg: Pick<CallFacts, keyof typeof OUTGOING>
  sipAccount: string
  trunk: { id: number; name: string } | null
}

export function recordOfRefusal(refused: RefusedCall): NewCdr {
  const { switchId, isDemo, question, number, route, reason, leg } = refused
  const at = new Date(question.at)
  const isOwnPhone = leg.direction === 'out' && leg.parentCallId === null
  return {
    callId: callIdOf(switchId, question.call),
    switchId,
    isDemo,
    userId: refused.userId,
    status: 'refused',
    reason,
    sipCode: refusalCode(reason, leg.direction),
    sipAccount: refused.sipAccount,
    sourceAddress: leg.parentCallId === null ? question.address : '',
    device: isOwnPhone ? deviceOf(question.user, question.device) : '',
    callerId: refused.callerId ?? '',
    dialed: question.to,
    destination: number?.e164 ?? '',
    country: number?.country ?? null,
    lineType: number?.lineType ?? null,
    routeId: route?.id ?? null,
    routeName: route?.name ?? null,
    planName: route?.planName ?? null,
    ratePrefix: null,
    rate: null,
    ...leg,
    trunkId: refused.trunk?.id ?? null,
    trunkName: refused.trunk?.name ?? null,
    attempts: [],
    startedAt: at,
    ringingAt: null,
    answeredAt: null,
    endedAt: at,
    seconds: 0,
    billedSeconds: 0,
    costMicros: ZERO,
    buyMicros: ZERO,
    hungUpBy: null,
  }
}
