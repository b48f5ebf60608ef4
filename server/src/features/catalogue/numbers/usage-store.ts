import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

export type Usage = { calls: number; missed: number; seconds: number; marginMicros: bigint }

/** Rent is booked once a month. After an outage, several periods are booked at once. */
const RECENT_PERIODS = 12

/** Incoming calls, and revenue minus cost of calls and of a month of rent, for the numbers of one page. */
export async function sumUsage(
  db: Database,
  _scope: AllUsers,
  numberIds: readonly number[],
  since: Date,
): Promise<Map<number, Usage>> {
  type Row = { id: number; calls: number; missed: number; seconds: bigint; margin_micros: bigint }
  const { rows } = await sql<Row>`
    select numbers.id, calls.calls, calls.missed, calls.seconds,
           (calls.margin_micros + rent.rent_micros - numbers.cost_monthly_micros)::bigint as margin_micros
      from numbers
     cross join lateral (
       select (count(*) filter (where status = 'completed'))::integer as calls,
              (count(*) filter (where status <> 'completed'))::integer as missed,
              coalesce(sum(seconds), 0)::bigint as seconds,
              coalesce(sum(cost_micros - buy_micros), 0) as margin_micros
         from cdrs
        where cdrs.number_id = numbers.id and cdrs.direction = 'in' and cdrs.started_at >= ${since}) as calls
     cross join lateral (
       select coalesce(sum(entries.amount_micros), 0) as rent_micros
         from number_rentals as rental
        cross join lateral (
          select 'rent:' || rental.id || ':' || period as key
            from generate_series(greatest(1, rental.periods - ${RECENT_PERIODS}::integer), rental.periods) as period
          union all select 'rent:' || rental.id || ':setup') as booked
         join postings on postings.key = booked.key and postings.at >= ${since}
         join entries on entries.posting_id = postings.id and entries.account = 'number_revenue'
        where rental.number_id = numbers.id and (rental.ended_at is null or rental.ended_at >= ${since})) as rent
     where numbers.id = any(${[...numberIds]}::integer[])`.execute(db)
  return new Map(
    rows.map(({ id, calls, missed, seconds, margin_micros }) => [
      id,
      { calls, missed, seconds: Number(seconds), marginMicros: margin_micros },
    ]),
  )
}
