import { type Clock, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { clearAttempts, countAttempts, deleteEndedWindows, giveBackAttempts } from './store.ts'

/** At most `most` attempts under `key` within a window that starts with the first of them. */
export type Limit = { key: string; most: number; windowMs: number }

export type AttemptLimits = ReturnType<typeof createAttemptLimits>

export function createAttemptLimits(db: Database, clock: Clock) {
  async function count(limits: Limit[]): Promise<{ isWithin: boolean; counts: Map<string, number> }> {
    const now = clock.now()
    const keys = limits.map(({ key, windowMs }) => ({ key, windowEndsAt: later(now, windowMs) }))
    const counts = await countAttempts(db, keys, now)
    return { isWithin: limits.every(({ key, most }) => (counts.get(key) ?? 0) <= most), counts }
  }

  return {
    /** Counts an attempt before it is made; false when a limit is reached. */
    take: async (limits: Limit[]): Promise<boolean> => (await count(limits)).isWithin,
    /** The same, and how many there have been under each key. */
    count,
    /** An attempt that turned out well does not count. */
    giveBack: (limits: Limit[]) =>
      giveBackAttempts(
        db,
        limits.map(({ key }) => key),
      ),
    clear: (limit: Limit) => clearAttempts(db, limit.key),
    forgetEnded: () => deleteEndedWindows(db, clock.now()),
  }
}
