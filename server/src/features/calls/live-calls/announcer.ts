import { setTimeout as pause } from 'node:timers/promises'
import { INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { gapAfter } from '../../../platform/batcher.ts'
import type { Database } from '../../../platform/database.ts'
import type { Call } from './call.ts'
import { encodeChanges, type LiveChange } from './live-call.ts'
import { notifyLiveCalls } from './store.ts'

export type Announcer = {
  /** Notifies every API process. Call it after the commit. It never blocks and never throws. */
  announce(changes: readonly LiveChange[]): void
  /** Resolves when all announcements so far have been sent. */
  settled(): Promise<void>
}

/** The leg to phones at another switch belongs to a call and is not shown itself. */
export function announceLive(announcer: Announcer, call: Call): void {
  if (call.routeId !== INNER_LEG_ROUTE_ID) announcer.announce([{ change: 'live', call }])
}

/** Queue limit; dropped changes are found later by the comparison with the table. */
const MAX_WAITING = 10_000

/** Longest time between two announcements, because each costs a transaction and wakes every API process. */
const GAP_MS = 40

/**
 * Batches changes while an announcement is in progress: one round trip at a time. A failed announcement is not retried, because every
 * listener compares its mirror with the table every few seconds.
 */
export function createAnnouncer(db: Database, onError: (error: unknown) => void): Announcer {
  let waiting: LiveChange[] = []
  let inProgress: Promise<void> | null = null

  async function sendAll(): Promise<void> {
    // Includes changes of the same event-loop turn.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const changes = waiting
      waiting = []
      try {
        await notifyLiveCalls(db, encodeChanges(changes))
      } catch (error) {
        onError(error)
      }
      await pause(gapAfter(changes.length, GAP_MS))
    }
    inProgress = null
  }

  return {
    announce(changes) {
      if (waiting.length < MAX_WAITING) waiting.push(...changes)
      inProgress ??= sendAll()
    },
    settled: () => inProgress ?? Promise.resolve(),
  }
}
