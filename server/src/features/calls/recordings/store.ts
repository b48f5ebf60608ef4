import type { AllUsers, Owner } from '@trunkline/domain/access'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { insertedId, ofOwner, ownRow, updatesRow } from '../../../platform/rows.ts'
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
export const finishRecording = (
  db: Database,
  userId: number,
  id: number,
  seconds: number,
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('recordings')
      .set({ state: 'ready', seconds })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('state', '=', 'recording'),
  )

/** Files in `openFiles` are still being written by this process. */
export const findAbandoned = (
  db: Database,
  _scope: AllUsers,
  abandoned: Abandoned,
  openFiles: readonly string[],
): Promise<RecordingRow[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where(isAbandoned('recordings', abandoned))
    .where(isClosed(openFiles))
    .orderBy('id')
    .limit(100)
    .execute()

/** Recordings that this start of a media process has begun and does not write any longer. */
export const findUnfinished = (
  db: Database,
  _scope: AllUsers,
  media: { readonly id: string; readonly startedAt: Date },
  openFiles: readonly string[],
): Promise<RecordingRow[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('state', '=', 'recording')
    .where('media_id', '=', media.id)
    .where('started_at', '>=', media.startedAt)
    .where(isClosed(openFiles))
    .orderBy('id')
    .limit(100)
    .execute()

const isClosed = (openFiles: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`file <> all(${[...openFiles]}::text[])`

/**
 * Unfinished recordings whose hold is open, although the media process that began them was not seen since `seenAfter`, or another start
 * of it has been running since then. Their files cannot be read by any running process.
 */
export const findLost = (
  db: Database,
  _scope: AllUsers,
  seenAfter: Date,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number }[]> =>
  db
    .selectFrom('recordings')
    .select('id')
    .where('state', '=', 'recording')
    .where('id', '>', after)
    .where('started_at', '<', seenAfter)
    .where(
      sql<boolean>`exists (select from holds where holds.hold_id = 'recording:' || recordings.id and holds.status = 'open')`,
    )
    .where(
      sql<boolean>`not exists (
        select from media_servers as s
         where s.id = recordings.media_id and s.seen_at > ${seenAfter}
           and (s.started_at <= recordings.started_at or s.started_at > ${seenAfter}))`,
    )
    .orderBy('id')
    .limit(limit)
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
