import type { AllUsers } from '@trunkline/domain/access'
import { INTERNAL_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { findsRow } from '../../../platform/rows.ts'

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

const BEFORE_ANNOUNCEMENT = ['waiting', 'taken'] as const
const ENDING = ['announcing', 'overdue'] as const

/** A call whose announcement should be over. */
export type OverdueAnnouncement = {
  callId: string
  userId: number
  switchId: string
}

/**
 * Live calls whose announcement should have ended before `endedBefore`, and calls between customers that were answered before
 * `answeredBefore` and have no announcement yet. Their media processes must not record them any more.
 */
export async function endOverdueAnnouncements(
  db: Database,
  _scope: AllUsers,
  { endedBefore, answeredBefore }: { endedBefore: Date; answeredBefore: Date },
): Promise<OverdueAnnouncement[]> {
  const found = await db
    .selectFrom('recording_requests as r')
    .innerJoin('live_calls as c', 'c.call_id', 'r.call_id')
    .select(['r.call_id as callId', 'r.user_id as userId', 'c.switch_id as switchId', 'r.state'])
    .where((where) =>
      where.or([
        where.and([where('r.state', 'in', ENDING), where('r.announced_until', '<', endedBefore)]),
        where.and([
          where('r.state', 'in', BEFORE_ANNOUNCEMENT),
          where('c.route_id', '=', INTERNAL_ROUTE_ID),
          where('c.answered_at', '<', answeredBefore),
        ]),
      ]),
    )
    .limit(100)
    .execute()
  const late = found.filter(({ state }) => state !== 'overdue').map(({ callId }) => callId)
  if (late.length > 0)
    await db
      .updateTable('recording_requests')
      .set(({ fn, ref, val }) => ({
        state: 'overdue',
        announced_until: fn.coalesce(ref('announced_until'), val(answeredBefore)),
      }))
      .where('call_id', 'in', late)
      .where('state', '<>', 'recording')
      .execute()
  return found.map(({ state: _state, ...one }) => one)
}

/** Whether media processes know that they should record the call. */
export const hasRecordingRequest = (db: Database, _scope: AllUsers, callId: string): Promise<boolean> =>
  findsRow(db.selectFrom('recording_requests').select('call_id').where('call_id', '=', callId))
