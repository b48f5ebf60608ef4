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
