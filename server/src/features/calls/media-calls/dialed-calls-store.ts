import type { AllUsers } from '@trunkline/domain/access'
import { INTERNAL_ROUTE_ID } from '@trunkline/domain/callcontrol'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { MediaTables } from '../../../platform/media-tables.ts'
import { updatesRow } from '../../../platform/rows.ts'
import type { MediaProcess } from './servers-store.ts'

/** Dialed calls whose owners want a recording. */
export type RecordingRequest = Selectable<MediaTables['recording_requests']>

/** `mutes_caller`: the called side does not hear the caller before the announcement. */
export type WaitingRequest = RecordingRequest & { answered_at: Date | null; mutes_caller: boolean }

/** Requests of answered calls that no media process has taken. */
export async function listWaitingRequests(db: Database, _scope: AllUsers): Promise<WaitingRequest[]> {
  return db
    .selectFrom('recording_requests')
    .innerJoin('live_calls', 'live_calls.call_id', 'recording_requests.call_id')
    .selectAll('recording_requests')
    .select('live_calls.answered_at')
    .select(sql<boolean>`live_calls.route_id = ${INTERNAL_ROUTE_ID}`.as('mutes_caller'))
    .where('recording_requests.state', '=', 'waiting')
    .where('live_calls.state', '=', 'answered')
    .orderBy('recording_requests.created_at')
    .limit(100)
    .execute()
}

type RequestKey = Pick<RecordingRequest, 'call_id' | 'user_id'>

const ofRequest = ({ call_id, user_id }: RequestKey): RawBuilder<boolean> =>
  sql<boolean>`(call_id = ${call_id} and user_id = ${user_id})`

/** False if another process was first. */
export const takeRequest = (db: Database, request: RequestKey, media: MediaProcess): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('recording_requests')
      .set({ state: 'taken', media_id: media.id, media_started_at: media.startedAt })
      .where(ofRequest(request))
      .where('state', '=', 'waiting'),
  )

/**
 * False if it is too late to begin. If the announcement takes longer than `until`, call control lets both sides hear each other again.
 */
export const setAnnouncing = (db: Database, request: RequestKey, until: Date): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('recording_requests')
      .set({ state: 'announcing', announced_until: until })
      .where(ofRequest(request))
      .where('state', '<>', 'overdue'),
  )

/** False if the announcement took too long. */
export const setRecording = (db: Database, request: RequestKey): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('recording_requests')
      .set({ state: 'recording' })
      .where(ofRequest(request))
      .where('state', '<>', 'overdue'),
  )

export async function deleteRequest(db: Database, request: RequestKey): Promise<void> {
  await db.deleteFrom('recording_requests').where(ofRequest(request)).execute()
}

export async function findLive(
  db: Database,
  _scope: AllUsers,
  callIds: readonly string[],
): Promise<Set<string>> {
  if (callIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('live_calls')
    .select('call_id')
    .where(sql<boolean>`call_id = any(${callIds}::text[])`)
    .execute()
  return new Set(rows.map((row) => row.call_id))
}

/** Requests that an earlier process of this name has left, and those of processes that were not seen since `seenAfter`. */
export async function findAbandonedRequests(
  db: Database,
  _scope: AllUsers,
  media: MediaProcess,
  seenAfter: Date | null,
): Promise<RecordingRequest[]> {
  const { rows } = await sql<RecordingRequest>`
    select r.* from recording_requests as r
     where r.state <> 'waiting'
       and (r.media_id = ${media.id} and r.media_started_at <> ${media.startedAt}
            or ${seenAfter}::timestamptz is not null and not exists (
                 select from media_servers as s
                  where s.id = r.media_id and s.started_at = r.media_started_at and s.seen_at > ${seenAfter}))
     order by r.call_id limit 100`.execute(db)
  return rows
}

/** Requests of calls that have ended without a recording. */
export async function deleteOverRequests(db: Database, _scope: AllUsers, before: Date): Promise<void> {
  await sql`
    delete from recording_requests as r
     where r.state = 'waiting' and r.created_at < ${before}
       and not exists (select from live_calls as c where c.call_id = r.call_id)`.execute(db)
}
