import type { Database } from '@trunkline/server/platform/database'
import { sql } from 'kysely'

/** Generates users and payments in SQL, including the rows that triggers and postings would write. */

export const PAYMENTS_PER_USER = 5
/** Users of one company, constant for all sizes, so that a search always finds the same number. */
export const PER_COMPANY = 20
/** Payments per statement, so that no statement takes minutes. */
const AT_ONCE = 250_000

export async function fillUsers(db: Database, users: number, now: Date): Promise<void> {
  await sql`set statement_timeout = 0`.execute(db)
  // Row triggers would dominate the run time; their results are written below.
  await sql`set session_replication_role = replica`.execute(db)
  await sql`
    insert into users (username, email, company, country, password_hash, is_premium, is_admin, disabled_at, created_at)
    select substr(md5('name' || n), 1, 6) || n, substr(md5('mail' || n), 1, 8) || '@customers.example',
           'Company ' || substr(md5((n / ${PER_COMPANY}::integer)::text), 1, 10) || ' Ltd',
           (array['Germany', 'France', 'India', 'Canada', 'Australia'])[1 + n % 5], '',
           n % 20 = 0, n = 1, case when n % 500 = 7 then ${now}::timestamptz end,
           ${now}::timestamptz - (${users}::integer - n) * interval '1 minute'
      from generate_series(1, ${users}::integer) as n`.execute(db)
  await sql`
    insert into accounts (user_id, balance_micros)
    select id, floor(random() * 500000000)::bigint from users order by id`.execute(db)
  await sql`
    insert into balance_order (user_id, balance_micros) select user_id, balance_micros from accounts`.execute(
    db,
  )
  await sql`update user_totals set users = (select count(*) from users) where shard = 0`.execute(db)
  await sql`
    insert into known_addresses (user_id, address, last_used_at)
    select id, '192.0.2.' || id % 250, ${now}::timestamptz - random() * interval '60 days'
      from users where id % 2 = 0`.execute(db)
  for (let from = 1; from <= users * PAYMENTS_PER_USER; from += AT_ONCE)
    await fillPayments(db, users, from, now)
  await sql`
    update payment_totals set (paid_micros, payments) =
      (select coalesce(sum(paid_micros), 0), count(*) from invoices where is_credited) where shard = 0`.execute(
    db,
  )
  await sql`set session_replication_role = default`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** Seven of ten payments are completed; the others are pending, failed or in review. */
async function fillPayments(db: Database, users: number, from: number, now: Date): Promise<void> {
  const all = users * PAYMENTS_PER_USER
  await sql`
    with invoiced as (
      insert into invoices (user_id, kind, order_id, track_id, amount_micros, state, is_credited, paid_micros, credited_micros,
                            open_reviews, created_at, paid_at)
      select user_id, 'topup', 'ORD-' || user_id || '-' || n, (100000000 + n)::text, amount, state, state = 'paid',
             case when state = 'paid' then amount else 0 end, case when state = 'paid' then amount else 0 end,
             case when n % 5000 = 3 then 1 else 0 end, at, case when state = 'paid' then at end
        from (select n, 1 + floor(random() * ${users}::integer)::integer as user_id,
                     10000 * (1 + floor(random() * 999999))::bigint as amount,
                     case when n % 10 < 7 then 'paid' when n % 10 < 9 then 'expired' else 'waiting' end as state,
                     ${now}::timestamptz - (${all}::integer - n) * (365 * interval '1 day' / ${all}::integer) as at
                from generate_series(${from}::integer, ${Math.min(all, from + AT_ONCE - 1)}::integer) as n
              offset 0) as made
      returning user_id, order_id, paid_micros, paid_at),
    posted as (
      insert into postings (key, fingerprint, kind, user_id, reference, at, balance_after_micros)
      select 'credit:' || order_id, 'generated', 'top_up', user_id, order_id, paid_at, paid_micros from invoiced where paid_micros > 0
      returning id, user_id, balance_after_micros as micros)
    insert into entries (posting_id, account, amount_micros)
    select id, account, amount_micros
      from posted cross join lateral (values ('customer:' || user_id, micros), ('payment_clearing', -micros)) as side (account, amount_micros)`.execute(
    db,
  )
}
