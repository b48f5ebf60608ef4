import { type RawBuilder, sql } from 'kysely'
import { IS_QUEUED } from './parts-store.ts'

/** Moments, or expressions in SQL. The bounds are days in UTC; `to` is exclusive. */
type Days = { from?: unknown; to?: unknown }

/** Months that were archived by a release without figures have sums in `account_days` only. */
const FIRST = sql`coalesce((select min(day) from figure_days where dimension = 'customer'), 'infinity')`

/**
 * The totals of an account by day: from one row per day of the figures and the records that they do not include yet. `account_days` has a
 * row for each country and route of a day.
 */
export function accountDays(userId: number, { from, to }: Days): RawBuilder<unknown> {
  const within = (moment: string) => {
    const bounds = [
      ...(from === undefined ? [] : [sql`${sql.ref(moment)} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${sql.ref(moment)} < ${to}`]),
    ]
    return bounds.length > 0 ? sql.join(bounds, sql` and `) : sql`true`
  }
  return sql`
    select day, calls, completed, seconds, cost_micros, buy_micros
      from account_days where user_id = ${userId} and day < ${FIRST} and ${within('day')}
    union all
    select day, calls, answered, seconds, cost_micros, buy_micros
      from figure_days where dimension = 'customer' and key = ${String(userId)} and ${within('day')}
    union all
    select date_trunc('day', started_at, 'UTC'), 1, (status = 'completed')::integer, seconds, cost_micros, buy_micros
      from cdrs where user_id = ${userId} and started_at >= ${FIRST} and ${within('started_at')} and ${sql.raw(IS_QUEUED)}`
}
