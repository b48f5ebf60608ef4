import { expect, it } from 'vitest'
import type { Carrier } from '../../sandbox/carriers/carrier.ts'
import { audioDescription, tagOf } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, type Harness, harnessForFile } from './harness.ts'
import type { Peer } from './peer.ts'
import type { PhoneCall } from './phone.ts'

/** Phones that use the same Call-ID and From tag for several calls: hostile ones, and ones with a bad random number generator. */
const harness = await harnessForFile({ workers: 4 })

const NUMBER = '442071234567'
const ID = { callId: 'reused-call-id', from: '<sip:alice@127.0.0.1>;tag=reused' }

async function dial(number = NUMBER, { callId, from } = ID): Promise<PhoneCall> {
  const phone = await harness.phone({ account: alice })
  return phone.call(number, [['From', from]], audioDescription, callId)
}

async function start(behavior: Parameters<Harness['carrier']>[0]): Promise<{ carrier: Carrier; peer: Peer }> {
  const carrier = await harness.carrier(behavior)
  const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  return { carrier, peer }
}

/** Calls of this test with such an event. Events are repeated until they are acknowledged. */
function callsWith(peer: Peer, type: 'failed' | 'ended'): string[] {
  const reported = new Set(peer.all(type).map(({ call }) => call))
  return peer
    .all('authorize')
    .map(({ call }) => call)
    .filter((call) => reported.has(call))
}

async function expectEnded(peer: Peer, carrier: Carrier, count: number): Promise<void> {
  await eventually(() => callsWith(peer, 'ended').length === count, `the end of ${count} calls`)
  expect(carrier.live()).toBe(0)
}

it('a BYE ends each call when several calls in a row have the same Call-ID', async () => {
  const { carrier, peer } = await start({ kind: 'echo', ringMs: 20 })
  for (let count = 1; count <= 3; count++) {
    const call = await dial()
    expect((await call.ended).status).toBe(200)
    expect((await call.hangUp()).status).toBe(200)
    await expectEnded(peer, carrier, count)
  }
  expect(carrier.requests.filter(({ method }) => method === 'BYE')).toHaveLength(3)
})

it('a second call with the Call-ID of a ringing one gets 482, and the first one goes on', async () => {
  const { carrier, peer } = await start({ kind: 'echo', ringMs: 1_500 })
  const first = await dial()
  await first.rings()
  expect((await (await dial('442071234568')).ended).status).toBe(482)
  const { call: name } = peer.all('authorize')[1] ?? {}
  expect(await peer.next('failed', ({ call }) => call === name)).toMatchObject({ code: 482 })
  expect((await first.ended).status).toBe(200)
  await first.hangUp()
  await expectEnded(peer, carrier, 1)
  expect(carrier.requests.filter(({ method }) => method === 'INVITE')).toHaveLength(1)
})

it.each([
  ['a second call', '442071234568'],
  ['the echo test', 'echo'],
])('%s with the Call-ID of an answered call gets 482, and that call ends normally', async (_, number) => {
  const { carrier, peer } = await start({ kind: 'echo', ringMs: 20 })
  const first = await dial()
  expect((await first.ended).status).toBe(200)
  expect((await (await dial(number)).ended).status).toBe(482)
  await first.hangUp()
  await expectEnded(peer, carrier, 1)
})

it('a second call with the Call-ID of one that the carrier has not released gets 482', async () => {
  const { carrier, peer } = await start({ kind: 'echo', ringMs: 20, byeStatus: 503 })
  const first = await dial()
  expect((await first.ended).status).toBe(200)
  await first.hangUp()
  expect((await (await dial()).ended).status).toBe(482)
  carrier.hangUpAll()
  await expectEnded(peer, carrier, 1)
})

it('two INVITEs with the same Call-ID at the same time lead to one call', async () => {
  const { carrier, peer } = await start({ kind: 'echo', ringMs: 20 })
  const calls = await Promise.all([dial(), dial(), dial(), dial()])
  const statuses = await Promise.all(calls.map(async (call) => (await call.ended).status))
  expect(statuses.sort()).toEqual([200, 482, 482, 482])
  const answered = calls.find((call) => call.names().to !== '')
  await answered?.hangUp()
  await expectEnded(peer, carrier, 1)
  await eventually(() => callsWith(peer, 'failed').length === 3, 'three `failed` events')
})

it('a failed or canceled call can be tried again with the same Call-ID', async () => {
  const refusing = await harness.carrier({ kind: 'refuse', code: 486, reason: 'Busy Here' })
  const ringing = await harness.carrier({ kind: 'rings' })
  const carriers = [refusing, ringing, await harness.carrier({ kind: 'echo', ringMs: 20 })]
  const peer = await harness.peer({
    authorize: ({ to }) => allow(carriers.slice(Number(to.at(-1)), Number(to.at(-1)) + 1)),
    credentials: credentialsOf(alice),
  })
  expect((await (await dial('442071234560')).ended).status).toBe(486)
  const canceled = await dial('442071234561')
  await canceled.rings()
  canceled.cancel()
  expect((await canceled.ended).status).toBe(487)
  const call = await dial('442071234562')
  expect((await call.ended).status).toBe(200)
  await call.hangUp()
  await eventually(() => callsWith(peer, 'ended').length === 1, 'the end')
  await eventually(() => callsWith(peer, 'failed').length === 2, 'two `failed` events')
})

it('a call whose From tag is the To tag of another does not take over its requests', async () => {
  const [carrier, other] = [
    await harness.carrier({ kind: 'echo', ringMs: 20 }),
    await harness.carrier({ kind: 'echo', ringMs: 20 }),
  ]
  const peer = await harness.peer({
    authorize: ({ to }) => allow([to === NUMBER ? carrier : other]),
    credentials: credentialsOf(alice),
  })
  const first = await dial()
  expect((await first.ended).status).toBe(200)
  const from = `<sip:alice@127.0.0.1>;tag=${tagOf(first.names().to)}`
  const second = await dial('442071234568', { ...ID, from })
  expect((await second.ended).status).toBe(200)
  carrier.hangUpAll()
  await first.isHungUp()
  await expectEnded(peer, carrier, 1)
  expect(other.live()).toBe(1)
  await second.hangUp()
  await expectEnded(peer, other, 2)
  const [firstName, secondName] = peer.all('authorize').map(({ call }) => call)
  expect(await peer.next('ended', ({ call }) => call === firstName)).toMatchObject({ by: 'callee' })
  expect(await peer.next('ended', ({ call }) => call === secondName)).toMatchObject({ by: 'caller' })
})
