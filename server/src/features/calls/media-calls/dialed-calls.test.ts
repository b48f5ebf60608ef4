import { INTERNAL_ROUTE_ID } from '@trunkline/domain/callcontrol'
import type { BencodedDictionary, Decoded } from '@trunkline/media/rtpengine/bencode'
import { type Rtpengine, RtpengineError, RtpengineSilence } from '@trunkline/media/rtpengine/client'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { insertLiveCall } from '../../../../test/live-calls.ts'
import { createMedia } from '../../../../test/media.ts'
import { systemClock } from '../../../platform/clock.ts'

/** Media processes take requests to record dialed calls. Here rtpengine is simulated; `sip/test/e2e/dialed-recording.test.ts` uses a real one. */

const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 9 RTP/AVP 8',
  '',
]

type Asked = { command: string; call: string; fields: BencodedDictionary }

const setup = forAll(async () => {
  const media = await createMedia()
  const asked: Asked[] = []
  const refused = new Set<string>()
  /** Calls that a browser has answered. */
  const browsers = new Set<string>()
  /** Calls with a copy that a killed process has asked for. */
  const copied = new Set<string>()
  /** Number of replies that are lost, by command and call. */
  const lost = new Map<string, number>()
  const rtpengine: Rtpengine = {
    async ask(command, fields) {
      const call = String(fields['call-id'])
      asked.push({ command, call, fields })
      if (refused.has(`${command} ${call}`)) throw new RtpengineError(`${command}: refused`)
      const losses = lost.get(`${command} ${call}`) ?? 0
      lost.set(`${command} ${call}`, losses - 1)
      if (losses > 0) throw new RtpengineSilence(`no reply to ${command}`)
      const tags: Record<string, Decoded> = {
        [`tag of ${call}`]: { subscriptions: [{ tag: 'callee', type: 'offer/answer' }] },
        ...(copied.has(call) && { copy: { subscriptions: [{ tag: 'callee', type: 'pub/sub' }] } }),
        callee: {
          medias: [
            {
              protocol: browsers.has(call) ? 'UDP/TLS/RTP/SAVPF' : 'RTP/AVP',
              streams: [{ stats: { packets: 1 } }],
            },
          ],
        },
      }
      return { result: 'ok', tags, sdp: OFFER.join('\r\n'), 'to-tag': 'copy' }
    },
    close: () => {},
  }
  // Each request is taken once, whichever process takes it.
  const servers = [
    await media.start({ rtpengines: [rtpengine] }),
    await media.start({ rtpengines: [rtpengine] }),
  ]
  const commandsOf = (call: string) =>
    asked.filter((one) => one.call === call && one.command !== 'query').map(({ command }) => command)
  return { media, servers, refused, browsers, copied, lost, commandsOf }
})

let calls = 0

type Given = { is_allowed?: boolean; announces?: boolean; refuses?: string; route_id?: number }

/** An answered call of a customer, and its request. */
async function dialedCall({ refuses, route_id = 1, ...wishes }: Given = {}) {
  const { media, refused } = setup()
  const { db } = media
  const userId = await media.newUser()
  await media.allowRecording(userId, { records_dialed: true, ...wishes })
  const sip = `dialed-${++calls}`
  const callId = `sw1/${sip}`
  if (refuses) refused.add(`${refuses} ${sip}`)
  const now = systemClock.now()
  await insertLiveCall(db, userId, {
    call_id: callId,
    route_id,
    started_at: now,
    state: 'answered',
    answered_at: now,
  })
  const insert = (columns: object = {}) =>
    db
      .insertInto('recording_requests')
      .values({
        call_id: callId,
        user_id: userId,
        sip_call_id: sip,
        sip_tag: `tag of ${sip}`,
        created_at: now,
        ...columns,
      })
      .execute()
  const request = () =>
    db.selectFrom('recording_requests').selectAll().where('call_id', '=', callId).executeTakeFirst()
  return {
    sip,
    insert,
    request,
    isForgotten: () => expect.poll(request, { timeout: 15_000 }).toBeUndefined(),
    hangUp: () => db.deleteFrom('live_calls').where('call_id', '=', callId).execute(),
    explanation: async () => {
      const row = await db
        .selectFrom('live_calls')
        .select('explanation')
        .where('call_id', '=', callId)
        .executeTakeFirstOrThrow()
      return row.explanation
    },
    recordings: async () => (await media.recordings()).filter(({ user_id }) => user_id === userId),
  }
}

it('copies both sides once, announces the recording, and ends it with the call', async () => {
  const { commandsOf, servers } = setup()
  const call = await dialedCall()
  await call.insert()
  await expect.poll(call.recordings, { timeout: 10_000 }).toHaveLength(1)
  await expect.poll(call.explanation).toBe('The conversation is recorded.')
  expect(await call.request()).toMatchObject({ state: 'recording' })
  expect(commandsOf(call.sip)).toEqual([
    ...['subscribe request', 'subscribe answer', 'subscribe request', 'subscribe answer'],
    ...['block media', 'block media', 'play media', 'play media'],
    ...['unblock media', 'unblock media', 'stop media', 'stop media'],
  ])
  await call.hangUp()
  await call.isForgotten()
  // Nobody said anything.
  await expect.poll(call.recordings).toEqual([])
  await expect.poll(() => servers.map(({ liveCalls }) => liveCalls())).toEqual([0, 0])
})

