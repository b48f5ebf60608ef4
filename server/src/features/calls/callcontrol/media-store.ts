import type { AllUsers } from '@trunkline/domain/access'
import type { EndReason } from '@trunkline/domain/callcontrol'
import type { Destination } from '@trunkline/domain/ringing'
import { sql } from 'kysely'
import { earlier, HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { MediaTables } from '../../../platform/media-tables.ts'
import { stopCalls } from './calls-store.ts'

/** A leg that a media process requests. */
export type MediaLeg = {
  parentCallId: string
  userId: number
  destination: Destination
  /** The flow that requests it, if it still exists. */
  flowName: string | null
  /** The ring plan requests it, for a recorded call. */
  isOfRingPlan: boolean
}

/**
 * The leg of a token, for this call only. Every call control asks with the same call. The media process must be handling the parent
 * call, and the token must not be older than a minute.
 */
export async function claimLeg(
  db: Database,
  _scope: AllUsers,
  { token, mediaId, callId, now }: { token: string; mediaId: string; callId: string; now: Date },
): Promise<MediaLeg | null> {
  const { rows } = await sql<{
    parent_call_id: string
    user_id: number
    destination: Destination
    flow_name: string | null
    kind: MediaTables['media_calls']['kind']
  }>`
    update media_legs as l set call_id = ${callId}
      from media_calls as m
      left join flow_versions as v on v.id = m.flow_version_id
      left join flows as f on f.id = v.flow_id
     where l.token = ${token} and l.media_id = ${mediaId} and l.created_at > ${earlier(now, MINUTE)}
       and (l.call_id is null or l.call_id = ${callId})
       and m.call_id = l.parent_call_id and m.media_id = l.media_id and m.user_id = l.user_id
       and m.ended_at is null
    returning l.parent_call_id, l.user_id, l.destination, f.name as flow_name, m.kind`.execute(db)
  const [row] = rows
  return row
    ? {
        parentCallId: row.parent_call_id,
        userId: row.user_id,
        destination: row.destination,
        flowName: row.flow_name,
        isOfRingPlan: row.kind === 'ring',
      }
    : null
}

/** A test call that a media process places. */
export type TestLeg = { userId: number; e164: string }

/** The test call of a token, for this call only. The token must not be older than a minute. */
export async function claimTestLeg(
  db: Database,
  _scope: AllUsers,
  { token, mediaId, callId, now }: { token: string; mediaId: string; callId: string; now: Date },
): Promise<TestLeg | null> {
  const { rows } = await sql<{ user_id: number; e164: string }>`
    update test_calls as t set call_id = ${callId} from number_rentals as r
     where r.id = t.rental_id and t.token = ${token} and t.media_id = ${mediaId} and t.ended_at is null
       and t.created_at > ${earlier(now, MINUTE)} and (t.call_id is null or t.call_id = ${callId})
    returning r.user_id, r.e164`.execute(db)
  const [row] = rows
  return row ? { userId: row.user_id, e164: row.e164 } : null
}

/**
 * Ends the calls of media processes that are not alive. One that has started again is another process. Includes the legs that they
 * requested, and test calls. A call that a process only rang for goes on: the switch notices too, and tries the next target. Another call
 * control may send the hang-up, so all of it is one transaction. Returns the calls.
 */
export const endLostMediaCalls = (
  db: Database,
  scope: AllUsers,
  alive: readonly { id: string; startedAt: Date }[],
  reason: EndReason,
  now: Date,
): Promise<string[]> =>
  db.transaction().execute(async (transaction) => {
    const ids = alive.map(({ id }) => id)
    const starts = alive.map(({ startedAt }) => startedAt)
    // A Date has no microseconds.
    const isAlive = sql`exists (
      select from unnest(${ids}::text[], ${starts}::timestamptz[]) as s(id, started_at)
       where s.id = m.media_id and s.started_at = date_trunc('milliseconds', m.media_started_at))`
    // The call of a leg may have another media process by now.
    const isLegAlive = sql`exists (
      select from unnest(${ids}::text[], ${starts}::timestamptz[]) as s(id, started_at)
       where s.id = l.media_id
         and s.started_at = date_trunc('milliseconds', coalesce(l.media_started_at, m.media_started_at)))`
    // A restarted media process may already have closed the rows of the one before it.
    const { rows } = await sql<{ call_id: string }>`
      with open as (
        select m.call_id, m.is_ringing from media_calls as m where m.ended_at is null and not ${isAlive}
         order by m.call_id for update
      ), closed as (
        update media_calls set ended_at = ${now} from open
         where media_calls.call_id = open.call_id and not open.is_ringing
      ), forgotten as (
        delete from media_calls using open where media_calls.call_id = open.call_id and open.is_ringing
      )
      select c.call_id from live_calls as c join media_legs as l on l.call_id = c.call_id
        join media_calls as m on m.call_id = l.parent_call_id
       where c.hangup_at is null and not ${isLegAlive}
      union
      select c.call_id from live_calls as c join media_calls as m on m.call_id = c.call_id
       where c.hangup_at is null and not m.is_ringing and not ${isAlive}
      union
      select c.call_id from live_calls as c join test_calls as m on m.call_id = c.call_id
       where c.hangup_at is null and not ${isAlive}`.execute(transaction)
    const lost = rows.map(({ call_id }) => call_id)
    if (lost.length > 0) await stopCalls(transaction, scope, lost, reason, now)
    return lost
  })

/** Tokens are valid for a minute. A used one is kept with the log of its call. */
export async function forgetLegs(db: Database, _scope: AllUsers, now: Date): Promise<void> {
  await sql`delete from media_legs where created_at < ${earlier(now, HOUR)} and call_id is null`.execute(db)
}

export type MessageCounts = { userId: number; unread: number; read: number }

/** Messages of the customers who have some, or of one. */
export async function readMessageCounts(
  db: Database,
  _scope: AllUsers,
  userId?: number,
): Promise<MessageCounts[]> {
  const rows = await db
    .selectFrom('voicemails')
    .select('user_id')
    .select(sql<number>`count(*) filter (where state = 'new')::integer`.as('unread'))
    .select(sql<number>`count(*) filter (where state = 'read')::integer`.as('read'))
    .where('state', '<>', 'recording')
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .groupBy('user_id')
    .execute()
  return rows.map(({ user_id, unread, read }) => ({ userId: user_id, unread, read }))
}
