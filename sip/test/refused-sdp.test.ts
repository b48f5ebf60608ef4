import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { audioDescription } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'
import { startManualCarrier } from './manual-carrier.ts'

/** An SDP that rtpengine does not take is not forwarded: speech would pass beside rtpengine, to any address. */
const harness = await harnessForFile({
  workers: 4,
  limits: { mediaAnswersWithinMs: 300, mediaHangsForSeconds: 60 },
})

const FOREIGN = '127.0.0.66'
const broken = audioDescription(FOREIGN, 40_000).replace(/^m=audio \d+/m, 'm=audio none')

async function start(carrier: { host: string; port: number }) {
  const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const phone = await harness.phone({ account: alice })
  const call = await phone.call('442071234567')
  return { peer, phone, call }
}

async function answeredCall() {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const { call, ...rest } = await start(carrier)
  expect((await call.ended).status).toBe(200)
  await call.speech.echoes(3)
  return { ...rest, carrier, call }
}

it.each(['INVITE', 'UPDATE'])('answers 488 to %s with an SDP that rtpengine cannot read', async (method) => {
  const { carrier, call } = await answeredCall()
  const before = carrier.requests.length
  expect((await call.request(method, broken)).status).toBe(488)
  expect(carrier.requests.slice(before).filter((request) => request.method !== 'ACK')).toEqual([])
  await call.speech.echoes(3)
  expect((await call.request('INVITE', call.offer)).status).toBe(200)
  await call.speech.echoes(3)
  expect((await call.hangUp()).status).toBe(200)
})

it('refuses a re-INVITE while rtpengine does not reply', async () => {
  const { carrier, phone, call } = await answeredCall()
  const rtpengine = harness.running.rtpenginePid() ?? 0
  process.kill(rtpengine, 'SIGSTOP')
  // Its threads do not stop at once.
  await pause(200)
  const before = carrier.requests.length
  const { status } = await call
    .request('INVITE', audioDescription(FOREIGN, 40_000))
    .finally(() => process.kill(rtpengine, 'SIGCONT'))
  expect(status).toBe(488)
  expect(carrier.requests.slice(before).filter((request) => request.method !== 'ACK')).toEqual([])
  // After two seconds Kamailio asks rtpengine again, but only for a new call.
  const isTaken = async () => (await (await phone.call('442071234567')).ended).status === 200
  await eventually(async () => (await pause(200)) ?? isTaken(), 'a new call')
  expect((await call.request('INVITE', call.offer)).status).toBe(200)
  await call.speech.echoes(3)
})

it("forwards an ACK without the caller's SDP if rtpengine cannot read it", async () => {
  const { carrier, call } = await answeredCall()
  call.forge('ACK', {}, [], broken)
  const isAcked = () => carrier.requests.filter(({ method }) => method === 'ACK').length > 1
  await eventually(isAcked, 'the second ACK')
  expect(carrier.requests.filter(({ body }) => body.includes(FOREIGN))).toEqual([])
})

it("ends a call without forwarding the callee's SDP if rtpengine cannot read it", async () => {
  const carrier = harness.keep(await startManualCarrier())
  const { peer, call } = await start(carrier)
  call.ended.catch(() => {})
  await carrier.answer('first', broken)
  const answer = await call.ended
  expect(answer.body).toBe('')
  await call.isHungUp()
  expect(await peer.next('ended')).toMatchObject({ by: 'silence' })
})
