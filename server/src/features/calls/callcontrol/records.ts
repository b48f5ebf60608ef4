import { sipCodes } from '@trunkline/contract/call-reasons'
import { deviceOf } from '@trunkline/contract/phone-names'
import type { FromSwitchOf, TrunkAttempt } from '@trunkline/contract/switch-protocol'
import {
  type CallReason,
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
import { type Call, callIdOf, factsOf, OUTGOING, offeredTrunk } from '../live-calls/call.ts'

/** How a call ended. */
export type Ending =
  | { kind: 'ended'; event: FromSwitchOf<'ended'> }
  | { kind: 'failed'; event: FromSwitchOf<'failed'> }
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
  const { attempts, ...outcome } = outcomeOf(call, ending, spendableMicros)
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

function outcomeOf(call: Call, ending: Ending, spendableMicros: Micros): Outcome {
  switch (ending.kind) {
    case 'ended': {
      const { event } = ending
      return {
        reason: reasonOfEnd(call, event.by, spendableMicros),
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
        return outcomeOf(call, { kind: 'ended', event: endOf(event, call, call.answeredAt) }, spendableMicros)
      return {
        reason: reasonOfFailure(call, event),
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

function reasonOfEnd(call: Call, by: FromSwitchOf<'ended'>['by'], spendableMicros: Micros): CallReason {
  switch (by) {
    case 'caller':
      return 'hung_up_by_caller'
    case 'callee':
      return 'hung_up_by_callee'
    case 'timeout':
      return timeoutReason(call, spendableMicros)
    case 'silence':
      return 'went_silent'
    case 'control':
      return call.hangupReason ?? 'account_stopped'
  }
}

function reasonOfFailure({ hangupReason }: Call, { code, by, attempts }: FromSwitchOf<'failed'>): CallReason {
  if (by === 'caller') return 'cancelled'
  if (by === 'carrier') return failureReason(code)
  // Ended by us while it rang, or never tried because the caller had canceled.
  return hangupReason ?? (attempts.length === 0 ? 'unavailable' : failureReason(code))
}

/** The record of a refused call. */
export type RefusedCall = {
  switchId: string
  isDemo: boolean
  question: FromSwitchOf<'authorize'>
  userId: number | null
  callerId: string | null
  number: PhoneNumber | null
  route: Route | null
  reason: RefusalReason
}

export function recordOfRefusal(refused: RefusedCall): NewCdr {
  const { switchId, isDemo, question, number, route, reason } = refused
  const at = new Date(question.at)
  return {
    callId: callIdOf(switchId, question.call),
    switchId,
    isDemo,
    userId: refused.userId,
    status: 'refused',
    reason,
    sipCode: sipCodes[reason],
    sipAccount: question.user ?? question.claimed ?? '',
    sourceAddress: question.address,
    device: deviceOf(question.user, question.device),
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
    ...OUTGOING,
    trunkId: null,
    trunkName: null,
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
