import type { AllUsers } from '@trunkline/domain/access'
import type { QuarterCount, TrunkQuality } from '@trunkline/domain/routing'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Advisory lock key. */
const JUDGE_LOCK = 7_302_043

/** One worker at a time judges trunks. */
export async function lockJudgment(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${JUDGE_LOCK})`.execute(db)
}

/** Active trunks that serve the plan in the country, or anywhere. */
export async function listServing(
  db: Database,
  planId: number,
  country: string | null,
): Promise<{ id: number; name: string }[]> {
  return await db
    .selectFrom('trunks')
    .innerJoin('trunk_plans', 'trunk_plans.trunk_id', 'trunks.id')
    .select(['trunks.id', 'trunks.name'])
    .where('plan_id', '=', planId)
    .where('status', '=', 'active')
    .where(sql<boolean>`(${country}::text is null or country is null or country = ${country})`)
    .orderBy('trunks.id')
    .execute()
}

/** Attempts of each trunk by quarter of an hour. */
export type AttemptCounts = ReadonlyMap<number, readonly QuarterCount[]>

type Counted = {
  trunkIds: readonly number[]
  country: string | null
  from: Date
  to: Date
  withLive: boolean
}

/**
 * Attempts to a country, or to all. With `withLive`, an answered call counts before it ends: otherwise failed attempts would count
 * earlier than answered ones. Failed attempts of a live call follow when it ends.
 */
export async function countAttempts(
  db: Database,
  _scope: AllUsers,
  { trunkIds, country, from, to, withLive }: Counted,
): Promise<AttemptCounts> {
  const isCounted = sql`trunk_id = any(${trunkIds}::integer[])
    and ${country === null ? sql`true` : sql`country = ${country}`}`
  const live = sql`
    union all
    select trunk_id, date_bin('15 minutes', started_at, 'epoch'), 1, 1
      from live_calls where state = 'answered' and direction = 'out' and started_at >= ${from} and ${isCounted}`
  const { rows } = await sql<{ trunk_id: number; quarter: Date; calls: number; answered: number }>`
    select trunk_id, quarter, sum(calls)::integer as calls, sum(answered)::integer as answered
      from (select trunk_id, quarter, calls, answered from trunk_quarters
             where quarter >= ${from} and quarter < ${to} and ${isCounted} ${withLive ? live : sql``}) as tried
     group by 1, 2 order by 2`.execute(db)
  const byTrunk = Map.groupBy(rows, ({ trunk_id }) => trunk_id)
  return new Map(
    [...byTrunk].map(([id, counts]) => [
      id,
      counts.map(({ quarter, calls, answered }) => ({ quarter: quarter.getTime(), calls, answered })),
    ]),
  )
}

export async function forgetAttempts(db: Database, _scope: AllUsers, before: Date): Promise<void> {
  await db.deleteFrom('trunk_quarters').where('quarter', '<', before).execute()
}

export type StateRow = Selectable<Tables['routing_states']>

export const qualityOf = (row: StateRow): TrunkQuality => ({
  demotedSince: row.demoted_since?.getTime() ?? null,
  returnsAt: row.returns_at?.getTime() ?? null,
  seen: { calls: row.seen_calls, answered: row.seen_answered },
  cause: row.cause_calls === null ? null : { calls: row.cause_calls, answered: row.cause_answered ?? 0 },
  mark:
    row.mark_quarter === null
      ? null
      : {
          quarter: row.mark_quarter.getTime(),
          calls: row.mark_calls ?? 0,
          answered: row.mark_answered ?? 0,
        },
})

export async function saveState(
  db: Database,
  key: { rule_id: number; trunk_id: number },
  { demotedSince, returnsAt, seen, cause, mark }: TrunkQuality,
  now: Date,
): Promise<void> {
  const dateOf = (at: number | null | undefined) => (at == null ? null : new Date(at))
  const row = {
    demoted_since: dateOf(demotedSince),
    returns_at: dateOf(returnsAt),
    cause_calls: cause?.calls ?? null,
    cause_answered: cause?.answered ?? null,
    seen_calls: seen.calls,
    seen_answered: seen.answered,
    mark_quarter: dateOf(mark?.quarter),
    mark_calls: mark?.calls ?? null,
    mark_answered: mark?.answered ?? null,
    judged_at: now,
  }
  await db
    .insertInto('routing_states')
    .values({ ...key, ...row })
    .onConflict((conflict) => conflict.columns(['rule_id', 'trunk_id']).doUpdateSet(row))
    .execute()
}

export async function deleteState(db: Database, ruleId: number, trunkId: number): Promise<void> {
  await db
    .deleteFrom('routing_states')
    .where('rule_id', '=', ruleId)
    .where('trunk_id', '=', trunkId)
    .execute()
}
