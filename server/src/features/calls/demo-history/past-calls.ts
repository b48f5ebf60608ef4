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

/** How long a carrier that fails takes to say so. */
const FAULT_MS = 300

/** `offered` are the ids of trunks, or of the targets of an incoming call. Each is tried once at most. */
export function endingOf(
  { startedAt, settledAfterMs, outcome }: HistoricCall,
  name: string,
  offered: readonly number[],
): Ending {
  const settledAt = startedAt + settledAfterMs
  /** The generated call may have more attempts than the route has trunks; then the first ones are left out. */
  const tried = (codes: readonly number[]) => {
    const kept = codes.slice(-Math.max(1, offered.length))
    return kept.map((code, index) => {
      const at = Math.min(startedAt + index * FAULT_MS, settledAt)
      const isLast = index === kept.length - 1
      const until = isLast ? settledAt : Math.min(at + FAULT_MS, settledAt)
      return { trunk: offered[index] ?? 0, code, reason: '', at, until }
    })
  }
  const event = { id: name, call: name }
  switch (outcome.kind) {
    case 'answered': {
      const attempts = tried([...outcome.failedOver, 200])
      return {
        kind: 'ended',
        event: {
          ...event,
          type: 'ended',
          at: settledAt + outcome.seconds * 1_000,
          answeredAt: settledAt,
          trunk: attempts.at(-1)?.trunk ?? 0,
          by: outcome.by,
          attempts,
          media: outcome.media,
        },
      }
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
