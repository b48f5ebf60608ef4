/**
 * The statements of the ledger, one round trip each. The comment in front is the name they are prepared under
 * (platform/database.ts).
 *
 * Rows are locked in one order everywhere: holds by id, then accounts by user. A row is locked first and judged
 * afterwards, by the version that the lock returned, so nothing is decided on a figure that somebody else is changing.
 * A row is written whole, all figures from the locked version: written as `held_micros + ...`, PostgreSQL would first try the
 * change on the version its snapshot knows, and its CHECK would refuse what the true figures allow.
 * No hold is changed before all accounts are locked (in CLOSE_HOLDS by asking for the count of `charged`): a placing that is
 * repeated owns the account and waits for a hold that is being changed, though not for one that is only locked.
 * What does not qualify simply gives no row back, and no statement here can fail on a duplicate: a failure would
 * undo the caller's whole transaction.
 *
 * `cross join lateral (... for no key update)` looks rows up one by one through the key. Written as a plain join, a plan
 * made while the table was still empty would read the whole table each time until statistics caught up.
 *
 * `unnest((select $1))` hides the length of a list from the planner. Seeing it, PostgreSQL finds the plan for this list cheaper
 * than the one for any list and plans a placing anew each time: 1.03 ms instead of 0.67.
 */

/**
 * $1 hold ids in order, $2 users, $3 amounts, $4 now. The steps of a placing, for statements that do more with what was
 * `placed` (hold_id, user_id, amount_micros) in the same round trip.
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

/** $1 to $4 as above. Answers the ids of the holds that were placed. */
export const PLACE_HOLDS = `/* ledger_place_holds */
with ${PLACING}
select hold_id from placed`

/** $1 hold ids in order, $2 totals, $3 whose holds may be touched (null: anybody's). Answers the holds as extended. */
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
 * Settles, or releases where the cost is null. $1 hold ids in order, $2 costs, $3 whose holds may be touched, $4 now.
 * Answers the holds as closed.
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
 * $8 now, $9 what the customer gains or loses, $10 and $11 accounts and amounts. Answers its id and the balance after it.
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

/** $1 hold ids, $2 the user a new hold would burden (null: the hold's own). Every id is answered, found or not. */
export const VIEW_HOLDS = `/* ledger_view_holds */
select asked.hold_id as asked_id, h.*, a.user_id as account_user_id, a.balance_micros, a.held_micros
  from unnest((select $1::text[]), (select $2::integer[])) as asked (hold_id, user_id)
  left join lateral (select * from holds where holds.hold_id = asked.hold_id offset 0) as h on true
  left join lateral (
    select * from accounts where accounts.user_id = coalesce(asked.user_id, h.user_id) offset 0) as a on true`
