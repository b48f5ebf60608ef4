import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { DAY, earlier, startOfDay, startOfHour } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import {
  createMonth,
  mergeShards,
  monthsWithoutPartition,
  shardedPeriods,
  shardedTables,
} from './months-store.ts'
import {
  createSearchIndex,
  type IndexKind,
  indexKinds,
  listSearchableMonths,
  type SearchableMonth,
  type WantedIndex,
} from './search-store.ts'

export const keepCdrMonths = defineJob<Record<string, never>>('keep-cdr-months')
export const EVERY_HOUR = '7 * * * *'

/** Number of partitions after the current month. */
const MONTHS_AHEAD = 3
/** Calls may end after midnight, and disconnected switches report calls late. */
const SETTLED_AFTER = 2 * DAY

type CdrMonths = {
  /** Runs before any write: creates the partitions of the current and coming months, and of records in the default partition. */
  makeAhead(): Promise<void>
  /** Background work: indexes completed months, days and hours, and merges the shards of completed sums. */
  tidy(): Promise<void>
}

export function createCdrMonths(db: Database, clock: Clock, logger: Logger): CdrMonths {
  return {
    async makeAhead() {
      const now = clock.now()
      const ahead = Array.from({ length: MONTHS_AHEAD + 1 }, (_, months) => monthOf(now, months))
      for (const month of [...ahead, ...(await monthsWithoutPartition(db))])
        if (await createMonth(db, month)) logger.info({ month }, 'created partition for call records')
    },

    async tidy() {
      const settled = earlier(clock.now(), SETTLED_AFTER)
      for (const table of shardedTables)
        for (const at of await shardedPeriods(db, table, settled)) await mergeShards(db, table, at)
      for (const month of await listSearchableMonths(db))
        for (const wanted of indexKinds.flatMap((kind) => indexesFor(month, kind, clock.now()))) {
          if (month.indexes.some(({ name, isValid }) => isValid && name === wanted.name)) continue
          await createSearchIndex(db, month, wanted)
          logger.info({ index: wanted.name }, 'created index of call records')
        }
    },
  }
}

/**
 * A completed month is indexed completely. The current one has an index up to today, rebuilt each night, and one of the hours of today,
 * rebuilt each hour, so that new calls need no index update.
 */
function indexesFor({ name, begins, ends }: SearchableMonth, kind: IndexKind, now: Date): WantedIndex[] {
  const [today, hour] = [startOfDay(now), startOfHour(now)]
  if (today >= ends) return [{ kind, name: `${name}_${kind}`, from: null, to: null }]
  if (today < begins) return []
  const ofToday = `${name}_${kind}_${twoDigits(today.getUTCDate())}`
  return [
    ...(today > begins ? [{ kind, name: ofToday, from: null, to: today }] : []),
    ...(hour > today
      ? [{ kind, name: `${ofToday}_${twoDigits(hour.getUTCHours())}`, from: today, to: hour }]
      : []),
  ]
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** The start of a month, relative to the month of `now`. */
const monthOf = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
