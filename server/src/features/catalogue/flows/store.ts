import type { Owner } from '@trunkline/domain/access'
import type { Flow } from '@trunkline/domain/flows'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countOfUserLocked, insertedId, ofOwner, ownRow } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

/** Flows of customers: the draft, and the versions that calls use. */

export type FlowRow = Selectable<Tables['flows']>
export type ShownFlowRow = FlowRow & { published_at: Date | null; is_changed: boolean; numbers: string[] }
export type VersionRow = Selectable<Tables['flow_versions']> & { published_by_name: string }
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

const shown = (db: Database, owner: Owner) =>
  db
    .selectFrom('flows')
    .leftJoin('flow_versions as published', (join) =>
      join
        .onRef('published.flow_id', '=', 'flows.id')
        .onRef('published.number', '=', 'flows.published_version'),
    )
    .selectAll('flows')
    .select('published.published_at')
    .select(sql<boolean>`flows.draft is distinct from published.flow`.as('is_changed'))
    .select(leadingNumbers.as('numbers'))
    .where(ofOwner(owner, 'flows.user_id'))

export const listFlows = (db: Database, owner: Owner): Promise<ShownFlowRow[]> =>
  shown(db, owner).orderBy(sql`lower(flows.name)`).execute()

export const findFlow = (db: Database, owner: Owner, id: number): Promise<ShownFlowRow | undefined> =>
  shown(db, owner).where('flows.id', '=', id).executeTakeFirst()

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

export const listVersions = (db: Database, owner: Owner, flowId: number): Promise<VersionRow[]> =>
  db
    .selectFrom('flow_versions')
    .innerJoin('flows', 'flows.id', 'flow_versions.flow_id')
    .innerJoin('users', 'users.id', 'flow_versions.published_by')
    .selectAll('flow_versions')
    .select('users.username as published_by_name')
    .where('flow_versions.flow_id', '=', flowId)
    .where(ofOwner(owner, 'flows.user_id'))
    .orderBy('flow_versions.number', 'desc')
    .execute()

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

/** Queues of the published flows, and older ones in which somebody still waits. */
export async function listQueues(db: Database, owner: Owner): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select distinct on (lower(flows.name), flows.id, step ->> 'id')
           flows.id as flow_id, flows.name as flow_name, step ->> 'id' as step_id, step ->> 'name' as step_name
      from flows
      join flow_versions as v on v.flow_id = flows.id
      cross join lateral jsonb_array_elements(v.flow -> 'steps') as step
     where ${ofOwner(owner, 'flows.user_id')} and step ->> 'kind' = 'queue'
       and (v.number = flows.published_version
            or exists (select from queue_calls as q join media_calls as c on c.call_id = q.call_id
                        where q.flow_id = flows.id and q.step_id = step ->> 'id' and c.flow_version_id = v.id))
     order by lower(flows.name), flows.id, step ->> 'id', v.number desc`.execute(db)
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
