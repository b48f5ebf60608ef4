import { type Owner, seesAllUsers } from '@trunkline/domain/access'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { ALL_TIME } from '../figures/pieces.ts'
import { type CdrFilter, indexCuts } from './filter-store.ts'
import { areFewCallers, sumCallers, sumRecords, sumWholePeriod, type Totals } from './totals-store.ts'

/** Maximum number of records to sum in each part of the period. */
const MAX_RECORDS = 20_000
/** A short beginning of a caller ID can match more figures than the records that are summed otherwise. */
const MAX_CALLER_WEEKS = 20_000

export type TimePeriod = { from?: Date | undefined; to?: Date | undefined }
/** Splits a period into whole days and hours, answered from sums, and the rest, answered from records. */
export type Parts = { days: TimePeriod[]; hours: TimePeriod[]; records: TimePeriod[] }

export function partsOf(filter: CdrFilter, now: Date): Parts {
  const { from, to, country, routeId, ...others } = filter
  if (!isSummed(others)) return { days: [], hours: [], records: cutAt({ from, to }, indexCuts(filter, now)) }
  const byDay = splitPeriod({ from, to }, DAY)
  // Sums by country and route exist only for days.
  if (country !== undefined || routeId !== undefined)
    return { days: byDay.whole, hours: [], records: byDay.edges }
  const byHour = byDay.edges.map((edge) => splitPeriod(edge, HOUR))
  return {
    days: byDay.whole,
    hours: byHour.flatMap(({ whole }) => whole),
    records: byHour.flatMap(({ edges }) => edges),
  }
}

/** Sums exist by user and status. */
const isSummed = ({ userId: _userId, status: _status, search, ...others }: CdrFilter): boolean =>
  !search && Object.values(others).every((value) => value === undefined)

/** The whole steps of a period, and the parts before and after them. */
export function splitPeriod(
  { from, to }: TimePeriod,
  step: number,
): { whole: TimePeriod[]; edges: TimePeriod[] } {
  const first = from && new Date(Math.ceil(from.getTime() / step) * step)
  const last = to && new Date(Math.floor(to.getTime() / step) * step)
  if (first && last && first >= last) return { whole: [], edges: [{ from, to }] }
  return {
    whole: [{ from: first, to: last }],
    edges: [
      ...(from && first && from < first ? [{ from, to: first }] : []),
      ...(to && last && last < to ? [{ from: last, to }] : []),
    ],
  }
}

/** Newest part first. */
function cutAt({ from, to }: TimePeriod, moments: readonly Date[]): TimePeriod[] {
  const cuts = moments.filter((cut) => (!from || cut > from) && (!to || cut < to))
  return [to, ...cuts].map((newest, index) => ({ from: cuts[index] ?? from, to: newest }))
}

export async function addUp(db: Database, owner: Owner, filter: CdrFilter, now: Date): Promise<Totals> {
  const ofCallers = await addUpCallers(db, owner, filter, now)
  if (ofCallers) return ofCallers
  const { days, hours, records } = partsOf(filter, now)
  const [lastIndexed] = indexCuts(filter, now)
  const isIndexed = ({ to }: TimePeriod) => to !== undefined && lastIndexed !== undefined && to <= lastIndexed
  const sums = await Promise.all([
    ...days.map((period) => sumWholePeriod(db, owner, 'day', { ...filter, ...period })),
    ...hours.map((period) => sumWholePeriod(db, owner, 'hour', { ...filter, ...period })),
    ...records.map((period) =>
      sumRecords(db, owner, { ...filter, ...period }, MAX_RECORDS, isIndexed(period)),
    ),
  ])
  return sums.reduce(add)
}

/** The figures of the analysis have every caller, but nothing else. Null if they do not help. */
async function addUpCallers(
  db: Database,
  owner: Owner,
  filter: CdrFilter,
  now: Date,
): Promise<Totals | null> {
  const { callerId, from, to, ...others } = filter
  const isOnlyCaller = Object.values(others).every((value) => value === undefined || value === '')
  if (!(callerId && isOnlyCaller && seesAllUsers(owner))) return null
  if (!(await areFewCallers(db, owner, callerId, MAX_CALLER_WEEKS))) return null
  const { whole, edges } = splitPeriod({ from, to }, 15 * MINUTE)
  const sums = await Promise.all([
    ...whole.map((period) =>
      sumCallers(
        db,
        owner,
        callerId,
        { from: period.from ?? ALL_TIME.from, to: period.to ?? ALL_TIME.to },
        now,
      ),
    ),
    ...edges.map((period) => sumRecords(db, owner, { callerId, ...period }, MAX_RECORDS)),
  ])
  return sums.reduce(add)
}

const add = (left: Totals, right: Totals): Totals => ({
  calls: left.calls + right.calls,
  completed: left.completed + right.completed,
  seconds: left.seconds + right.seconds,
  costMicros: left.costMicros + right.costMicros,
  isCapped: left.isCapped || right.isCapped,
})
