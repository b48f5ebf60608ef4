import type { AllUsers } from '@trunkline/domain/access'
import type { Flow, FlowLogEntry } from '@trunkline/domain/flows'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { MediaTables } from '../../../platform/media-tables.ts'
import { deletesRow, updatesRow } from '../../../platform/rows.ts'
import { isGone, type MediaProcess } from './servers-store.ts'

/** What a flow knows of the call that leads to it. */
export type CallFacts = {
  callId: string
  userId: number
  numberId: number | null
  /** Digits of the called number. */
  called: string
  caller: string
  callerName: string
  startedAt: Date
}

export async function findLiveCall(
  db: Database,
  _scope: AllUsers,
  callId: string,
): Promise<CallFacts | null> {
  const row = await db
    .selectFrom('live_calls')
    .select(['call_id', 'user_id', 'number_id', 'destination', 'caller_id', 'caller_name', 'started_at'])
    .where('call_id', '=', callId)
    .executeTakeFirst()
  if (!row) return null
  return {
    callId: row.call_id,
    userId: row.user_id,
    numberId: row.number_id,
    called: row.destination,
    caller: row.caller_id,
    callerName: row.caller_name,
    startedAt: row.started_at,
  }
}

/** Those of the given calls that are not over. */
export async function findLiveCallIds(
  db: Database,
  _scope: AllUsers,
  callIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ call_id: string }>`
    select call_id from live_calls where call_id = any(${callIds}::text[])`.execute(db)
  return new Set(rows.map(({ call_id }) => call_id))
}

export type PublishedFlow = { flowId: number; versionId: number; secret: string }

export async function findPublishedFlow(
  db: Database,
  userId: number,
  flowId: number,
): Promise<PublishedFlow | null> {
  const row = await db
    .selectFrom('flows')
    .innerJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.flow_id', '=', 'flows.id')
        .onRef('flow_versions.number', '=', 'flows.published_version'),
    )
    .select(['flows.secret', 'flow_versions.id'])
    .where('flows.id', '=', flowId)
    .where('flows.user_id', '=', userId)
    .executeTakeFirst()
  return row ? { flowId, versionId: row.id, secret: row.secret } : null
}

/** A published version never changes. */
export async function readVersion(db: Database, versionId: number): Promise<Flow | null> {
  const row = await db
    .selectFrom('flow_versions')
    .select('flow')
    .where('id', '=', versionId)
    .executeTakeFirst()
  return row?.flow ?? null
}

export type MediaCallKind = MediaTables['media_calls']['kind']

/** False if the call is already handled. The switch has given up a process that only rings, so its call is taken over. */
export async function insertMediaCall(
  db: Database,
  call: { callId: string; userId: number; kind: MediaCallKind; versionId: number | null; now: Date },
  media: MediaProcess,
): Promise<boolean> {
  const row = {
    kind: call.kind,
    media_id: media.id,
    media_started_at: media.startedAt,
    flow_version_id: call.versionId,
    started_at: call.now,
    ended_at: null,
    is_ringing: call.kind === 'ring',
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('media_calls')
    .values({ call_id: call.callId, user_id: call.userId, ...row })
    .onConflict((conflict) =>
      conflict
        .column('call_id')
        .doUpdateSet(row)
        .where('media_calls.is_ringing', '=', true)
        .where(
          sql`(media_calls.media_id, media_calls.media_started_at)`,
          '<>',
          sql`(${media.id}, ${media.startedAt})`,
        ),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The call of the user, while this process has it. */
const isHeld = (userId: number, callId: string, media: MediaProcess): RawBuilder<boolean> => sql<boolean>`(
  call_id = ${callId} and user_id = ${userId}
  and media_id = ${media.id} and media_started_at = ${media.startedAt})`

/** The process answers the call that it rings for. False if call control or another process has taken it away. */
export const answerMediaCall = (
  db: Database,
  userId: number,
  callId: string,
  media: MediaProcess,
): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('media_calls')
      .set({ is_ringing: false })
      .where(isHeld(userId, callId, media)),
  )

/** The call was not answered here, so it may come again. False if call control or another process has taken it away. */
export const removeMediaCall = (
  db: Database,
  userId: number,
  callId: string,
  media: MediaProcess,
): Promise<boolean> => deletesRow(db.deleteFrom('media_calls').where(isHeld(userId, callId, media)))

export async function endMediaCall(db: Database, userId: number, callId: string, now: Date): Promise<void> {
  await db
    .updateTable('media_calls')
    .set({ ended_at: now })
    .where('call_id', '=', callId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute()
}

/**
 * Ends the calls of processes that are gone, and calls of this process that it does not know. Call control forgets calls that a process
 * only rang for, when it has ended their legs.
 */
export async function endLostCalls(
  db: Database,
  _scope: AllUsers,
  media: MediaProcess,
  { known, seenAfter, now }: { known: readonly string[]; seenAfter: Date; now: Date },
): Promise<number> {
  const { rows } = await sql<{ call_id: string }>`
    update media_calls set ended_at = ${now}
     where ended_at is null
       and (not is_ringing and ${isGone(seenAfter)}
            or media_id = ${media.id} and media_started_at = ${media.startedAt}
               and started_at <= ${seenAfter} and call_id <> all(${known}::text[]))
    returning call_id`.execute(db)
  await sql`
    delete from queue_calls using media_calls
     where media_calls.call_id = queue_calls.call_id and media_calls.ended_at is not null`.execute(db)
  return rows.length
}

export type StepRow = { callId: string; position: number; entry: FlowLogEntry }

/** Entries of a call that was deleted meanwhile are dropped. */
export async function insertSteps(db: Database, _scope: AllUsers, rows: readonly StepRow[]): Promise<void> {
  await sql`
    insert into media_call_steps (call_id, position, entry)
    select call_id, position, entry::jsonb
      from unnest(${rows.map(({ callId }) => callId)}::text[], ${rows.map(({ position }) => position)}::integer[],
                  ${rows.map(({ entry }) => JSON.stringify(entry))}::text[]) as given (call_id, position, entry)
     where exists (select from media_calls where media_calls.call_id = given.call_id)
    on conflict do nothing`.execute(db)
}

/** Adds a sentence to the explanation of the call, which its record gets. */
export async function explainCall(
  db: Database,
  { callId, userId }: Pick<CallFacts, 'callId' | 'userId'>,
  sentence: string,
): Promise<void> {
  await sql`
    update live_calls set explanation = ltrim(explanation || ' ' || ${sentence})
     where call_id = ${callId} and user_id = ${userId} and strpos(explanation, ${sentence}) = 0`.execute(db)
}
