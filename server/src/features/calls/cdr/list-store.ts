import type { Owner } from '@trunkline/domain/access'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { DAY, earlier, startOfDay } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type CdrFilter, hasDigitRuns, matchesFilter, needsNightlyIndex } from './filter-store.ts'

export type CdrRow = Selectable<Tables['cdrs']> & { username: string | null }

/** A cursor: the start time and the call ID of a record. */
export type CdrKey = { startedAt: Date; callId: string }

type CdrPage = {
  /** The cursor of the next page. */
  after?: CdrKey | undefined
  limit: number
  now: Date
}

const columns = sql`cdrs.*, (select username from users where users.id = cdrs.user_id) as username`

/** The first period to search: two or three partitions, whatever the total. */
const NEAR = 40 * DAY

/** Newest first, with keyset pagination: the cost does not depend on the depth. */
export async function listCdrs(
  db: Database,
  owner: Owner,
  filter: CdrFilter,
  { after, limit, now }: CdrPage,
): Promise<CdrRow[]> {
  const rows: CdrRow[] = []
  for (const period of periodsOf(filter, after, now)) {
    const isIndexed = period.to !== undefined && period.to <= startOfDay(now)
    const part = { ...filter, ...period }
    const matches = sql`${matchesFilter(owner, part)} and ${isIndexed ? hasDigitRuns(part) : sql`true`}`
    rows.push(...(await readPage(db, matches, after, limit - rows.length)))
    if (rows.length === limit) break
  }
  return rows
}

/** Splits the period, newest part first; most pages need only one part. Nightly indexes cover the time before today (months.ts). */
function periodsOf(filter: CdrFilter, after: CdrKey | undefined, now: Date) {
  const { from, to } = filter
  const given = [now, to, after?.startedAt].filter((moment) => moment !== undefined)
  const top = new Date(Math.min(...given.map((moment) => moment.getTime())))
  const cuts = [...(needsNightlyIndex(filter) ? [startOfDay(now)] : []), earlier(top, NEAR)].filter(
    (cut) => cut <= top && (from === undefined || cut > from),
  )
  return [to, ...cuts].map((newest, index) => ({ from: cuts[index] ?? from, to: newest }))
}

async function readPage(
  db: Database,
  matches: RawBuilder<unknown>,
  after: CdrKey | undefined,
  limit: number,
): Promise<CdrRow[]> {
  // The first condition is redundant, but lets PostgreSQL skip partitions.
  const isAfter = after
    ? sql`started_at <= ${after.startedAt} and (started_at, call_id) < (${after.startedAt}, ${after.callId})`
    : sql`true`
  const { rows } = await sql<CdrRow>`
    select ${columns} from cdrs where ${matches} and ${isAfter}
     order by started_at desc, call_id desc limit ${limit}`.execute(db)
  return rows
}

export async function findCdr(
  db: Database,
  owner: Owner,
  { startedAt, callId }: CdrKey,
): Promise<CdrRow | undefined> {
  const { rows } = await sql<CdrRow>`
    select ${columns} from cdrs
     where started_at = ${startedAt} and call_id = ${callId} and ${matchesFilter(owner, {})}`.execute(db)
  return rows[0]
}
