import type { Owner } from '@trunkline/domain/access'
import type { Flow } from '@trunkline/domain/flows'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countOfUserLocked, insertedId, ofOwner, ownRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Flows of customers: the draft, and the versions that calls use. */

export type FlowRow = Selectable<Tables['flows']>
/** Without the draft, which can have 512 KB. */
export type FlowSummaryRow = Pick<FlowRow, 'id' | 'name' | 'published_version' | 'updated_at'> & {
  published_at: Date | null
  is_changed: boolean
  step_count: number
  numbers: string[]
}
export type ShownFlowRow = FlowSummaryRow & Pick<FlowRow, 'draft' | 'secret' | 'version'>
type VersionColumns = Selectable<Tables['flow_versions']>
/** Without the flow, which can have 512 KB. */
export type VersionSummaryRow = Pick<VersionColumns, 'number' | 'note' | 'published_at'> & {
  published_by_name: string
}
export type VersionRow = VersionSummaryRow & Pick<VersionColumns, 'flow'>
export type WaitingRow = {
  flow_id: number
  step_id: string
  caller: string
  caller_name: string
  entered_at: Date
}
export type QueueRow = { flow_id: number; flow_name: string; step_id: string; step_name: string }

/** The unique constraint on the name. */
export const FLOW_NAME_INDEX = 'flows_user_id_name_key'

/** Numbers whose ring plan leads to the flow, in a rule, as destination or as fallback. */
const leadingNumbers = sql<string[]>`array(
  select r.e164 from number_rentals as r
   where r.user_id = flows.user_id and r.state <> 'ended'
     and jsonb_path_exists(r.ring_plan, '$.** ? (@.kind == "flow" && @.flowId == $id)', jsonb_build_object('id', flows.id))
   order by r.e164)`

const summaries = (db: Database, owner: Owner) =>
  db
    .selectFrom('flows')
    .leftJoin('flow_versions as published', (join) =>
      join
        .onRef('published.flow_id', '=', 'flows.id')
        .onRef('published.number', '=', 'flows.published_version'),
    )
    .select(['flows.id', 'flows.name', 'flows.published_version', 'flows.updated_at'])
    .select('published.published_at')
    .select(sql<boolean>`flows.draft is distinct from published.flow`.as('is_changed'))
    .select(sql<number>`jsonb_array_length(flows.draft -> 'steps')`.as('step_count'))
    .select(leadingNumbers.as('numbers'))
    .where(ofOwner(owner, 'flows.user_id'))

export const listFlows = (db: Database, owner: Owner): Promise<FlowSummaryRow[]> =>
  summaries(db, owner).orderBy(sql`lower(flows.name)`).execute()

export const findFlow = (db: Database, owner: Owner, id: number): Promise<ShownFlowRow | undefined> =>
  summaries(db, owner)
    .select(['flows.draft', 'flows.secret', 'flows.version'])
    .where('flows.id', '=', id)
    .executeTakeFirst()

export const lockFlow = (db: Database, owner: Owner, id: number): Promise<FlowRow | undefined> =>
  db.selectFrom('flows').selectAll().where(ownRow(owner, id)).forUpdate().executeTakeFirst()

export const countFlowsLocked = (db: Database, userId: number): Promise<number> =>
  countOfUserLocked(db, 'flows', userId)

export const insertFlow = (db: Database, flow: Insertable<Tables['flows']>): Promise<number> =>
  insertedId(db.insertInto('flows').values(flow).returning('id'))

export async function updateFlow(
  db: Database,
  owner: Owner,
  id: number,
  change: Updateable<Tables['flows']>,
): Promise<void> {
  await db.updateTable('flows').set(change).where(ownRow(owner, id)).execute()
}

export async function deleteFlow(db: Database, owner: Owner, id: number): Promise<void> {
  await db.deleteFrom('flows').where(ownRow(owner, id)).execute()
}

const versionsOf = (db: Database, owner: Owner, flowId: number) =>
  db
    .selectFrom('flow_versions')
    .innerJoin('flows', 'flows.id', 'flow_versions.flow_id')
    .innerJoin('users', 'users.id', 'flow_versions.published_by')
    .select(['flow_versions.number', 'flow_versions.note', 'flow_versions.published_at'])
    .select('users.username as published_by_name')
    .where('flow_versions.flow_id', '=', flowId)
    .where(ofOwner(owner, 'flows.user_id'))

