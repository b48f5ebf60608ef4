import { PLACING } from '../../money/ledger/commands-store.ts'

/**
 * Prepared statements of call control. Lists are sorted by call ID, and rows are locked in this order: live calls, holds, accounts. A
 * new call has no row yet, so admission may start with the account.
 */

/**
 * Connection settings that disable sequential scans. The table of live calls has few rows but many dead ones, and a plan made while it
 * was empty would scan all of them.
 */
export const SESSION = { enable_seqscan: 'off' }

/**
 * Places the holds and starts the calls atomically. $1 to $4 as for placing a hold, $5 the rows as JSON. Returns the started calls.
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
 * Starts free calls. They have no hold that prevents a repeated start; their records do. $1 the rows as JSON.
 */
export const ADMIT_FREE = `/* callcontrol_admit_free */
insert into live_calls
select called.* from json_populate_recordset(null::live_calls, $1::json) as called
 where not exists (select from cdrs where cdrs.started_at = called.started_at and cdrs.call_id = called.call_id)
 order by called.call_id
on conflict (call_id) do nothing
returning call_id`

/** $1 call IDs, $2 users. Why a call could not start: it is live, it has ended, or the available balance. */
export const CHECK_START = `/* callcontrol_look */
select asked.call_id as asked_id, a.balance_micros - a.held_micros as available_micros, h.status as hold_status
  from unnest((select $1::text[]), (select $2::integer[])) as asked (call_id, user_id)
  left join lateral (select * from accounts where accounts.user_id = asked.user_id offset 0) as a on true
  left join lateral (select * from holds where holds.hold_id = asked.call_id offset 0) as h on true`

/**
 * Stores ringing and answered times, forward only. $1 call IDs, $2 trunks, $3 and $4 the times or null. Returns the changed calls. The
 * trunk of an incoming call is the carrier that sent it, and a negative id is a target of a ring plan: both do not change. It does not
 * wait for the disk: after a crash, the switch's list or the end event contains the same times.
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
       trunk_id = case when live_calls.direction = 'in' or locked.trunk_id < 0
                       then live_calls.trunk_id else locked.trunk_id end,
       ringing_at = coalesce(live_calls.ringing_at, locked.ringing_at),
       answered_at = locked.answered_at
  from locked
 where live_calls.call_id = locked.call_id and live_calls.state <> 'answered'
   and (locked.answered_at is not null or live_calls.ringing_at is null or live_calls.ringing_at <= locked.ringing_at)
returning live_calls.call_id, live_calls.state, live_calls.trunk_id, live_calls.ringing_at, live_calls.answered_at`

/** The gate of settlement: only one caller gets each deleted row. $1 call IDs. */
export const DELETE_CALLS = `/* callcontrol_take_out */
with locked as (
  select l.* from unnest((select $1::text[])) as asked (call_id)
   cross join lateral (select * from live_calls where live_calls.call_id = asked.call_id for update) as l),
gone as (
  delete from live_calls using locked where live_calls.call_id = locked.call_id returning live_calls.call_id)
select locked.* from locked join gone using (call_id)`

/** $1 call IDs. Locks the calls that are still live. */
export const LOCK = `/* callcontrol_lock */
select l.call_id, l.covered_seconds, l.held_micros
  from unnest((select $1::text[])) as asked (call_id)
 cross join lateral (select * from live_calls where live_calls.call_id = asked.call_id for no key update) as l`

/** $1 call IDs, $2 seconds, $3 amounts. Never reduces the covered seconds. */
export const COVER = `/* callcontrol_cover */
update live_calls
   set covered_seconds = greatest(live_calls.covered_seconds, asked.seconds),
       held_micros = greatest(live_calls.held_micros, asked.micros)
  from unnest((select $1::text[]), (select $2::integer[]), (select $3::bigint[])) as asked (call_id, seconds, micros)
 where live_calls.call_id = asked.call_id`
