import type { HistoricCall } from '@trunkline/contract/demo-history'
import { admit, type CallUser } from '@trunkline/domain/callcontrol'
import { WIRE_LIMIT_MICROS, ZERO } from '@trunkline/domain/money'
import { parseNumber } from '@trunkline/domain/numbers'
import { MAX_CALL_SECONDS } from '@trunkline/domain/rating'
import type { Trunk } from '@trunkline/domain/routing'
import { admittedCall } from '../callcontrol/admitted-call.ts'
import { type Ending, recordOf, recordOfRefusal } from '../callcontrol/records.ts'
import type { NewCdr } from '../cdr/cdr-store.ts'
import { OUTGOING } from '../live-calls/call.ts'

/** The switch ID of generated calls. */
export const SWITCH = 'demo-history'

/**
 * Converts a generated outgoing call to its record, with the normal rules for admission, pricing and settlement. Null for a call that should be
 * refused but is not.
 */
export function recordOfPast(
  past: HistoricCall,
  name: string,
  user: CallUser,
  trunks: readonly Trunk[],
): NewCdr | null {
  const number = parseNumber(past.dialed)
  const question = {
    type: 'authorize',
    call: name,
    at: past.startedAt,
    user: user.username,
    address: past.address,
    device: past.device,
    to: past.dialed,
  } as const
  const verdict = admit({
    user,
    number,
    trunks,
    usedOf: () => 0,
    liveCalls: 0,
    callsThisSecond: 0,
    spentTodayMicros: ZERO,
    heldTodayMicros: ZERO,
    sliceSeconds: 60,
  })
  if (!verdict.ok)
    return recordOfRefusal({
      switchId: SWITCH,
      isDemo: true,
      userId: user.id,
      callerId: user.callerId,
      number,
      route: verdict.route,
      reason: verdict.reason,
      question,
      leg: OUTGOING,
      sipAccount: user.username,
      trunk: null,
    })
  const { outcome } = past
  if (outcome.kind === 'refused') return null

  const { terms, trunks: offered } = verdict
  const wanted = { holdMicros: ZERO, coveredSeconds: MAX_CALL_SECONDS }
  const call = {
    ...admittedCall({
      switchId: SWITCH,
      isDemo: true,
      question,
      user,
      admitted: { terms, trunks: offered, wanted },
      leg: OUTGOING,
    }),
    ringingAt: past.ringingAfterMs === null ? null : new Date(past.startedAt + past.ringingAfterMs),
  }
  // Generated calls never reach a limit.
  const trunkIds = offered.map(({ trunk }) => trunk.id)
  return recordOf(call, endingOf(past, name, trunkIds), WIRE_LIMIT_MICROS)
}

/** `offered` are the ids of trunks, or of the targets of an incoming call. */
export function endingOf(
  { startedAt, settledAfterMs, outcome }: HistoricCall,
  name: string,
  offered: readonly number[],
): Ending {
  // The generated call may have more attempts than the route has trunks; then the last trunk is used.
  const trunkAt = (index: number): number => offered[Math.min(index, offered.length - 1)] ?? 0
  const tried = (codes: readonly number[]) =>
    codes.map((code, index) => ({ trunk: trunkAt(index), code, reason: '' }))
  const event = { id: name, call: name }
  const settledAt = startedAt + settledAfterMs
  switch (outcome.kind) {
    case 'answered':
      return {
        kind: 'ended',
        event: {
          ...event,
          type: 'ended',
          at: settledAt + outcome.seconds * 1_000,
          answeredAt: settledAt,
          trunk: trunkAt(outcome.failedOver.length),
          by: outcome.by,
          attempts: tried(outcome.failedOver),
          media: outcome.media,
        },
      }
    case 'failed':
      return {
        kind: 'failed',
        event: {
          ...event,
          type: 'failed',
          at: settledAt,
          code: outcome.code,
          by: outcome.by,
          attempts: tried(outcome.attempts),
        },
      }
    case 'refused':
      throw new Error('a refused call has no end')
  }
}
