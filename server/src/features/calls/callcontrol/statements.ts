import { PLACING } from '../../money/ledger/statements.ts'

/**
 * The statements of call control, prepared under the names in front. Every list comes in the order of the call ids, and rows
 * are locked in that order: live calls first, then holds, then accounts. A new call has no row to lock yet, so admitting may
 * begin with the account.
 */

/**
 * Settings of the connections these run on. Everything here is found through a key; but the table of live calls is small by
 * count and large by what died in it, and a plan made while it was new would read all of it, dead rows included, each time.
 */
export const SESSION = { enable_seqscan: 'off' }

/**
 * Holds the money and begins the call, both or neither. $1 to $4 as of a placing, $5 the rows as JSON. Answers the calls
 * that were begun.
 */
export const ADMIT = `/* callcontrol_admit */
with ${PLACING},
begun as (
  insert into live_calls
  select called.* from placed
    join json_populate_recordset(null::live_calls, $5::json) as called on called.call_id = placed.hold_id
   order by called.call_id
  returning call_id)
select call_id from begun`

/**
 * Calls that cost nothing have no hold to keep an old name from beginning anew: their records do. $1 the rows as JSON.
 */
export const ADMIT_FREE = `/* callcontrol_admit_free */
insert into live_calls
select called.* from json_populate_recordset(null::live_calls, $1::json) as called
 where not exists (select from cdrs where cdrs.started_at = called.started_at and cdrs.call_id = called.call_id)
 order by called.call_id
on conflict (call_id) do nothing
returning call_id`

/** $1 call ids, $2 users. Why a call could not begin: it lives, it is over, or what its account has left. */
export const LOOK = `/* callcontrol_look */
select asked.call_id as asked_id, a.balance_micros - a.held_micros as available_micros, h.status as hold_status
  from unnest((select $1::text[]), (select $2::integer[])) as asked (call_id, user_id)
  left join lateral (select * from accounts where accounts.user_id = asked.user_id offset 0) as a on true
  left join lateral (select * from holds where holds.hold_id = asked.call_id offset 0) as h on true`

/**
 * It rings, or is answered, or both since it was last written: forward only. $1 call ids, $2 trunks, $3 and $4 since when, null
 * for what is not so. Answers the calls that changed. Lost in a crash it is told again by the list of the switch, or by the end of
 * the call: it need not wait for the disk.
 */
export const PROGRESS = `/* callcontrol_progress */
with hurry as materialized (select set_config('synchronous_commit', 'off', true)),
asked as (
  select asked.* from hurry,
    unnest((select $1::text[]), (select $2::integer[]), (select $3::timestamptz[]), (select $4::timestamptz[]))
    as asked (call_id, trunk_id, ringing_at, answered_at)),
locked as (
  select asked.* from asked
   cross join lateral (select from live_calls where live_calls.call_id = asked.call_id for no key update) as l)
update live_calls
   set state = case when locked.answered_at is null then 'ringing' else 'answered' end,
       trunk_id = locked.trunk_id,
       ringing_at = coalesce(live_calls.ringing_at, locked.ringing_at),
       answered_at = locked.answered_at
  from locked
 where live_calls.call_id = locked.call_id and live_calls.state <> 'answered'
   and (locked.answered_at is not null or live_calls.ringing_at is null or live_calls.ringing_at <= locked.ringing_at)
returning live_calls.call_id, live_calls.state, live_calls.trunk_id, live_calls.ringing_at, live_calls.answered_at`

/** The gate of every ending: what it answers is taken out, and by nobody else. $1 call ids. */
export const TAKE_OUT = `/* callcontrol_take_out */
with locked as (
  select l.* from unnest((select $1::text[])) as asked (call_id)
   cross join lateral (select * from live_calls where live_calls.call_id = asked.call_id for update) as l),
gone as (
  delete from live_calls using locked where live_calls.call_id = locked.call_id returning live_calls.call_id)
select locked.* from locked join gone using (call_id)`

/** $1 call ids. The calls that still live, locked until the transaction ends. */
export const LOCK = `/* callcontrol_lock */
select l.call_id, l.covered_seconds, l.held_micros
  from unnest((select $1::text[])) as asked (call_id)
 cross join lateral (select * from live_calls where live_calls.call_id = asked.call_id for no key update) as l`

/** $1 call ids, $2 seconds, $3 amounts. Never less than is covered already. */
export const COVER = `/* callcontrol_cover */
update live_calls
   set covered_seconds = greatest(live_calls.covered_seconds, asked.seconds),
       held_micros = greatest(live_calls.held_micros, asked.micros)
  from unnest((select $1::text[]), (select $2::integer[]), (select $3::bigint[])) as asked (call_id, seconds, micros)
 where live_calls.call_id = asked.call_id`
