import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { CallStatus } from '@trunkline/domain/callcontrol'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { accountDays } from '../figures/account-days-store.ts'
import { figureParts, IS_QUEUED } from '../figures/parts-store.ts'
import type { Span } from '../figures/pieces.ts'
import { type CdrFilter, matchesFilter, startsWith } from './filter-store.ts'

export type Totals = {
  calls: number
  completed: number
  seconds: number
  costMicros: bigint
  isCapped: boolean
}

type Row = { calls: number; completed: number; seconds: bigint; cost_micros: bigint; is_capped: boolean }

const read = (row: Row | undefined): Totals => ({
  calls: row?.calls ?? 0,
  completed: row?.completed ?? 0,
  seconds: Number(row?.seconds ?? 0n),
  costMicros: row?.cost_micros ?? 0n,
  isCapped: row?.is_capped ?? false,
})

/** Totals from the records; covers only the newest `most` matches. */
export async function sumRecords(
  db: Database,
  owner: Owner,
  filter: CdrFilter,
  most: number,
  isIndexed = false,
): Promise<Totals> {
  const { rows } = await sql<Row>`
    select (count(*) filter (where place <= ${most}))::integer as calls,
           (count(*) filter (where place <= ${most} and status = 'completed'))::integer as completed,
           coalesce(sum(seconds) filter (where place <= ${most}), 0)::bigint as seconds,
           coalesce(sum(cost_micros) filter (where place <= ${most}), 0)::bigint as cost_micros,
           count(*) > ${most} as is_capped
      from (select status, seconds, cost_micros, row_number() over () as place
              from (select status, seconds, cost_micros from cdrs where ${matchesFilter(owner, filter, isIndexed)}
                     order by started_at desc limit ${most + 1}) as newest) as numbered`.execute(db)
  return read(rows[0])
}

/** The callers whose number starts with these digits. The weeks have every caller. */
const callersLike = (callerId: string): RawBuilder<unknown> =>
  sql`from figure_weeks where dimension = 'caller' and ${startsWith('(key collate "C")', callerId, ':')}`

/** Whether the figures of these callers are at most `most` rows per step. */
export async function areFewCallers(
  db: Database,
  _scope: AllUsers,
  callerId: string,
  most: number,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select ${callersLike(callerId)} limit ${most + 1}) as matching`.execute(
    db,
  )
  return (rows[0]?.count ?? 0) <= most
}

/** Totals of callers from the figures of the analysis and the records that they do not include yet. Whole quarters of an hour. */
export async function sumCallers(
  db: Database,
  scope: AllUsers,
  callerId: string,
  span: Span,
  now: Date,
): Promise<Totals> {
  const keys = sql`array(select distinct key ${callersLike(callerId)})`
  const { rows } = await sql<Row>`
    select coalesce(sum(calls), 0)::integer as calls, coalesce(sum(answered), 0)::integer as completed,
           coalesce(sum(seconds), 0)::bigint as seconds, coalesce(sum(cost_micros), 0)::bigint as cost_micros, false as is_capped
      from (select calls, answered, seconds, cost_micros from (${figureParts(span, { by: 'caller', keys, now })}) as parts
            union all
            select 1, (status = 'completed')::integer, seconds, cost_micros from cdrs
             where ${matchesFilter(scope, { callerId, ...span })} and ${sql.raw(IS_QUEUED)}) as calls`.execute(
    db,
  )
  return read(rows[0])
}

type WholePeriod = Pick<CdrFilter, 'userId' | 'status' | 'country' | 'routeId' | 'from' | 'to'>

const COLUMNS: Readonly<Record<CallStatus, string>> = {
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  cancelled: 'cancelled',
  failed: 'failed',
  refused: 'refused',
}

/** The only account of the period. Null if the totals are of all accounts, or of none. */
const accountOf = (owner: Owner, { userId }: WholePeriod): number | null =>
  owner.userId !== null && userId !== undefined && userId !== owner.userId
    ? null
    : (owner.userId ?? userId ?? null)

async function sumAccountDays(db: Database, userId: number, { from, to }: WholePeriod): Promise<Totals> {
  const { rows } = await sql<Row>`
    select coalesce(sum(calls), 0)::integer as calls, coalesce(sum(completed), 0)::integer as completed,
           coalesce(sum(seconds), 0)::bigint as seconds, coalesce(sum(cost_micros), 0)::bigint as cost_micros, false as is_capped
      from (${accountDays(userId, { from, to })}) as days`.execute(db)
  return read(rows[0])
}

/**
 * Totals from the sums, for a period of whole days or hours; by country or route only for days. Only completed calls have a duration and a
 * cost.
 */
export async function sumWholePeriod(
  db: Database,
  owner: Owner,
  step: 'day' | 'hour',
  period: WholePeriod,
): Promise<Totals> {
  const { status, country, routeId, from, to } = period
  const account = accountOf(owner, period)
  if (step === 'day' && account !== null && !(status || country || routeId !== undefined))
    return await sumAccountDays(db, account, period)
  const isPlatform = owner.userId === null && period.userId === undefined
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (owner.userId !== null) conditions.push(sql`user_id = ${owner.userId}`)
  if (period.userId !== undefined) conditions.push(sql`user_id = ${period.userId}`)
  if (country !== undefined) conditions.push(sql`country = ${country}`)
  if (routeId !== undefined) conditions.push(sql`route_id = ${routeId}`)
  if (from) conditions.push(sql`${sql.ref(step)} >= ${from}`)
  if (to) conditions.push(sql`${sql.ref(step)} < ${to}`)
  const hasTalk = status === undefined || status === 'completed'
  const talk = (column: string) =>
    hasTalk ? sql`coalesce(sum(${sql.ref(column)}), 0)::bigint` : sql`0::bigint`
  const { rows } = await sql<Row>`
    select coalesce(sum(${sql.ref(status ? COLUMNS[status] : 'calls')}), 0)::integer as calls,
           ${hasTalk ? sql`coalesce(sum(completed), 0)::integer` : sql`0`} as completed,
           ${talk('seconds')} as seconds, ${talk('cost_micros')} as cost_micros, false as is_capped
      from ${sql.table(`${isPlatform ? 'platform' : 'account'}_${step}s`)}
     where ${sql.join(conditions, sql` and `)}`.execute(db)
  return read(rows[0])
}
