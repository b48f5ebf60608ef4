/**
 * The statements of the ledger, one round trip each. The leading comment is the name of the prepared statement
 * (platform/database.ts).
 *
 * All statements lock rows in the same order: holds by id, then accounts by user. They lock a row first and decide by the
 * locked version. They write complete rows from the locked version: for `held_micros + ...` PostgreSQL would first evaluate
 * the snapshot version, whose CHECK can fail although the current values are valid.
 * No hold is changed before all accounts are locked (CLOSE_HOLDS forces this by reading the count of `charged`). A repeated
 * placement locks the account and waits for a hold that is being changed, but not for one that is only locked.
 * Rows that do not qualify are not returned. No statement fails on a duplicate, because a failure would roll back the
 * caller's transaction.
 *
 * `cross join lateral (... for no key update)` finds rows by key, one by one. With a plain join, a plan cached while the table
 * was empty would scan the whole table until statistics are updated.
 *
 * `unnest((select $1))` hides the length of a list from the planner. Otherwise PostgreSQL prefers a custom plan and plans each
 * placement again: 1.03 ms instead of 0.67 ms.
 */

/**
 * $1 hold ids in order, $2 users, $3 amounts, $4 now. CTEs for statements that use the placed holds in `placed` (hold_id,
 * user_id, amount_micros) in the same round trip.
 */
export const PLACING = `asked as (
  select * from unnest((select $1::text[]), (select $2::integer[]), (select $3::bigint[])) with ordinality as asked (hold_id, user_id, micros, place)),
locked as (
  select a.user_id, a.balance_micros, a.held_micros, a.balance_micros - a.held_micros as available_micros
    from (select distinct user_id from asked order by user_id) as u
   cross join lateral (select * from accounts where accounts.user_id = u.user_id for no key update) as a),
queued as (
  select hold_id, user_id, micros, available_micros,
         sum(micros) over (partition by user_id order by place) as queued_micros
    from asked join locked using (user_id)),
placed as (
  insert into holds (hold_id, user_id, placed_micros, amount_micros, status, settled_micros, placed_at)
  select hold_id, user_id, micros, micros, 'open', 0, $4::timestamptz
    from queued where queued_micros <= available_micros order by hold_id
  on conflict (hold_id) do nothing
  returning hold_id, user_id, amount_micros),
taken as (
  update accounts
     set balance_micros = locked.balance_micros, held_micros = locked.held_micros + total.micros
    from (select user_id, sum(amount_micros)::bigint as micros from placed group by user_id) as total
    join locked using (user_id)
   where accounts.user_id = locked.user_id)`

/** $1 to $4 as above. Returns the ids of the placed holds. */
export const PLACE_HOLDS = `/* ledger_place_holds */
with ${PLACING}
select hold_id from placed`

/** $1 hold ids in order, $2 totals, $3 owner of the holds (null for all). Returns the extended holds. */
export const EXTEND_HOLDS = `/* ledger_extend_holds */
with asked as (
  select * from unnest((select $1::text[]), (select $2::bigint[])) with ordinality as asked (hold_id, to_micros, place)),
found as (
  select h.hold_id, h.user_id, h.status, asked.to_micros, asked.to_micros - h.amount_micros as more_micros, place
    from asked
   cross join lateral (select * from holds where holds.hold_id = asked.hold_id for no key update) as h),
wanted as (
  select * from found
   where status = 'open' and more_micros > 0 and ($3::integer is null or user_id = $3::integer)),
locked as (
  select a.user_id, a.balance_micros, a.held_micros, a.balance_micros - a.held_micros as available_micros
    from (select distinct user_id from wanted order by user_id) as u
   cross join lateral (select * from accounts where accounts.user_id = u.user_id for no key update) as a),
queued as (
  select hold_id, user_id, to_micros, more_micros, available_micros,
         sum(more_micros) over (partition by user_id order by place) as queued_micros
    from wanted join locked using (user_id)),
covered as (
  select * from queued where queued_micros <= available_micros),
taken as (
  update accounts
     set balance_micros = locked.balance_micros, held_micros = locked.held_micros + total.micros
    from (select user_id, sum(more_micros)::bigint as micros from covered group by user_id) as total
    join locked using (user_id)
   where accounts.user_id = locked.user_id)
update holds set amount_micros = covered.to_micros from covered
 where holds.hold_id = covered.hold_id
returning holds.*`

