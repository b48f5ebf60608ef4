import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/database.ts'
import { encodeChanges, type LiveChange } from './live-call.ts'
import { notifyLiveCalls } from './store.ts'

export type Announcer = {
  /** Tells every API process. Call it after the commit: what is told must be true. Never waits and never fails. */
  announce(changes: readonly LiveChange[]): void
  /** Resolves once everything said so far has left. */
  settled(): Promise<void>
}

/** With nobody to take them, changes are dropped beyond this; the comparison with the table brings them later. */
const MAX_WAITING = 10_000

/** The least time between two announcements: each costs a transaction and wakes every API process. */
const GAP_MS = 40

/**
 * Gathers what is said while an announcement is under way and sends it together: one round trip at a time, the next a
 * moment after it is back. An announcement that fails is not repeated, since every listener compares its picture with the
 * table every few seconds.
 */
export function createAnnouncer(db: Database, onError: (error: unknown) => void): Announcer {
  let waiting: LiveChange[] = []
  let underWay: Promise<void> | null = null

  async function sendAll(): Promise<void> {
    // The rest of this turn of the event loop joins in.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const changes = waiting
      waiting = []
      try {
        await notifyLiveCalls(db, encodeChanges(changes))
      } catch (error) {
        onError(error)
      }
      await pause(GAP_MS)
    }
    underWay = null
  }

  return {
    announce(changes) {
      if (waiting.length < MAX_WAITING) waiting.push(...changes)
      underWay ??= sendAll()
    },
    settled: () => underWay ?? Promise.resolve(),
  }
}
