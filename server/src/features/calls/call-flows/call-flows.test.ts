import {
  type Flow,
  type FlowEvent,
  type FlowLogEntry,
  type FlowState,
  flowTemplates,
  type Stepped,
  step,
} from '@trunkline/domain/flows'
import { micros } from '@trunkline/domain/money'
import { beforeEach, describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'

const START = new Date('2026-03-02T11:00:00Z')
const at = (seconds: number) => START.getTime() + seconds * 1_000

const reception = flowTemplates[0]?.flow('UTC') as Flow
/** The caller presses 1, nobody answers, the caller leaves a message. */
const events: readonly FlowEvent[] = [
  { at: at(0), type: 'started', variables: { caller: '4930901820' } },
  { at: at(3), type: 'key', key: '1' },
  { at: at(28), type: 'leg', result: 'no_answer' },
  { at: at(31), type: 'played' },
  { at: at(43), type: 'message', seconds: 12 },
]

const incoming = (changes: Partial<NewCdr>): NewCdr =>
  aCdr({
    callId: 'sw1/in',
    startedAt: START,
    endedAt: new Date(at(43)),
    direction: 'in',
    callerId: '4930901820',
    destination: '442079460100',
    ...changes,
  })

describe('the way of a call through a flow', () => {
  let portal: Awaited<ReturnType<typeof createPortal>>
  let alice: Awaited<ReturnType<typeof signUp>>
  let flowId: number

  beforeEach(async () => {
    portal = await createPortal()
    alice = await signUp(portal, 'alice')
    const { db } = portal.services
    const leg = incoming({
      userId: alice.id,
      callId: 'sw1/leg',
      parentCallId: 'sw1/in',
      startedAt: new Date(at(3.1)),
      endedAt: new Date(at(28)),
      seconds: 0,
      costMicros: micros(2_000n),
    })
    const other = incoming({ userId: alice.id, callId: 'sw1/other' })
    await insertCdrs(db, systemOwner, [incoming({ userId: alice.id }), leg, other])
    const flow = await db
      .insertInto('flows')
      .values({
        user_id: alice.id,
        name: 'Main line',
        draft: JSON.stringify(reception),
        secret: 'secret',
        created_at: START,
        updated_at: START,
        published_version: 2,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    flowId = flow.id
    const version = await db
      .insertInto('flow_versions')
      .values({
        flow_id: flowId,
        number: 2,
        flow: JSON.stringify(reception),
        published_at: START,
        published_by: alice.id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('media_calls')
      .values({
        call_id: 'sw1/in',
        user_id: alice.id,
        kind: 'flow',
        media_id: 'media1',
        media_started_at: START,
        flow_version_id: version.id,
        started_at: START,
        ended_at: null,
      })
      .execute()
    const log: FlowLogEntry[] = []
    let state: FlowState | null = null
    for (const event of events) {
      const stepped: Stepped = step(reception, state, event)
      state = stepped.state
      log.push(...stepped.log)
    }
    await db
      .insertInto('media_call_steps')
      .values(log.map((entry, position) => ({ call_id: 'sw1/in', position, entry: JSON.stringify(entry) })))
      .execute()
  })

  const recordId = async (uniqueid: string): Promise<string> => {
    const { records } = (await portal.call('GET /api/cdr', { token: alice.token, query: {} })).answer
    return records.find((record) => record.uniqueid === uniqueid)?.id ?? ''
  }
  const flowOf = async (uniqueid: string) =>
    (
      await portal.call('GET /api/cdr/:id/flow', {
        token: alice.token,
        params: { id: await recordId(uniqueid) },
      })
    ).answer.flow

  it('has its steps with times, keys, exits and legs', async () => {
    expect(await flowOf('sw1/in')).toEqual({
      flow: { id: flowId, name: 'Main line', version: 2 },
      end: 'The flow hangs up.',
      steps: [
        expect.objectContaining({ name: 'Opening hours', kind: 'hours', seconds: 0, exit: 'Open' }),
        {
          position: 2,
          step_id: 'menu',
          name: 'Welcome',
          kind: 'menu',
          entered_at: START.toISOString(),
          seconds: 0,
          took_seconds: 3,
          keys: '1',
          exit: 'Key 1',
          events: [],
          legs: [],
        },
        expect.objectContaining({
          name: 'Ring',
          seconds: 3,
          took_seconds: 25,
          exit: 'No answer',
          events: ['Nobody answers.'],
          legs: [
            {
              id: await recordId('sw1/leg'),
              destination: '+442079460100',
              status: 'completed',
              duration: 0,
              cost: 0.002,
            },
          ],
        }),
        expect.objectContaining({
          name: 'Voicemail',
          exit: 'After the message',
          events: ['The caller leaves a message of 12 seconds.'],
          legs: [],
        }),
        expect.objectContaining({ name: 'Hang up', seconds: 43, took_seconds: 0, exit: null }),
      ],
    })
  })

  it('is the same for administrators and refused for other customers', async () => {
    const bob = await signUp(portal, 'bob')
    const admin = await signUp(portal, 'root', { isAdmin: true })
    const params = { id: await recordId('sw1/in') }
    const asked = await portal.call('GET /api/admin/cdr/:id/flow', { token: admin.token, params })
    expect(asked.answer.flow).toEqual(await flowOf('sw1/in'))
    const refused = await portal.call('GET /api/cdr/:id/flow', { token: bob.token, params })
    expect(refused).toMatchObject({ status: 404 })
  })

  it('remains after the flow was deleted', async () => {
    await portal.services.db.deleteFrom('flows').where('id', '=', flowId).execute()
    const replay = await flowOf('sw1/in')
    expect(replay).toMatchObject({ flow: null, end: 'The flow hangs up.' })
    expect(replay?.steps.map(({ name }) => name)).toEqual(['hours', 'menu', 'ring', 'voicemail', 'end'])
    expect(replay?.steps[2]?.legs).toHaveLength(1)
  })

  it('shows a leg in the step that called it, whatever the clocks say', async () => {
    const { db } = portal.services
    const late = { userId: alice.id, callId: 'sw1/late', parentCallId: 'sw1/in', startedAt: new Date(at(60)) }
    await insertCdrs(db, systemOwner, [incoming(late)])
    const leg = { media_id: 'media1', user_id: alice.id, destination: '{}', created_at: START }
    await db
      .insertInto('media_legs')
      .values([
        { ...leg, token: 'one', parent_call_id: 'sw1/in', call_id: 'sw1/leg', step: 2 },
        { ...leg, token: 'two', parent_call_id: 'sw1/in', call_id: 'sw1/late', step: 4 },
        { ...leg, token: 'never used', parent_call_id: 'sw1/in', step: 1 },
      ])
      .execute()
    const replay = await flowOf('sw1/in')
    const ids = await Promise.all(['sw1/leg', 'sw1/late'].map(recordId))
    expect(replay?.steps.map(({ legs }) => legs.map(({ id }) => id))).toEqual([
      [],
      [ids[0]],
      [],
      [ids[1]],
      [],
    ])
  })

  it('is null for other calls', async () => {
    expect(await flowOf('sw1/other')).toBeNull()
    expect(await flowOf('sw1/leg')).toBeNull()
  })
})
