import type { Destination } from '@trunkline/domain/ringing'
import type { Database } from '../../../platform/database.ts'
import type { MediaProcess } from './servers-store.ts'

type NewLeg = {
  token: string
  media: MediaProcess
  parentCallId: string
  userId: number
  destination: Destination
  /** Number of steps that the call had entered. Null: the call has no flow. */
  step: number | null
  now: Date
}

export async function insertLeg(db: Database, leg: NewLeg): Promise<void> {
  await db
    .insertInto('media_legs')
    .values({
      token: leg.token,
      media_id: leg.media.id,
      media_started_at: leg.media.startedAt,
      parent_call_id: leg.parentCallId,
      user_id: leg.userId,
      destination: JSON.stringify(leg.destination),
      step: leg.step,
      created_at: leg.now,
    })
    .execute()
}