it('starts at once without an announcement', async () => {
  const { commandsOf } = setup()
  const call = await dialedCall({ announces: false })
  await call.insert()
  await expect.poll(call.recordings, { timeout: 10_000 }).toHaveLength(1)
  expect(commandsOf(call.sip)).not.toContain('play media')
  await call.hangUp()
  await call.isForgotten()
})

it('does nothing if the operator has taken the consent back', async () => {
  const { commandsOf } = setup()
  const call = await dialedCall({ is_allowed: false })
  await call.insert()
  await call.isForgotten()
  expect(commandsOf(call.sip)).toEqual([])
})

it('connects both sides again without a recording if the announcement cannot be played', async () => {
  const { commandsOf } = setup()
  const call = await dialedCall({ refuses: 'play media' })
  await call.insert()
  await call.isForgotten()
  expect(commandsOf(call.sip).slice(-7)).toEqual([
    ...['unblock media', 'stop media', 'stop media', 'unsubscribe', 'unsubscribe', 'delete', 'delete'],
  ])
  expect(await call.recordings()).toEqual([])
  expect(await call.explanation()).toBe('It is not recorded, because the announcement could not be played.')
})

it('connects both sides again also if rtpengine does not reply at first', async () => {
  const { lost, commandsOf } = setup()
  const call = await dialedCall()
  lost.set(`unblock media ${call.sip}`, 2)
  await call.insert()
  await expect.poll(call.request, { timeout: 10_000 }).toMatchObject({ state: 'recording' })
  expect(commandsOf(call.sip).filter((command) => command === 'unblock media')).toHaveLength(4)
  await call.hangUp()
  await call.isForgotten()
})

it('does not record a call that a browser has answered, because it cannot hear the announcement', async () => {
  const { browsers, commandsOf } = setup()
  const call = await dialedCall()
  browsers.add(call.sip)
  await call.insert()
  await call.isForgotten()
  expect(commandsOf(call.sip)).not.toContain('block media')
  expect(await call.explanation()).toBe('It is not recorded, because the announcement could not be played.')
})

it('explains that the audio could not be copied, and announces nothing then', async () => {
  const { commandsOf } = setup()
  const call = await dialedCall({ refuses: 'subscribe answer' })
  await call.insert()
  await call.isForgotten()
  expect(commandsOf(call.sip)).not.toContain('play media')
  expect(await call.explanation()).toBe('It is not recorded, because its audio could not be copied.')
})

it('announces to a browser that has not heard the caller yet, and to no other browser', async () => {
  const { commandsOf, browsers } = setup()
  const inside = await dialedCall({ route_id: INTERNAL_ROUTE_ID })
  const abroad = await dialedCall()
  for (const call of [inside, abroad]) {
    browsers.add(call.sip)
    await call.insert()
  }
  await expect.poll(inside.recordings, { timeout: 10_000 }).toHaveLength(1)
  expect(commandsOf(inside.sip)).toContain('play media')
  await expect
    .poll(abroad.explanation, { timeout: 10_000 })
    .toBe('It is not recorded, because the announcement could not be played.')
  expect(commandsOf(abroad.sip)).not.toContain('play media')
  await inside.hangUp()
})

it.each([
  ['the customer does not want an announcement any more', { announces: false }],
  ['the operator does not allow it any more', { is_allowed: false }],
  ['the audio cannot be copied', { refuses: 'subscribe request' }],
] as const)('unmutes the caller of a call between customers if %s', async (_why, given) => {
  const { commandsOf } = setup()
  const call = await dialedCall({ ...given, route_id: INTERNAL_ROUTE_ID })
  await call.insert()
  await expect.poll(() => commandsOf(call.sip), { timeout: 10_000 }).toContain('unblock media')
  expect(commandsOf(call.sip)).not.toContain('play media')
  await call.hangUp()
})

it.each(['taken', 'announcing'] as const)(
  'ends the announcement of a media process that is gone: %s',
  async (state) => {
    const { commandsOf } = setup()
    const call = await dialedCall()
    await call.insert({ state, media_id: 'killed', media_started_at: systemClock.now() })
    await call.isForgotten()
    expect(commandsOf(call.sip)).toContain('unblock media')
    expect(commandsOf(call.sip)).not.toContain('play media')
  },
)

it('recovers the other calls of a killed media process if rtpengine refuses one, and ends copies', async () => {
  const { refused, copied, commandsOf } = setup()
  const [first, second] = [await dialedCall(), await dialedCall()]
  refused.add(`unblock media ${first.sip}`)
  copied.add(second.sip)
  const left = { state: 'announcing', media_id: 'killed', media_started_at: systemClock.now() }
  for (const call of [first, second]) await call.insert(left)
  await second.isForgotten()
  expect(commandsOf(second.sip).slice(-2)).toEqual(['unsubscribe', 'delete'])
  expect(await first.request()).toBeDefined()
  // A call that is over needs no announcement to end.
  await first.hangUp()
  await first.isForgotten()
})

it('does not record if call control has ended the announcement, because it took too long', async () => {
  const { commandsOf, media } = setup()
  const call = await dialedCall()
  await call.insert()
  await expect.poll(call.request, { timeout: 10_000 }).toMatchObject({ state: 'announcing' })
  expect(await call.request()).toMatchObject({ announced_until: expect.any(Date) })
  await media.db
    .updateTable('recording_requests')
    .set({ state: 'overdue' })
    .where('sip_call_id', '=', call.sip)
    .execute()
  await call.isForgotten()
  expect(commandsOf(call.sip)).toContain('unblock media')
  expect(await call.recordings()).toEqual([])
  expect(await call.explanation()).toBe('It is not recorded, because the announcement could not be played.')
})
