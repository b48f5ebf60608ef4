import type { AllUsers } from '@trunkline/domain/access'
import { HEALTH_DAYS, type HealthReasonKind, healthRules } from '@trunkline/domain/health'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type HealthRow = {
  user_id: number
  spend: bigint
  spend_before: bigint
  calls: number
  failed: number
  calls_before: number
  failed_before: number
  open_tickets: number
  ticket_minutes: number | null
  available: bigint
}

/**
 * Health figures of active users from the totals of calls by day: all users, or the given ones. A list of ids reads a few
 * index entries per user; without it the query reads 14 rows per customer.
 */
export function healthFigures(now: Date, userIds: readonly number[] | null): RawBuilder<unknown> {
  const today = sql`date_trunc('day', ${now}::timestamptz, 'UTC')`
  const daysAgo = (days: number) => sql`${today} - make_interval(days => ${days})`
  const recent = sql`day >= ${daysAgo(HEALTH_DAYS)}`
  const among = (column: RawBuilder<unknown>, type: RawBuilder<unknown>) =>
    userIds === null ? sql`true` : sql`${column} = any(${[...userIds]}::${type}[])`
  return sql`
    select users.id as user_id, accounts.balance_micros - accounts.held_micros as available,
           coalesce(figures.spend, 0)::bigint as spend, coalesce(figures.spend_before, 0)::bigint as spend_before,
           coalesce(figures.calls, 0)::integer as calls, coalesce(figures.failed, 0)::integer as failed,
           coalesce(figures.calls_before, 0)::integer as calls_before,
           coalesce(figures.failed_before, 0)::integer as failed_before,
           coalesce(open.tickets, 0)::integer as open_tickets, open.minutes as ticket_minutes
      from users
      join accounts on accounts.user_id = users.id
      left join (select key::integer as user_id,
                        sum(cost_micros) filter (where ${recent}) as spend,
                        sum(cost_micros) filter (where not (${recent})) as spend_before,
                        sum(calls) filter (where ${recent}) as calls,
                        sum(calls - reached) filter (where ${recent}) as failed,
                        sum(calls) filter (where not (${recent})) as calls_before,
                        sum(calls - reached) filter (where not (${recent})) as failed_before
                   from figure_days
                  where dimension = 'customer' and key <> '' and ${among(sql`key`, sql`text`)}
                    and day >= ${daysAgo(2 * HEALTH_DAYS)} and day < ${today}
                  group by key) as figures on figures.user_id = users.id
      left join (select user_id, count(*) as tickets,
                        floor(extract(epoch from ${now}::timestamptz - min(created_at)) / 60)::integer as minutes
                   from tickets where status = 'open' and ${among(sql`user_id`, sql`integer`)}
                  group by user_id) as open on open.user_id = users.id
     where users.disabled_at is null and ${among(sql`users.id`, sql`integer`)}`
}

/** The rules of domain/health in SQL, on the columns of the figures. A test compares both. */
export const healthConditions: Readonly<Record<HealthReasonKind, RawBuilder<unknown>>> = {
  spend_fell: sql`(spend_before >= ${sql.lit(String(healthRules.leastSpendMicros))}::bigint
                   and spend * 100 <= spend_before * ${sql.lit(100 - healthRules.spendFellPercent)})`,
  calls_failing: sql`(calls >= ${sql.lit(healthRules.leastCalls)}
                      and failed::bigint * 100 >= calls::bigint * ${sql.lit(healthRules.failedPercent)})`,
  ticket_open: sql`coalesce(ticket_minutes >= ${sql.lit(healthRules.ticketMinutes)}, false)`,
  balance_low: sql`(spend > 0
                    and available * ${sql.lit(HEALTH_DAYS)} < spend * ${sql.lit(healthRules.balanceDays)})`,
}

export async function readHealth(
  db: Database,
  _scope: AllUsers,
  userIds: readonly number[],
  now: Date,
): Promise<Map<number, HealthRow>> {
  const { rows } = await sql<HealthRow>`${healthFigures(now, userIds)}`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row]))
}
