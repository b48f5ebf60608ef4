import type { Owner } from '@trunkline/domain/access'
import { INTERNAL_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { MAX_CALL_SECONDS } from '@trunkline/domain/rating'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { DAY, earlier, later, MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type CdrFilter, indexCuts, matchesFilter } from './filter-store.ts'

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
    const matches = matchesFilter(owner, { ...filter, ...period }, period.isIndexed)
    rows.push(...(await readPage(db, matches, after, limit - rows.length)))
    if (rows.length === limit) break
  }
  return rows
}

/** Splits the period, newest part first; most pages need only one part. */
function periodsOf(filter: CdrFilter, after: CdrKey | undefined, now: Date) {
  const { from } = filter
  // Times have milliseconds, and the next page may begin with the same one.
  const to = after && after.startedAt < (filter.to ?? now) ? later(after.startedAt, 1) : filter.to
  const top = to && to < now ? to : now
  const indexed = indexCuts(filter, now)
  const cuts = [...indexed, earlier(top, NEAR)].filter(
    (cut) => cut < top && (from === undefined || cut > from),
  )
  return [to, ...cuts].map((newest, index) => ({
    from: cuts[index] ?? from,
    to: newest,
    isIndexed: newest !== undefined && indexed[0] !== undefined && newest <= indexed[0],
  }))
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

/** The next leg is requested within this time after the start of the leg before it. A flow may let callers wait. */
const LEG_WITHIN = 60 * MINUTE

/** The other leg of the same customer: the one before, or the one that it requested. Administrators see all legs. */
export async function findLinked(
  db: Database,
  owner: Owner,
  { call_id, parent_call_id, direction, route_id, started_at }: CdrRow,
): Promise<CdrKey | null> {
  const hasLegs = parent_call_id !== null || direction === 'in' || route_id === INTERNAL_ROUTE_ID
  if (!hasLegs) return null
  const near = sql`started_at between ${earlier(started_at, LEG_WITHIN)} and ${later(started_at, LEG_WITHIN)}`
  const { rows } = await sql<{ started_at: Date; call_id: string }>`
    select started_at, call_id from cdrs
     where ${near} and ${matchesFilter(owner, {})}
       and (call_id = ${parent_call_id} or parent_call_id = ${call_id})
     order by call_id = ${parent_call_id} desc nulls last, started_at limit 1`.execute(db)
  const [row] = rows
  return row ? { startedAt: row.started_at, callId: row.call_id } : null
}

type SettledCall = { callId: string; settledAt: Date }

/** A call settles when it ends; the clocks of the switch and of call control may differ by an hour. */
const CLOCKS_DIFFER = 60 * MINUTE
const SETTLED_WITHIN = MAX_CALL_SECONDS * SECOND + CLOCKS_DIFFER

/** The records of settled calls of a customer. Their start is not known, so the search covers the longest call before them. */
export async function findSettled(
  db: Database,
  owner: Owner,
  userId: number,
  calls: readonly SettledCall[],
): Promise<CdrRow[]> {
  if (calls.length === 0) return []
  const times = calls.map(({ settledAt }) => settledAt.getTime())
  const from = earlier(new Date(Math.min(...times)), SETTLED_WITHIN)
  const to = later(new Date(Math.max(...times)), CLOCKS_DIFFER)
  const { rows } = await sql<CdrRow>`
    select ${columns} from cdrs
     where ${matchesFilter(owner, { userId, from, to })}
       and call_id = any(${calls.map(({ callId }) => callId)}::text[])`.execute(db)
  return rows
}

const MAX_LEGS = 100

/** Legs of the same customer that a call requested, in order of their start. */
export async function findLegs(
  db: Database,
  owner: Owner,
  { call_id, started_at, ended_at }: CdrRow,
): Promise<CdrRow[]> {
  const { rows } = await sql<CdrRow>`
    select ${columns} from cdrs
     where started_at between ${started_at} and ${later(ended_at, MINUTE)}
       and ${matchesFilter(owner, {})} and parent_call_id = ${call_id}
     order by started_at, call_id limit ${MAX_LEGS}`.execute(db)
  return rows
}