/**
 * Settles, or releases if the cost is null. $1 hold ids in order, $2 costs, $3 owner of the holds, $4 now. Returns the
 * closed holds.
 */
export const CLOSE_HOLDS = `/* ledger_close_holds */
with asked as (
  select * from unnest((select $1::text[]), (select $2::bigint[])) with ordinality as asked (hold_id, cost_micros, place)),
found as (
  select h.hold_id, h.user_id, h.status, h.amount_micros, asked.cost_micros, place
    from asked
   cross join lateral (select * from holds where holds.hold_id = asked.hold_id for no key update) as h),
closing as (
  select * from found
   where status = 'open' and coalesce(cost_micros, 0) between 0 and amount_micros
     and ($3::integer is null or user_id = $3::integer)),
bills as (
  select user_id, sum(coalesce(cost_micros, 0))::bigint as cost_micros, sum(amount_micros)::bigint as held_micros
    from closing group by user_id),
locked as (
  select a.user_id, a.balance_micros, a.held_micros
    from (select user_id from bills order by user_id) as u
   cross join lateral (select * from accounts where accounts.user_id = u.user_id for no key update) as a),
charged as (
  update accounts
     set balance_micros = locked.balance_micros - bills.cost_micros,
         held_micros = locked.held_micros - bills.held_micros
    from bills join locked using (user_id)
   where accounts.user_id = locked.user_id
  returning locked.user_id, locked.balance_micros as balance_before_micros),
posted as (
  insert into postings (key, kind, user_id, reference, at, balance_after_micros)
  select 'settle:' || hold_id, 'call_settlement', user_id, hold_id, $4::timestamptz,
         balance_before_micros - sum(cost_micros) over (partition by user_id order by place)
    from closing join charged using (user_id)
   where cost_micros > 0 order by user_id, place
  returning id, user_id, reference),
entered as (
  insert into entries (posting_id, account, amount_micros)
  select posted.id, side.account, side.amount_micros
    from posted join closing on closing.hold_id = posted.reference
   cross join lateral (values ('customer:' || posted.user_id, -closing.cost_micros),
                              ('call_revenue', closing.cost_micros)) as side (account, amount_micros))
update holds
   set status = case when closing.cost_micros is null then 'released' else 'settled' end,
       settled_micros = coalesce(closing.cost_micros, 0),
       amount_micros = closing.amount_micros,
       closed_at = $4::timestamptz
  from closing where holds.hold_id = closing.hold_id and (select count(*) from charged) > 0
returning holds.*`

/**
 * One posting with all its entries. $1 key, $2 fingerprint, $3 kind, $4 user, $5 reference, $6 reason, $7 created by,
 * $8 now, $9 change of the balance, $10 and $11 accounts and amounts. Returns the id and the balance after it.
 */
export const POST = `/* ledger_post */
with locked as (
  select user_id, balance_micros, held_micros, balance_micros - held_micros as available_micros
    from accounts where user_id = $4::integer for no key update),
posted as (
  insert into postings (key, fingerprint, kind, user_id, reference, reason, created_by, at, balance_after_micros)
  select $1::text, $2::text, $3::text, user_id, $5::text, $6::text, $7::integer, $8::timestamptz, balance_micros + $9::bigint
    from locked where available_micros + $9::bigint >= 0
  on conflict (key) do nothing
  returning id, user_id, balance_after_micros),
moved as (
  update accounts set balance_micros = posted.balance_after_micros, held_micros = locked.held_micros
    from posted join locked using (user_id)
   where accounts.user_id = locked.user_id and $9::bigint <> 0),
entered as (
  insert into entries (posting_id, account, amount_micros)
  select posted.id, side.account, side.amount_micros
    from posted cross join unnest((select $10::text[]), (select $11::bigint[])) as side (account, amount_micros))
select id, balance_after_micros from posted`

/** $1 hold ids, $2 user of a new hold (null for the user of the hold). Returns a row for each id, found or not. */
export const VIEW_HOLDS = `/* ledger_view_holds */
select asked.hold_id as asked_id, h.*, a.user_id as account_user_id, a.balance_micros, a.held_micros
  from unnest((select $1::text[]), (select $2::integer[])) as asked (hold_id, user_id)
  left join lateral (select * from holds where holds.hold_id = asked.hold_id offset 0) as h on true
  left join lateral (
    select * from accounts where accounts.user_id = coalesce(asked.user_id, h.user_id) offset 0) as a on true`
