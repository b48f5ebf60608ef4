import type { CdrRecord } from '@trunkline/contract/cdr'
import { api } from '../../../app/api.ts'

const TRIES = 25
const PAUSE_MS = 400
/** Tolerance for a wrong browser clock. */
const CLOCKS_MS = 60_000

const known = new Set<string>()

/** Polls for the record of the last call. A call that never reached the switch has none. */
export async function findRecord(
  phoneName: string,
  begunAt: number,
  tries = TRIES,
): Promise<CdrRecord | null> {
  for (let left = tries; left > 0; left--) {
    const records = await api('GET /api/cdr', { query: { limit: 10 } }).then(
      (answer) => answer.records,
      () => [],
    )
    const found = records.find(
      ({ id, sipiax, started_at }) =>
        sipiax === phoneName && !known.has(id) && Date.parse(started_at) > begunAt - CLOCKS_MS,
    )
    if (found) {
      known.add(found.id)
      return found
    }
    if (left > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return null
}
