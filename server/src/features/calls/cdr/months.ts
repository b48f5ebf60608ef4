import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { DAY, earlier, startOfDay } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import { gatherShards, makeMonth, scatteredPeriods, shardedTables, unmadeMonths } from './months-store.ts'
import { listSearchableMonths, makeSearchable, type SearchableMonth } from './search-store.ts'

export const keepCdrMonths = defineJob<Record<string, never>>('keep-cdr-months')
export const EVERY_HOUR = '7 * * * *'

/** The month that runs and so many after it have their partitions. */
const MONTHS_AHEAD = 3
/** Calls that began before midnight end after it, and a switch that was cut off tells of its calls later. */
const SETTLED_AFTER = 2 * DAY

type CdrMonths = {
  /** Before anything is written: the partition of now, of the months to come, and of what waits for one. */
  makeAhead(): Promise<void>
  /** What can wait: months and days that are over become searchable, sums that are over are brought together. */
  tidy(): Promise<void>
}

export function createCdrMonths(db: Database, clock: Clock, logger: Logger): CdrMonths {
  return {
    async makeAhead() {
      const now = clock.now()
      const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, months) => monthOf(now, months))
      for (const month of [...ahead, ...(await unmadeMonths(db))])
        if (await makeMonth(db, month)) logger.info({ month }, 'made a month for call records')
    },

    async tidy() {
      const settled = earlier(clock.now(), SETTLED_AFTER)
      for (const table of shardedTables)
        for (const at of await scatteredPeriods(db, table, settled)) await gatherShards(db, table, at)
      for (const month of await listSearchableMonths(db)) {
        const wanted = indexFor(month, startOfDay(clock.now()))
        if (!wanted || month.indexes.some(({ name, isValid }) => isValid && name === wanted.name)) continue
        await makeSearchable(db, month, wanted)
        logger.info({ index: wanted.name }, 'made call records searchable')
      }
    },
  }
}

/**
 * A month that is over is searchable as a whole, the one that runs up to today: its index is made anew each night, and no call that is
 * written has to be added to it.
 */
function indexFor({ name, begins, ends }: SearchableMonth, today: Date) {
  if (today >= ends) return { name: `${name}_search`, before: null }
  if (today <= begins) return null
  return { name: `${name}_search_${String(today.getUTCDate()).padStart(2, '0')}`, before: today }
}

/** The first moment of a month, counted from the one that `now` is in. */
const monthOf = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
