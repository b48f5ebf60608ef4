import { describe, expect, it } from 'vitest'
import { addressOf, openStream } from '../../../../test/event-stream.ts'
import { createPhones, untilListening } from '../../../../test/live-calls.ts'
import { createPortal, type SignedIn, signUp } from '../../../../test/portal.ts'
import { SECOND } from '../../../platform/clock.ts'
import { STREAMS_PER_USER } from './streams.ts'

async function createScene() {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const mallory = await signUp(portal, 'mallory')
  const boss = await signUp(portal, 'boss', { isAdmin: true })
  await untilListening(portal)
  return { portal, alice, mallory, boss, phones: createPhones(portal), streams: portal.services.liveStreams }
}

const allCallsStream = { address: 'GET /api/admin/live-calls/stream' } as const

/** Values that other customers must not receive. */
const ALICES = {
  call_id: 'secret-switch/secret-call',
  switch_id: 'secret-switch',
  sip_account: 'alices-account',
  caller_id: '12025550177',
  dialed: '+33 1 70 18 99 00',
  destination: '33170189900',
  country: 'FR',
  route_name: 'Alices route',
} as const
const traces = [...Object.values(ALICES).filter((value) => value !== 'FR'), 'alice', 'France', 'Carrier']

describe('another customer’s call', () => {
  it('leaves no trace in the streams of other customers, new or resumed', async () => {
    const { portal, alice, mallory, phones, streams } = await createScene()
    const her = await openStream(portal, alice.token)
    const his = await openStream(portal, mallory.token)
    await his.sees('snapshot')
    const own = await phones.begin(mallory.id)
    await his.about('calling', own)

    await phones.begin(alice.id, ALICES)
    await phones.ring(ALICES.call_id)
    await phones.answer(ALICES.call_id)
    await her.about('answered', ALICES.call_id)
    portal.clock.advance(5 * SECOND)
    streams.tick()
    await phones.silently.change(ALICES.call_id, { covered_seconds: 180 })
    await streams.compare()
    await portal.call('POST /api/live-calls/hangup', {
      token: alice.token,
      body: { uniqueid: ALICES.call_id },
    })
    // One stream opened during the call, and one resumed with her event ID.
    const late = await openStream(portal, mallory.token)
    const forged = await openStream(portal, mallory.token, { after: her.events()[0]?.id ?? '' })
    await forged.sees('snapshot')
    await phones.end(ALICES.call_id)
    await her.about('ended', ALICES.call_id)
    streams.tick()

    // Notifications are ordered: after this one, all of hers have arrived.
    await phones.ring(own)
    await phones.end(own)
    const seen = [his, late, forged]
    for (const stream of seen) await stream.about('ended', own)
    const resumed = await openStream(portal, mallory.token, { lastEventId: his.events()[0]?.id ?? '' })
    await resumed.sees('calling', 'ringing', 'ended')
    for (const stream of [...seen, resumed])
      for (const trace of traces) expect(stream.raw()).not.toContain(trace)
    expect(his.names()).toEqual(['snapshot', 'calling', 'ringing', 'ended'])
    // Event numbers have no gap, so that they do not reveal the number of her events.
    expect(his.events().map(({ id }) => id?.split('.')[1])).toEqual(['0', '1', '2', '3'])
  })

  it('is neither counted nor listed, and cannot be hung up', async () => {
    const { portal, alice, mallory, phones } = await createScene()
    await phones.begin(alice.id, ALICES)
    const { token } = mallory
    expect((await portal.call('GET /api/live-calls', { token })).answer).toEqual({ liveCalls: 0 })
    expect((await portal.call('GET /api/live-calls-details', { token })).answer).toEqual({
      liveCallsDetails: [],
    })
    const hangUp = (uniqueid: string) =>
      portal.call('POST /api/live-calls/hangup', { token, body: { uniqueid } })
    const hers = await hangUp(ALICES.call_id)
    const nobodys = await hangUp('secret-switch/no-such-call')
    expect(hers).toMatchObject({ status: 404, code: 'not_found' })
    expect({ ...hers.answer, request_id: '' }).toEqual({ ...nobodys.answer, request_id: '' })
    const row = await portal.services.db.selectFrom('live_calls').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ hangup_at: null, hangup_by: null })
  })

  it('is not in an administrator’s personal stream', async () => {
    const { portal, alice, boss, phones } = await createScene()
    const stream = await openStream(portal, boss.token)
    await stream.sees('snapshot')
    await phones.begin(alice.id, ALICES)
    const own = await phones.begin(boss.id)
    await stream.about('calling', own)
    for (const trace of traces) expect(stream.raw()).not.toContain(trace)
  })
})

