import type { AllUsers } from '@trunkline/domain/access'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { updatesRow } from '../../../platform/rows.ts'

/** A start of a media process. Its calls name both, so a restart with the same id does not own the calls of the process before. */
export type MediaProcess = { readonly id: string; readonly startedAt: Date }

export async function registerMedia(
  db: Database,
  { id, startedAt }: MediaProcess,
  { copiesAudio, ...address }: { host: string; port: number; password: string; copiesAudio: boolean },
): Promise<void> {
  const row = {
    ...address,
    copies_audio: copiesAudio,
    started_at: startedAt,
    seen_at: startedAt,
    is_leaving: false,
    live_calls: 0,
  }
  await db
    .insertInto('media_servers')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** False if another process has registered under the same id. */
export const keepMedia = (
  db: Database,
  { id, startedAt }: MediaProcess,
  { liveCalls, now }: { liveCalls: number; now: Date },
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('media_servers')
      .set({ seen_at: now, live_calls: liveCalls })
      .where('id', '=', id)
      .where('started_at', '=', startedAt),
  )

export async function markLeaving(db: Database, { id, startedAt }: MediaProcess): Promise<void> {
  await db
    .updateTable('media_servers')
    .set({ is_leaving: true })
    .where('id', '=', id)
    .where('started_at', '=', startedAt)
    .execute()
}

export async function removeMedia(db: Database, { id, startedAt }: MediaProcess): Promise<void> {
  await db.deleteFrom('media_servers').where('id', '=', id).where('started_at', '=', startedAt).execute()
}

/** True for a row of `media_calls` whose process has ended or was not seen since `seenAfter`. */
export const isGone = (seenAfter: Date) => sql<boolean>`not exists (
  select from media_servers
   where media_servers.id = media_calls.media_id
     and media_servers.started_at = media_calls.media_started_at
     and media_servers.seen_at > ${seenAfter})`

/** Processes that have begun messages or recordings and were not seen since `seenAfter`. */
export async function findGoneWriters(db: Database, _scope: AllUsers, seenAfter: Date): Promise<string[]> {
  const { rows } = await sql<{ media_id: string }>`
    select media_id from voicemails where state = 'recording' and not ${isWriting('voicemails', seenAfter)}
    union
    select media_id from recordings where state = 'recording' and not ${isWriting('recordings', seenAfter)}`.execute(
    db,
  )
  return rows.map(({ media_id }) => media_id)
}

const isWriting = (table: 'voicemails' | 'recordings', seenAfter: Date) => sql<boolean>`exists (
  select from media_servers
   where media_servers.id = ${sql.ref(`${table}.media_id`)} and media_servers.seen_at > ${seenAfter})`
