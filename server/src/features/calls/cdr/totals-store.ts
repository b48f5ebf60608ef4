import type { Owner } from '@trunkline/domain/access'
import type { CallStatus } from '@trunkline/domain/callcontrol'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { type CdrFilter, matchesFilter } from './filter-store.ts'

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

type WholePeriod = Pick<CdrFilter, 'userId' | 'status' | 'country' | 'routeId' | 'from' | 'to'>

const COLUMNS: Readonly<Record<CallStatus, string>> = {
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  cancelled: 'cancelled',
  failed: 'failed',
  refused: 'refused',
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
