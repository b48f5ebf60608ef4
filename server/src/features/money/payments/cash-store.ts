import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Money received for top-ups that were paid in this time. */
export async function sumTopUps(db: Database, _scope: AllUsers, from: Date, to: Date): Promise<bigint> {
  const { paid } = await db
    .selectFrom('invoices')
    .select(sql<bigint>`coalesce(sum(paid_micros), 0)::bigint`.as('paid'))
    .where('kind', '=', 'topup')
    .where('paid_at', '>=', from)
    .where('paid_at', '<', to)
    .executeTakeFirstOrThrow()
  return paid
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
    select to_char(at, 'YYYY-MM') as month, received.*, refunded.*
      from months
     cross join lateral (
             select coalesce(sum(paid_micros) filter (where kind = 'topup'), 0)::bigint as top_ups,
                    coalesce(sum(paid_micros) filter (where kind = 'upgrade'), 0)::bigint as upgrades
               from invoices where paid_at >= begins and paid_at < ends) as received
     cross join lateral (
             select coalesce(sum(amount_micros), 0)::bigint as paid_out
               from refunds where destination = 'paid_out' and created_at >= begins and created_at < ends) as refunded
     order by at`.execute(db)
  return rows.map((row) => ({
    month: row.month,
    topUpMicros: row.top_ups,
    upgradeMicros: row.upgrades,
    paidOutMicros: row.paid_out,
  }))
}
