import { AdminLiveEvent, LiveEvent } from '@trunkline/contract/live-calls'
import { micros } from '@trunkline/domain/money'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStream } from '../../../../test/event-stream.ts'
import { createPhones, untilListening } from '../../../../test/live-calls.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { SECOND } from '../../../platform/clock.ts'
import { listen } from '../../../platform/listen.ts'

async function createScene() {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const boss = await signUp(portal, 'boss', { isAdmin: true })
  await untilListening(portal)
  return { portal, alice, boss, phones: createPhones(portal), streams: portal.services.liveStreams }
}

const allCallsStream = { address: 'GET /api/admin/live-calls/stream' } as const

describe('live calls', () => {
  it('are counted and listed in the specification’s format, newest first', async () => {
    const { portal, alice, phones } = await createScene()
    const first = await phones.begin(alice.id)
    portal.clock.advance(SECOND)
    await phones.begin(alice.id, { dialed: '+1 202 555 0123', destination: '12025550123', country: 'US' })
    await phones.answer(first)
    portal.clock.advance(6_001)
    const { token } = alice
    expect((await portal.call('GET /api/live-calls', { token })).answer).toEqual({ liveCalls: 2 })
    const { answer } = await portal.call('GET /api/live-calls-details', { token })
    expect(answer.liveCallsDetails.map(({ ndiscado }) => ndiscado)).toEqual([
      '+1 202 555 0123',
      '00442079460000',
    ])
    // 7 seconds are 12 billed ones: 5,000 + 60,000 x 12 / 60 micro-dollars.
    expect(answer.liveCallsDetails[1]).toEqual({
      uniqueid: first,
      sip_account: `sip-${alice.id}`,
      ndiscado: '00442079460000',
      caller: '12025550100',
      direction: 'out',
      caller_name: '',
      destination: '442079460000',
      country: 'United Kingdom',
      country_code: 'GB',
      state: 'answered',
      started_at: '2026-03-01T12:00:00.000Z',
      answered_at: '2026-03-01T12:00:01.000Z',
      seconds: 7,
      cost: 0.017,
      price: 0.06,
      connect_fee: 0.005,
      first_increment: 6,
      next_increment: 6,
      route: 'UK Gold',
      is_demo: false,
      hangup_requested: false,
    })
    expect(answer.liveCallsDetails[0]).toMatchObject({
      state: 'calling',
      seconds: 0,
      cost: 0,
      answered_at: null,
    })
  })

  it('are all visible to an administrator, with customer, trunk and covered seconds, and can be filtered', async () => {
    const { portal, alice, boss, phones } = await createScene()
    const bob = await signUp(portal, 'bob')
    const ringing = await phones.begin(alice.id)
    await phones.ring(ringing)
    await phones.begin(bob.id)
    const list = async (query = {}) =>
      (await portal.call('GET /api/admin/live-calls', { token: boss.token, query })).answer
    expect((await list()).liveCalls).toBe(2)
    const one = await list({ user: alice.id })
    expect(one).toMatchObject({
      liveCalls: 1,
      liveCallsDetails: [
        {
          uniqueid: ringing,
          user: { id: alice.id, username: 'alice' },
          trunk: { id: 7, name: 'Carrier One' },
          switch: 'sw1',
          covered_seconds: 120,
          held: 0.125,
        },
      ],
    })
    expect(await list({ trunk: 7 })).toEqual(one)
    expect(await list({ trunk: 8 })).toEqual({ liveCalls: 0, liveCallsDetails: [] })
  })
})

