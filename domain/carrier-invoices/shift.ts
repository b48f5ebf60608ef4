import type { ReconciledCall } from './reconcile.ts'

const QUARTER_MINUTES = 15
const QUARTER_MS = QUARTER_MINUTES * 60_000
/** No time zone differs more from another. */
const MAX_QUARTERS = 26 * 4
/** Calls of one number that a line is compared with. */
const MAX_CALLS = 10

/**
 * The minutes by which the times of the file are ahead of ours, if a wrong time zone explains most lines without a call. Otherwise
 * null.
 */
export function findShift(calls: readonly ReconciledCall[]): number | null {
  const missing = new Map<string, number[]>()
  for (const { kind, call } of calls) {
    if (kind !== 'own_only' || !call) continue
    const times = missing.get(call.number)
    if (!times) missing.set(call.number, [call.answeredAt])
    else if (times.length < MAX_CALLS) times.push(call.answeredAt)
  }
  const votes = new Map<number, number>()
  let lines = 0
  let unmatched = 0
  for (const { kind, line } of calls) {
    if (line) lines++
    if (kind !== 'carrier_only' || !line) continue
    unmatched++
    const shifts = new Set(
      (missing.get(line.number) ?? []).map((answeredAt) => Math.round((line.at - answeredAt) / QUARTER_MS)),
    )
    for (const shift of shifts)
      if (shift !== 0 && Math.abs(shift) <= MAX_QUARTERS) votes.set(shift, (votes.get(shift) ?? 0) + 1)
  }
  const [best] = [...votes].sort(
    ([left, leftVotes], [right, rightVotes]) => rightVotes - leftVotes || Math.abs(left) - Math.abs(right),
  )
  return best && unmatched * 2 > lines && best[1] * 2 > unmatched ? best[0] * QUARTER_MINUTES : null
}
