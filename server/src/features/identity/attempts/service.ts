import { Refusal } from '@trunkline/contract/errors'
import { type Clock, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { clearAttempts, countAttempts, deleteEndedWindows, giveBackAttempts } from './store.ts'

/** At most `max` attempts per `key` within a window that starts with the first attempt. */
export type Limit = { key: string; max: number; windowMs: number }

export type AttemptLimits = ReturnType<typeof createAttemptLimits>

export function createAttemptLimits(db: Database, clock: Clock) {
  async function count(limits: Limit[]): Promise<{ isWithin: boolean; counts: Map<string, number> }> {
    const now = clock.now()
    const keys = limits.map(({ key, windowMs }) => ({ key, windowEndsAt: later(now, windowMs) }))
    const counts = await countAttempts(db, keys, now)
    return { isWithin: limits.every(({ key, max }) => (counts.get(key) ?? 0) <= max), counts }
  }

  return {
    /** Counts an attempt before it is made. False if a limit is reached. */
    take: async (limits: Limit[]): Promise<boolean> => (await count(limits)).isWithin,
    /** Like `take`, but refuses the request if a limit is reached. */
    async require(limits: Limit[], message?: string): Promise<void> {
      if (!(await count(limits)).isWithin) throw new Refusal('too_many_requests', message)
    },
    /** Like `take`, with the counts of all keys. */
    count,
    /** Uncounts a successful attempt. */
    giveBack: (limits: Limit[]) =>
      giveBackAttempts(
        db,
        limits.map(({ key }) => key),
      ),
    clear: (limit: Limit) => clearAttempts(db, limit.key),
    forgetEnded: () => deleteEndedWindows(db, clock.now()),
  }
}