describe('the list of all calls', () => {
  it('is closed to customers, including stream and hangup', async () => {
    const { portal, alice, mallory, phones } = await createScene()
    const call = await phones.begin(alice.id, ALICES)
    const { token } = mallory
    for (const [address, body] of [
      ['GET /api/admin/live-calls', undefined],
      ['GET /api/admin/live-calls/stream', undefined],
      ['POST /api/admin/live-calls/hangup', { uniqueid: call }],
    ] as const)
      expect(await portal.call(address, { token, body })).toMatchObject({ status: 403, code: 'admin_only' })
    expect(await portal.services.db.selectFrom('live_calls').select('hangup_at').execute()).toEqual([
      { hangup_at: null },
    ])
  })
})

describe('a stream ends', () => {
  const endings: [
    string,
    (scene: Awaited<ReturnType<typeof createScene>>, who: SignedIn) => Promise<unknown>,
  ][] = [
    [
      'when its session is signed out',
      ({ portal }, { token }) => portal.call('POST /api/auth/logout', { token }),
    ],
    [
      'when the password is changed',
      ({ portal }, { token, password }) =>
        portal.call('POST /api/auth/change-password', {
          token,
          body: { currentPassword: password, newPassword: 'another password' },
        }),
    ],
    [
      'when the account is disabled',
      ({ portal }, { id }) =>
        portal.services.db
          .updateTable('users')
          .set({ disabled_at: portal.clock.now() })
          .where('id', '=', id)
          .execute(),
    ],
    ['when its session has run out', async ({ portal }) => portal.clock.advance(31 * 24 * 3_600 * SECOND)],
  ]
  it.each(endings)('%s, and other streams stay open', async (name, endIt) => {
    const scene = await createScene()
    const { portal, alice, phones, streams } = scene
    const doomed = await openStream(portal, alice.token)
    await doomed.sees('snapshot')
    await streams.checkSessions()
    expect(doomed.isOver()).toBe(false)
    await endIt(scene, alice)
    const bob = await signUp(portal, 'bob')
    const other = await openStream(portal, bob.token)
    await other.sees('snapshot')
    await streams.checkSessions()
    await doomed.over()
    const call = await phones.begin(bob.id)
    await other.about('calling', call)
    expect(doomed.names()).toEqual(['snapshot'])
    expect(streams.viewers(), name).toBe(1)
  })

  it('when an administrator loses their rights: the stream of all calls, not their own', async () => {
    const { portal, boss, streams } = await createScene()
    const all = await openStream(portal, boss.token, allCallsStream)
    const own = await openStream(portal, boss.token)
    await all.sees('snapshot')
    await own.sees('snapshot')
    await portal.services.db.updateTable('users').set({ is_admin: false }).where('id', '=', boss.id).execute()
    await streams.checkSessions()
    await all.over()
    expect(own.isOver()).toBe(false)
    const again = await openStream(portal, boss.token, allCallsStream)
    expect(again.response.status).toBe(403)
  })
})

describe('streams of one account', () => {
  it('are limited, and a closed one frees a slot', async () => {
    const { portal, alice, mallory, boss } = await createScene()
    const open = await Promise.all(
      Array.from({ length: STREAMS_PER_USER }, () => openStream(portal, alice.token)),
    )
    const tooMany = await openStream(portal, alice.token)
    expect(tooMany.response.status).toBe(429)
    expect((await openStream(portal, mallory.token)).response.status).toBe(200)
    expect((await openStream(portal, boss.token, allCallsStream)).response.status).toBe(200)
    await open[0]?.leave()
    await expect.poll(async () => (await openStream(portal, alice.token)).response.status).toBe(200)
  })
})

it('requires a token for a stream', async () => {
  const { portal } = await createScene()
  for (const path of [
    '/api/live-calls/stream',
    '/api/admin/live-calls/stream',
    '/api/live-calls/stream?token=x',
  ])
    expect((await fetch(`${await addressOf(portal)}${path}`)).status).toBe(401)
})
