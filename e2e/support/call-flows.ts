import type { APIRequestContext } from '@playwright/test'
import { type Flow, type FlowEvent, type FlowState, flowTemplates, step } from '@trunkline/domain/flows'
import { bearerOf } from './calls.ts'
import { idOf, services } from './sounds.ts'
import type { Person } from './story.ts'

type Record = { uniqueid: string; started_at: string; direction: 'in' | 'out' }

/**
 * Logs that the customer's incoming call passed the reception, as the media process does, and that its outgoing call was a leg: the
 * caller pressed 9, then 1, nobody answered, and the caller left a message.
 */
export async function passReception(request: APIRequestContext, who: Person): Promise<void> {
  const { db } = await services()
  const userId = await idOf(request, who)
  const { records } = await (await request.get('/api/cdr', { headers: await bearerOf(request, who) })).json()
  const find = (direction: string): Record => records.find((record: Record) => record.direction === direction)
  const [call, leg] = [find('in'), find('out')]
  const reception = flowTemplates[0]?.flow('UTC') as Flow
  const now = new Date(call.started_at)

  const flow = await db
    .insertInto('flows')
    .values({
      user_id: userId,
      name: 'Reception',
      draft: JSON.stringify(reception),
      secret: 'secret',
      created_at: now,
      updated_at: now,
      published_version: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('flow_versions')
    .values({
      flow_id: flow.id,
      number: 1,
      flow: JSON.stringify(reception),
      published_at: now,
      published_by: userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('media_calls')
    .values({
      call_id: call.uniqueid,
      user_id: userId,
      kind: 'flow',
      media_id: 'story',
      media_started_at: now,
      flow_version_id: version.id,
      started_at: now,
      ended_at: now,
    })
    .execute()
  const log = logOf(reception, now.getTime())
  await db
    .insertInto('media_call_steps')
    .values(
      log.map((entry, position) => ({ call_id: call.uniqueid, position, entry: JSON.stringify(entry) })),
    )
    .execute()
  await db
    .updateTable('cdrs')
    .set({ parent_call_id: call.uniqueid, started_at: new Date(now.getTime() + 4_100) })
    .where('call_id', '=', leg.uniqueid)
    .where('started_at', '=', new Date(leg.started_at))
    .execute()
}

function logOf(flow: Flow, at: number) {
  const monday = Date.parse('2026-03-02T11:00:00Z')
  const events: FlowEvent[] = [
    { at: monday, type: 'started', variables: {} },
    { at: monday + 2_000, type: 'key', key: '9' },
    { at: monday + 4_000, type: 'key', key: '1' },
    { at: monday + 29_000, type: 'leg', result: 'no_answer' },
    { at: monday + 32_000, type: 'played' },
    { at: monday + 44_000, type: 'message', seconds: 12 },
  ]
  let state: FlowState | null = null
  return events.flatMap((event) => {
    const result = step(flow, state, event)
    state = result.state
    return result.log.map((entry) => ({ ...entry, at: entry.at - monday + at }))
  })
}
