import type { CdrRecord } from '@trunkline/contract/cdr'
import { api } from '../../../app/api.ts'

const TRIES = 10
const PAUSE_MS = 400
/** Clocks of browsers are what they are; the phone's name alone nearly tells which call it was. */
const CLOCKS_MS = 60_000

const known = new Set<string>()

/** The record of the call a phone has just made. It is written within moments of the end; a call that was never asked for has none. */
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
