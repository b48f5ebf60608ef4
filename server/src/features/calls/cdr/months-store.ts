import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { FIGURES, TRUNK_FIGURES } from './insert-store.ts'

/** Creates the month's partition if it is missing; returns whether it was created. */
export async function createMonth(db: Database, moment: Date): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    // Another server may be creating a month. Waiting for it is not limited.
    await sql`select pg_advisory_xact_lock(hashtext('make_cdr_month'))`.execute(tx)
    // ATTACH PARTITION waits for long readers and blocks later ones, so it times out and is retried.
    await sql`set local lock_timeout = '2s'`.execute(tx)
    const { rows } = await sql<{ made: boolean }>`select make_cdr_month(${moment}) as made`.execute(tx)
    return rows[0]?.made ?? false
  })
}

/** Months with records in the default partition. */
export async function monthsWithoutPartition(db: Database): Promise<Date[]> {
  const { rows } = await sql<{ month: Date }>`
    select distinct date_trunc('month', started_at, 'UTC') as month from cdr_months.other order by 1`.execute(
    db,
  )
  return rows.map(({ month }) => month)
}

const SHARDED = {
  platform_hours: { period: 'hour', keys: ['hour'], figures: FIGURES },
  platform_days: { period: 'day', keys: ['day', 'country', 'route_id'], figures: FIGURES },
  trunk_days: {
    period: 'day',
    keys: ['day', 'trunk_id'],
    figures: TRUNK_FIGURES,
  },
} as const
type Sharded = keyof typeof SHARDED
export const shardedTables = Object.keys(SHARDED) as Sharded[]

/** Hours or days before the given time that still have several shards. */
export async function shardedPeriods(db: Database, table: Sharded, before: Date): Promise<Date[]> {
  const period = sql.ref(SHARDED[table].period)
  const { rows } = await sql<{ at: Date }>`
    select distinct ${period} as at from ${sql.table(table)}
     where shard <> 0 and ${period} < ${before} order by 1`.execute(db)
  return rows.map(({ at }) => at)
}

/**
 * Merges the shards of one hour or day into shard 0 in one statement, so that readers always see correct sums. It locks one period at
 * a time, which avoids deadlocks with batches that lock one shard of several periods.
 */
export async function mergeShards(db: Database, table: Sharded, at: Date): Promise<void> {
  const { period, keys, figures } = SHARDED[table]
  const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const sums = sql.join(figures.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const added = sql.join(
    figures.map(
      (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ),
  )
  await sql`
    with gone as (
      delete from ${sql.table(table)} where ${sql.ref(period)} = ${at} and shard <> 0 returning *)
    insert into ${sql.table(table)} (${list(keys)}, shard, ${list(figures)})
    select ${list(keys)}, 0, ${sums} from gone group by ${list(keys)} order by ${list(keys)}
    on conflict (${list([...keys.slice(0, 1), 'shard', ...keys.slice(1)])}) do update set ${added}`.execute(
    db,
  )
}