describe('a stream', () => {
  it('starts with a snapshot, then sends every change with the complete call', async () => {
    const { portal, alice, boss, phones, streams } = await createScene()
    const before = await phones.begin(alice.id)
    await streams.compare()
    const own = await openStream(portal, alice.token)
    const all = await openStream(portal, boss.token, allCallsStream)
    expect(own.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(own.response.headers.get('cache-control')).toBe('no-store')
    await own.sees('snapshot')
    expect(own.events()[0]?.data).toMatchObject({ liveCalls: 1, liveCallsDetails: [{ uniqueid: before }] })

    const call = await phones.begin(alice.id)
    await phones.ring(call)
    await phones.answer(call)
    portal.clock.advance(3 * SECOND)
    await phones.extend(call)
    await phones.end(call, { seconds: 3, costMicros: micros(11_000n) })
    // An extension is not visible to the customer.
    await own.sees('snapshot', 'calling', 'ringing', 'answered', 'ended')
    await all.sees('snapshot', 'calling', 'ringing', 'answered', 'updated', 'ended')
    expect(own.events()[3]?.data).toMatchObject({ uniqueid: call, state: 'answered', caller: '12025550100' })
    expect(all.events()[4]?.data).toMatchObject({
      covered_seconds: 240,
      held: 0.245,
      seconds: 3,
      cost: 0.011,
    })
    const { data } = await own.about('ended', call)
    expect(data).toEqual({
      uniqueid: call,
      status: 'completed',
      reason: 'The caller hung up.',
      seconds: 3,
      cost: 0.011,
    })
  })

  it('sends running costs at every tick, and a heartbeat without costs', async () => {
    const { portal, alice, phones, streams } = await createScene()
    const own = await openStream(portal, alice.token)
    await own.sees('snapshot')
    streams.tick()
    const call = await phones.begin(alice.id)
    await phones.begin(alice.id)
    await phones.answer(call)
    await own.about('answered', call)
    expect(own.raw()).toContain('\n\n:\n\n')
    portal.clock.advance(13 * SECOND)
    streams.tick()
    await own.sees('snapshot', 'calling', 'calling', 'answered', 'cost')
    expect(own.events()[4]).toEqual({
      event: 'cost',
      id: undefined,
      data: { liveCalls: 2, costs: [{ uniqueid: call, seconds: 13, cost: 0.023 }] },
    })
  })

  it('never shows more seconds or cost than covered', async () => {
    const { portal, alice, phones, streams } = await createScene()
    const call = await phones.begin(alice.id)
    await phones.answer(call)
    portal.clock.advance(500 * SECOND)
    await streams.compare()
    const own = await openStream(portal, alice.token)
    await own.sees('snapshot')
    streams.tick()
    await own.sees('snapshot', 'cost')
    expect(own.events()[1]?.data.costs).toEqual([{ uniqueid: call, seconds: 120, cost: 0.125 }])
  })

  it('sends only events of the contract', async () => {
    const { portal, alice, boss, phones, streams } = await createScene()
    const own = await openStream(portal, alice.token)
    const all = await openStream(portal, boss.token, allCallsStream)
    const call = await phones.begin(alice.id)
    await phones.ring(call)
    await phones.answer(call)
    await own.about('answered', call)
    streams.tick()
    await phones.end(call)
    await own.sees('snapshot', 'calling', 'ringing', 'answered', 'cost', 'ended')
    await all.sees('snapshot', 'calling', 'ringing', 'answered', 'cost', 'ended')
    for (const { event, data } of own.events())
      expect(LiveEvent.parse({ event, data })).toEqual({ event, data })
    for (const { event, data } of all.events())
      expect(AdminLiveEvent.parse({ event, data })).toEqual({ event, data })
  })
})

describe('hanging up', () => {
  async function listenForHangUps(url: string): Promise<string[]> {
    const asked: string[] = []
    await new Promise<void>((resolve) => {
      const listener = listen({
        url,
        channels: { hangup: (callId: string) => asked.push(callId) },
        onListening: resolve,
        onError: () => {},
      })
      onTestFinished(() => listener.close())
    })
    return asked
  }

  it('by a customer notifies call control and the viewers', async () => {
    const { portal, alice, phones } = await createScene()
    const asked = await listenForHangUps(portal.database.url)
    const call = await phones.begin(alice.id)
    await phones.answer(call)
    const own = await openStream(portal, alice.token)
    const answer = await portal.call('POST /api/live-calls/hangup', {
      token: alice.token,
      body: { uniqueid: call },
    })
    expect(answer).toMatchObject({ status: 200, message: 'Ending the call.' })
    const { data } = await own.about('updated', call)
    expect(data).toMatchObject({ state: 'answered', hangup_requested: true })
    await expect.poll(() => asked).toEqual([call])
    const row = await portal.services.db.selectFrom('live_calls').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ hangup_by: alice.id, hangup_reason: 'hung_up_by_customer' })
  })

  it('by an administrator is audited and keeps the first requester', async () => {
    const { portal, alice, boss, phones } = await createScene()
    const call = await phones.begin(alice.id)
    const body = { uniqueid: call, reason: 'fraud' }
    expect(await portal.call('POST /api/admin/live-calls/hangup', { token: boss.token, body })).toMatchObject(
      {
        status: 200,
      },
    )
    await portal.call('POST /api/live-calls/hangup', { token: alice.token, body: { uniqueid: call } })
    const row = await portal.services.db.selectFrom('live_calls').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ hangup_by: boss.id, hangup_reason: 'hung_up_by_admin' })
    const { answer } = await portal.call('GET /api/admin/audit-log', { token: boss.token })
    expect(answer.entries).toMatchObject([
      {
        action: 'call.hang_up',
        subject: `call ${call}`,
        by: { username: 'boss' },
        user: { username: 'alice' },
        reason: 'fraud',
      },
    ])
  })
})
