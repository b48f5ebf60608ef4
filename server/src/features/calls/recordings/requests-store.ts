import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Requests of call control to record dialed calls. Media processes take them. */

/** A dialed call that should be recorded was answered. */
export const ANSWERED_CHANNEL = 'dialed_call_answered'

type NewRequest = { callId: string; userId: number; sipCallId: string; sipTag: string; now: Date }

export async function insertRecordingRequest(db: Database, request: NewRequest): Promise<void> {
  await db
    .insertInto('recording_requests')
    .values({
      call_id: request.callId,
      user_id: request.userId,
      sip_call_id: request.sipCallId,
      sip_tag: request.sipTag,
      created_at: request.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function notifyAnswered(db: Database, _scope: AllUsers): Promise<void> {
  await sql`select pg_notify(${ANSWERED_CHANNEL}, '')`.execute(db)
}

/** A call whose announcement should be over. */
export type OverdueAnnouncement = {
  callId: string
  userId: number
  switchId: string
  sipCallId: string
  callerTag: string
  calleeTag: string
}

/** Live calls whose announcement should have ended before `before`. Their media processes must not record them any more. */
export async function endOverdueAnnouncements(
  db: Database,
  _scope: AllUsers,
  before: Date,
): Promise<OverdueAnnouncement[]> {
  const found = await db
    .selectFrom('recording_requests as r')
    .innerJoin('live_calls as c', 'c.call_id', 'r.call_id')
    .select(['r.call_id as callId', 'r.user_id as userId', 'c.switch_id as switchId', 'r.state'])
    .select(['r.sip_call_id as sipCallId', 'r.sip_tag as callerTag', 'r.callee_tag as calleeTag'])
    .where('r.state', 'in', ['announcing', 'overdue'])
    .where('r.announced_until', '<', before)
    .limit(100)
    .execute()
  const late = found.filter(({ state }) => state === 'announcing').map(({ callId }) => callId)
  if (late.length > 0)
    await db
      .updateTable('recording_requests')
      .set({ state: 'overdue' })
      .where('call_id', 'in', late)
      .where('state', '=', 'announcing')
      .execute()
  return found.map(({ state, calleeTag, ...one }) => ({ ...one, calleeTag: calleeTag ?? '' }))
}
