import type { Owner } from '@trunkline/domain/access'
import type { Flow, FlowLogEntry } from '@trunkline/domain/flows'
import type { Database } from '../../../platform/database.ts'
import { ofOwner } from '../../../platform/rows.ts'

type LoggedFlow = {
  /** Null if the flow was deleted. */
  version: { flowId: number; name: string; number: number; flow: Flow } | null
  log: FlowLogEntry[]
  /** Call id of a leg => number of steps that the call had entered. */
  stepsOfLegs: ReadonlyMap<string, number>
}

/** Null if the call did not go through a flow. */
export async function readLoggedFlow(db: Database, owner: Owner, callId: string): Promise<LoggedFlow | null> {
  const call = await db
    .selectFrom('media_calls')
    .leftJoin('flow_versions', 'flow_versions.id', 'media_calls.flow_version_id')
    .leftJoin('flows', 'flows.id', 'flow_versions.flow_id')
    .select(['flows.id', 'flows.name', 'flow_versions.number', 'flow_versions.flow'])
    .where('media_calls.call_id', '=', callId)
    .where('media_calls.kind', '=', 'flow')
    .where(ofOwner(owner, 'media_calls.user_id'))
    .executeTakeFirst()
  if (!call) return null
  const steps = await db
    .selectFrom('media_call_steps')
    .select('entry')
    .where('call_id', '=', callId)
    .orderBy('position')
    .execute()
  const legs = await db
    .selectFrom('media_legs')
    .select(['call_id', 'step'])
    .where('parent_call_id', '=', callId)
    .execute()
  const { id, name, number, flow } = call
  return {
    version: id && number && flow ? { flowId: id, name: name ?? '', number, flow } : null,
    log: steps.map(({ entry }) => entry),
    stepsOfLegs: new Map(legs.flatMap((leg) => (leg.call_id && leg.step ? [[leg.call_id, leg.step]] : []))),
  }
}