export const listVersions = (db: Database, owner: Owner, flowId: number): Promise<VersionSummaryRow[]> =>
  versionsOf(db, owner, flowId).orderBy('flow_versions.number', 'desc').execute()

export const findVersion = (
  db: Database,
  owner: Owner,
  { id, number }: { id: number; number: number },
): Promise<VersionRow | undefined> =>
  versionsOf(db, owner, id)
    .select('flow_versions.flow')
    .where('flow_versions.number', '=', number)
    .executeTakeFirst()

/** The caller has locked the flow. Returns the number of the new version. */
export async function insertVersion(
  db: Database,
  version: { flowId: number; flow: Flow; note: string; publishedAt: Date; publishedBy: number },
): Promise<number> {
  const { number } = await db
    .insertInto('flow_versions')
    .values({
      flow_id: version.flowId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from flow_versions where flow_id = ${version.flowId})`,
      flow: JSON.stringify(version.flow),
      note: version.note,
      published_at: version.publishedAt,
      published_by: version.publishedBy,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

/** Deletes all but the newest versions. A version that a call in progress uses is kept. */
export async function deleteOldVersions(
  db: Database,
  owner: Owner,
  flowId: number,
  kept: number,
): Promise<void> {
  await sql`
    delete from flow_versions as v using flows
     where v.flow_id = ${flowId} and flows.id = v.flow_id and ${ofOwner(owner, 'flows.user_id')}
       and v.number <= (select max(number) from flow_versions where flow_id = ${flowId}) - ${kept}::integer
       and not exists (select from media_calls as c where c.flow_version_id = v.id and c.ended_at is null)`.execute(
    db,
  )
}

/** Callers in the queues of all flows, in order of arrival. */
export const listWaiting = (db: Database, owner: Owner): Promise<WaitingRow[]> =>
  db
    .selectFrom('queue_calls')
    .innerJoin('flows', 'flows.id', 'queue_calls.flow_id')
    .leftJoin('live_calls', 'live_calls.call_id', 'queue_calls.call_id')
    .select(['queue_calls.flow_id', 'queue_calls.step_id', 'queue_calls.entered_at'])
    .select(sql<string>`coalesce(live_calls.caller_id, '')`.as('caller'))
    .select(sql<string>`coalesce(live_calls.caller_name, '')`.as('caller_name'))
    .where(ofOwner(owner, 'flows.user_id'))
    .orderBy('queue_calls.ticket')
    .execute()

/**
 * Queues of the published flows, and older ones in which somebody still waits. Chooses the versions before it reads their steps: a customer
 * can have 10,000 versions of 500 KB.
 */
export async function listQueues(db: Database, owner: Owner): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    with waiting as (
      select q.flow_id, q.step_id, c.flow_version_id
        from queue_calls as q join media_calls as c on c.call_id = q.call_id
       where ${ofOwner(owner, 'c.user_id')}),
    versions as materialized (
      select flows.id as flow_id, flows.name, v.id, v.number, v.flow, v.number = flows.published_version as is_published
        from flows join flow_versions as v on v.flow_id = flows.id
       where ${ofOwner(owner, 'flows.user_id')}
         and (v.number = flows.published_version or v.id in (select flow_version_id from waiting)))
    select distinct on (lower(name), flow_id, step ->> 'id')
           flow_id, name as flow_name, step ->> 'id' as step_id, step ->> 'name' as step_name
      from versions cross join lateral jsonb_path_query(flow, '$.steps[*] ? (@.kind == "queue")') as step
     where is_published
        or exists (select from waiting as w
                    where w.flow_id = versions.flow_id and w.step_id = step ->> 'id' and w.flow_version_id = versions.id)
     order by lower(name), flow_id, step ->> 'id', number desc`.execute(db)
  return rows
}

/** Those of the flows that exist, belong to the user and are published. They cannot be deleted before the transaction ends. */
export async function lockPublishedFlows(
  db: Database,
  userId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('flows')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .where('published_version', 'is not', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The operator allows the customer to record calls. */
export async function isRecordingAllowed(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('recording_settings')
    .select('is_allowed')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.is_allowed ?? false
}
