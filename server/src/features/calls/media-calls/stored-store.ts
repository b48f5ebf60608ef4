import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import type { StoredSound } from '../../../platform/sound-files.ts'
import type { CallFacts } from './calls-store.ts'
import { isGone } from './servers-store.ts'

/** Rows of messages and recordings that media processes write. Each row exists from the first second. */

type Given = { call: CallFacts; mediaId: string; file: string; now: Date }

export async function insertVoicemail(db: Database, { call, mediaId, file, now }: Given): Promise<number> {
  const { id } = await db
    .insertInto('voicemails')
    .values({
      user_id: call.userId,
      call_id: call.callId,
      number: call.called,
      caller: call.caller,
      caller_name: call.callerName,
      started_at: now,
      seconds: 0,
      state: 'recording',
      media_id: mediaId,
      file,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertRecording(db: Database, { call, mediaId, file, now }: Given): Promise<number> {
  const { id } = await db
    .insertInto('recordings')
    .values({
      user_id: call.userId,
      call_id: call.callId,
      started_at: now,
      seconds: 0,
      state: 'recording',
      media_id: mediaId,
      file,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function finishVoicemail(
  db: Database,
  userId: number,
  id: number,
  seconds: number,
): Promise<void> {
  await db
    .updateTable('voicemails')
    .set({ state: 'new', seconds })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('state', '=', 'recording')
    .execute()
}

export async function finishRecording(
  db: Database,
  userId: number,
  id: number,
  seconds: number,
): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ state: 'ready', seconds })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('state', '=', 'recording')
    .execute()
}

export async function removeStored(
  db: Database,
  table: 'voicemails' | 'recordings',
  userId: number,
  id: number,
): Promise<void> {
  await db.deleteFrom(table).where('id', '=', id).where('user_id', '=', userId).execute()
}

export type OpenSound = { id: number; userId: number; stored: StoredSound }

/** Sounds whose process is gone, or whose call has ended without them. */
export async function findAbandoned(
  db: Database,
  _scope: AllUsers,
  table: 'voicemails' | 'recordings',
  seenAfter: Date,
): Promise<OpenSound[]> {
  const rows = await db
    .selectFrom(table)
    .leftJoin('media_calls', 'media_calls.call_id', `${table}.call_id`)
    .select([`${table}.id`, `${table}.user_id`, `${table}.file`, `${table}.storage`])
    .where(`${table}.state`, '=', 'recording')
    .where(`${table}.started_at`, '<=', seenAfter)
    .where(({ or, eb }) =>
      or([
        eb('media_calls.call_id', 'is', null),
        eb('media_calls.ended_at', 'is not', null),
        isGone(seenAfter),
      ]),
    )
    .limit(100)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    stored: { file: row.file, storage: row.storage },
  }))
}

export type RecordingRules = { isAllowed: boolean; announces: boolean; recordsFromStart: boolean }

/** `recordsFromStart`: the account records all calls, or the called number records. */
export async function readRecordingRules(
  db: Database,
  { userId, numberId }: CallFacts,
): Promise<RecordingRules> {
  const settings = await db
    .selectFrom('recording_settings')
    .select(['is_allowed', 'announces', 'records_all'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!settings?.is_allowed) return { isAllowed: false, announces: true, recordsFromStart: false }
  const rental =
    numberId === null
      ? null
      : await db
          .selectFrom('number_rentals')
          .select('records')
          .where('number_id', '=', numberId)
          .where('user_id', '=', userId)
          .where('state', '<>', 'ended')
          .executeTakeFirst()
  return {
    isAllowed: true,
    announces: settings.announces,
    recordsFromStart: settings.records_all || rental?.records === true,
  }
}
