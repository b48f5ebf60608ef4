import type { AllUsers } from '@trunkline/domain/access'
import { type Micros, micros } from '@trunkline/domain/money'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

type Question = { today: Date; since: Date; percent: number; leastMicros: bigint }
/** `usualMicros`: average of a day with calls; null if there was none. */
type Spender = { userId: number; spentMicros: Micros; usualMicros: Micros | null }

/** Advisory lock key. */
const CHECK_LOCK = 7_302_011

/** Accounts without an alert today. Reads today's sums, and earlier sums only for accounts above the threshold. */
export async function findUnusualSpenders(
  db: Database,
  _scope: AllUsers,
  { today, since, percent, leastMicros }: Question,
): Promise<Spender[]> {
  // The lock prevents two concurrent checks from raising the same alert.
  await sql`select pg_advisory_xact_lock(${CHECK_LOCK})`.execute(db)
  type Row = { user_id: number; spent_micros: bigint; usual_micros: bigint | null }
  const { rows } = await sql<Row>`
    with today as (
      select user_id, sum(cost_micros)::bigint as spent_micros
        from account_days where day = ${today}
       group by user_id having sum(cost_micros) >= ${leastMicros})
    select today.user_id, spent_micros, usual_micros
      from today
      join users on users.id = today.user_id
     cross join lateral (
       select (sum(cost_micros) / count(distinct day))::bigint as usual_micros
         from account_days
        where account_days.user_id = today.user_id and day >= ${since} and day < ${today} and cost_micros > 0) as before
     where spent_micros * 100 >= coalesce(usual_micros, 0) * ${percent}::bigint
       and not exists (
         select from alerts
          where alerts.user_id = today.user_id and kind = 'unusual_spend' and last_at >= ${today})
     order by today.user_id`.execute(db)
  return rows.map((row) => ({
    userId: row.user_id,
    spentMicros: micros(row.spent_micros),
    usualMicros: row.usual_micros === null ? null : micros(row.usual_micros),
  }))
}
