import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { insertedId, ofOwner, ownRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'
import { type Abandoned, isAbandoned } from '../stored-sounds/abandoned-store.ts'

/** Recorded calls. */

export const DEFAULT_DAYS_KEPT = 30

export type RecordingRow = Selectable<Tables['recordings']>
export type ShownRecording = RecordingRow & { expires_at: Date }

const daysKept = sql<number>`coalesce(recording_settings.days_kept, ${DEFAULT_DAYS_KEPT}::integer)`
const expiry = sql<Date>`recordings.started_at + make_interval(days => ${daysKept})`

const shown = (db: Database, owner: Owner) =>
  db
    .selectFrom('recordings')
    .leftJoin('recording_settings', 'recording_settings.user_id', 'recordings.user_id')
    .selectAll('recordings')
    .select(expiry.as('expires_at'))
    .where(ofOwner(owner, 'recordings.user_id'))

export const insertRecording = (db: Database, row: Insertable<Tables['recordings']>): Promise<number> =>
  insertedId(db.insertInto('recordings').values(row).returning('id'))

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
    .where(ownRow(owner, id))
    .where('state', '=', 'ready')
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
    .where(ownRow(owner, id))
    .$if(which === 'ready', (query) => query.where('state', '=', 'ready'))
    .forUpdate()
    .executeTakeFirst()

export async function deleteRecording(db: Database, owner: Owner, id: number): Promise<void> {
  await db.deleteFrom('recordings').where(ownRow(owner, id)).execute()
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
