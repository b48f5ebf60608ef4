import type { Logger } from 'pino'
import { type Clock, DAY, earlier, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import { createTraceDay, dropTraceDays } from './chunks-store.ts'

export const keepTraceDays = defineJob<Record<string, never>>('keep-trace-days')
export const EVERY_HOUR_AT_37 = '37 * * * *'

type Deps = { db: Database; clock: Clock; logger: Logger; days: number }

/** Keeps the partitions of SIP messages: creates those of today and tomorrow, and drops those that are older than `days`. */
export function createTraceDays({ db, clock, logger, days }: Deps): () => Promise<void> {
  return async () => {
    const now = clock.now()
    if (days > 0) for (const moment of [now, later(now, DAY)]) await createTraceDay(db, moment)
    // Without capture nothing is kept, not even the current day.
    const endedBefore = days > 0 ? earlier(now, days * DAY) : later(now, 2 * DAY)
    for (const day of await dropTraceDays(db, endedBefore)) logger.info({ day }, 'dropped SIP messages')
  }
}
