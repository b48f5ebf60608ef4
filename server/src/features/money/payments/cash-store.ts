import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Received payments, read from the ledger, which also has money that matched no invoice. Each credit counts when it was booked. */
const received = sql`
  select at, kind, -amount_micros as micros
    from postings join entries on posting_id = id and account = 'payment_clearing'
   where kind in ('top_up', 'upgrade_purchase')`

/** Payments that were credited to balances in this time. */
export async function sumTopUps(db: Database, _scope: AllUsers, from: Date, to: Date): Promise<bigint> {
  const { rows } = await sql<{ micros: bigint }>`
    select coalesce(sum(micros), 0)::bigint as micros
      from (${received}) as received where kind = 'top_up' and at >= ${from} and at < ${to}`.execute(db)
  return rows[0]?.micros ?? 0n
}

type CashOfMonth = { month: string; topUpMicros: bigint; upgradeMicros: bigint; paidOutMicros: bigint }

/** The months up to and including `now` in the time zone, oldest first. */
export async function sumCashByMonth(
  db: Database,
  _scope: AllUsers,
  { count, now, timezone }: { count: number; now: Date; timezone: string },
): Promise<CashOfMonth[]> {
  type Row = { month: string; top_ups: bigint; upgrades: bigint; paid_out: bigint }
  const { rows } = await sql<Row>`
    with months as (
      select at, at at time zone ${timezone} as begins, (at + interval '1 month') at time zone ${timezone} as ends
        from (select date_trunc('month', ${now}::timestamptz at time zone ${timezone}) as this) as running,
             generate_series(this - ${count - 1} * interval '1 month', this, interval '1 month') as at)
    select to_char(months.at, 'YYYY-MM') as month,
           coalesce(top_ups, 0)::bigint as top_ups, coalesce(upgrades, 0)::bigint as upgrades, paid_out
      from months
      left join (
             select date_trunc('month', at at time zone ${timezone}) as month,
                    sum(micros) filter (where kind = 'top_up') as top_ups,
                    sum(micros) filter (where kind = 'upgrade_purchase') as upgrades
               from (${received}) as received where at >= (select min(begins) from months) group by 1) as booked
        on booked.month = months.at
     cross join lateral (
             select coalesce(sum(amount_micros), 0)::bigint as paid_out
               from refunds where destination = 'paid_out' and created_at >= begins and created_at < ends) as refunded
     order by months.at`.execute(db)
  return rows.map((row) => ({
    month: row.month,
    topUpMicros: row.top_ups,
    upgradeMicros: row.upgrades,
    paidOutMicros: row.paid_out,
  }))
}
