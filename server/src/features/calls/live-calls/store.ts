import { WEB_PHONE_PREFIX } from '@trunkline/contract/phone-names'
import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type EndReason, INNER_LEG_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'
import { type LiveCall, liveCallOf } from './call.ts'
import { readCall } from './call-row.ts'

export const LIVE_CALLS_CHANNEL = 'live_calls'
/** Channel of hangup requests to call control; the payload is a call ID. */
export const HANGUP_CHANNEL = 'hangup'

export type LiveFilter = {
  user?: number | undefined
  trunk?: number | undefined
  callIds?: readonly string[] | undefined
}

/** Live calls visible to the owner: without the legs to phones at another switch, which belong to a call. */
const visibleCalls = (db: Database, owner: Owner, { user, trunk, callIds }: LiveFilter) =>
  db
    .selectFrom('live_calls')
    .where('live_calls.route_id', '<>', INNER_LEG_ROUTE_ID)
    .where(ofOwner(owner, 'live_calls.user_id'))
    .$if(user !== undefined, (query) => query.where('live_calls.user_id', '=', user ?? 0))
    .$if(trunk !== undefined, (query) => query.where('live_calls.trunk_id', '=', trunk ?? 0))
    .$if(callIds !== undefined, (query) =>
      query.where(sql<boolean>`live_calls.call_id = any(${callIds}::text[])`),
    )

export async function countLiveCalls(db: Database, owner: Owner, filter: LiveFilter = {}): Promise<number> {
  const { count } = await visibleCalls(db, owner, filter)
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest first, up to a limit. */
export async function listLiveCalls(
  db: Database,
  owner: Owner,
  filter: LiveFilter = {},
  most: number | null = null,
): Promise<LiveCall[]> {
  const rows = await visibleCalls(db, owner, filter)
    .innerJoin('users', 'users.id', 'live_calls.user_id')
    .selectAll('live_calls')
    .select('users.username')
    .orderBy('live_calls.started_at', 'desc')
    .orderBy('live_calls.call_id')
    .$if(most !== null, (query) => query.limit(most ?? 0))
    .execute()
  return rows.map((row) => liveCallOf(readCall(row)))
}

/** Only the changing fields, to find the calls that must be read again. */
export const listCallStates = (db: Database, _scope: AllUsers) =>
  db
    .selectFrom('live_calls')
    .where('route_id', '<>', INNER_LEG_ROUTE_ID)
    .select(['call_id', 'state', 'trunk_id', 'held_micros', 'covered_seconds', 'answered_at', 'hangup_at'])
    .execute()

export type CallStateRow = Awaited<ReturnType<typeof listCallStates>>[number]

/**
 * Stores a hangup request and notifies call control. The first requester is kept; a repeated request notifies again. Returns null if
 * the owner has no such call.
 */
export async function requestHangUp(
  db: Database,
  owner: Owner,
  asked: { callId: string; by: number | null; reason: EndReason },
  now: Date,
): Promise<{ userId: number } | null> {
  const { rows } = await sql<{ user_id: number }>`
    with marked as (
      update live_calls set hangup_at = coalesce(hangup_at, ${now}),
        hangup_by = case when hangup_at is null then ${asked.by}::integer else hangup_by end,
        hangup_reason = case when hangup_at is null then ${asked.reason} else hangup_reason end
      where call_id = ${asked.callId} and ${ofOwner(owner, 'user_id')}
      returning call_id, user_id)
    select user_id, pg_notify(${HANGUP_CHANNEL}, call_id) from marked`.execute(db)
  return rows[0] ? { userId: rows[0].user_id } : null
}

/** Calls of a user's phones and PBXs; web phone calls end with their session. */
export async function requestPhoneHangUps(db: Database, userId: number, now: Date): Promise<void> {
  await sql`
    with marked as (
      update live_calls set hangup_at = ${now}, hangup_by = ${userId}::integer, hangup_reason = 'hung_up_by_customer'
      where user_id = ${userId}::integer and hangup_at is null and not starts_with(sip_account, ${WEB_PHONE_PREFIX})
      returning call_id)
    select pg_notify(${HANGUP_CHANNEL}, call_id) from marked`.execute(db)
}

/** Does not wait for the disk, because the next comparison finds a lost notification. */
export async function notifyLiveCalls(db: Database, payloads: readonly string[]): Promise<void> {
  await sql`/* notify_live_calls */
    select set_config('synchronous_commit', 'off', true), pg_notify(${LIVE_CALLS_CHANNEL}, payload)
    from unnest(${payloads}::text[]) as payload`.execute(db)
}
