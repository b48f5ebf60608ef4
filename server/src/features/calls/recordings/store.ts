import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type Abandoned, isAbandoned } from '../stored-sounds/abandoned-store.ts'

/** Recorded calls. */

export const DEFAULT_DAYS_KEPT = 30

export type RecordingRow = Selectable<Tables['recordings']>
export type ShownRecording = RecordingRow & { expires_at: Date }

const ofOwner = (owner: Owner): RawBuilder<boolean> =>
  sql<boolean>`(${owner.userId}::integer is null or recordings.user_id = ${owner.userId})`

const daysKept = sql<number>`coalesce(recording_settings.days_kept, ${DEFAULT_DAYS_KEPT}::integer)`
const expiry = sql<Date>`recordings.started_at + make_interval(days => ${daysKept})`

const shown = (db: Database, owner: Owner) =>
  db
    .selectFrom('recordings')
    .leftJoin('recording_settings', 'recording_settings.user_id', 'recordings.user_id')
    .selectAll('recordings')
    .select(expiry.as('expires_at'))
    .where(ofOwner(owner))

export async function insertRecording(db: Database, row: Insertable<Tables['recordings']>): Promise<number> {
  const { id } = await db.insertInto('recordings').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** False if it has been finished or deleted already. */
export async function finishRecording(
  db: Database,
  userId: number,
  id: number,
  seconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recordings')
    .set({ state: 'ready', seconds })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('state', '=', 'recording')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const findAbandoned = (
  db: Database,
  _scope: AllUsers,
  abandoned: Abandoned,
): Promise<RecordingRow[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where(isAbandoned('recordings', abandoned))
    .orderBy('id')
    .limit(100)
    .execute()

export const listRecordingsOfCalls = (
  db: Database,
  owner: Owner,
  callIds: readonly string[],
): Promise<ShownRecording[]> =>
  shown(db, owner)
    .where('recordings.call_id', 'in', [...callIds])
    .orderBy('recordings.id')
    .execute()

/** A finished recording. */
export const findRecording = (db: Database, owner: Owner, id: number): Promise<RecordingRow | undefined> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .where(ofOwner(owner))
    .executeTakeFirst()

/** A finished recording, or any. */
export const lockRecording = (
  db: Database,
  owner: Owner,
  id: number,
  which: 'ready' | 'any' = 'ready',
): Promise<RecordingRow | undefined> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('id', '=', id)
    .$if(which === 'ready', (query) => query.where('state', '=', 'ready'))
    .where(ofOwner(owner))
    .forUpdate()
    .executeTakeFirst()

export async function deleteRecording(db: Database, owner: Owner, id: number): Promise<void> {
  await db.deleteFrom('recordings').where('id', '=', id).where(ofOwner(owner)).execute()
}

/** Also recordings that were never finished, because their file was lost. */
export const findExpired = (
  db: Database,
  scope: AllUsers,
  now: Date,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number }[]> =>
  shown(db, scope)
    .where(expiry, '<=', now)
    .where('recordings.id', '>', after)
    .orderBy('recordings.id')
    .limit(limit)
    .execute()

export const findUnbooked = (
  db: Database,
  _scope: AllUsers,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number }[]> =>
  db
    .selectFrom('recordings')
    .select('id')
    .where('booked_at', 'is', null)
    .where('state', '=', 'ready')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export async function setBooked(
  db: Database,
  userId: number,
  id: number,
  { micros, now }: { micros: bigint; now: Date },
): Promise<void> {
  await db
    .updateTable('recordings')
    .set({ micros, booked_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
}

export const listInFolder = (
  db: Database,
  _scope: AllUsers,
  mediaId: string | null,
  { after, limit }: { after: number; limit: number },
): Promise<RecordingRow[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('storage', '=', 'folder')
    .$if(mediaId !== null, (query) => query.where('media_id', '=', mediaId ?? ''))
    .where('state', '=', 'ready')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** False if it was deleted. */
export async function setStorage(
  db: Database,
  userId: number,
  id: number,
  storage: 'folder' | 's3',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recordings')
    .set({ storage })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
