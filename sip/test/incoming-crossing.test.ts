import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { audioDescription, headerOf } from '../../sandbox/carriers/sip-message.ts'
import { type CalledPhone, startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, harnessForFile } from './harness.ts'
import { callOfCarrier, peerWithCarrier, phones, ringing } from './incoming-calls.ts'
import type { Peer } from './peer.ts'

/** Messages of both sides of an incoming call that cross. */
const harness = await harnessForFile({ workers: 4 })

const CALLS = 60

/** Each call is over exactly once. */
async function allAreOver(peer: Peer): Promise<void> {
  const asked = peer.all('authorize').map(({ call }) => call)
  const over = () => [...peer.all('ended'), ...peer.all('failed')].map(({ id }) => id)
  await eventually(() => new Set(over()).size >= asked.length, 'the end of all calls', 60_000)
  await peer.processed()
  const ends = [...new Set(over())].map((id) => id.replace(/\.(ended|failed)$/, ''))
  expect(ends.sort()).toEqual([...asked].sort())
  peer.send({ type: 'list', request: 'none' })
  expect((await peer.next('live', ({ request }) => request === 'none')).calls).toEqual([])
}

it('ends every call when the BYE of the phone overtakes its 200', async () => {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
  const phone = await startCalledPhone(harness, alice, { habit: 'answers and hangs up' })
  await phone.register()
  for (let n = 0; n < CALLS; n += 10) {
    const calls = await Promise.all(Array.from({ length: 10 }, () => callOfCarrier(harness)))
    const answers = await Promise.all(calls.map(({ call }) => call.ended))
    for (const [index, { status }] of answers.entries())
      if (status === 200) await calls[index]?.call.isHungUp()
  }
  await allAreOver(peer)
})

it('ends every call when the CANCEL of the carrier crosses the answer', async () => {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
  const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
  await phone.register()
  const cancelAfter = async (ms: number) => {
    const { call } = await callOfCarrier(harness)
    await eventually(() => call.received().find(({ status = 0 }) => status >= 100), '100')
    await pause(ms)
    call.cancel()
    if ((await call.ended).status === 200) await call.hangUp()
    return call.callId
  }
  const ids: string[] = []
  for (let ms = 0; ms < CALLS / 4; ms++)
    ids.push(...(await Promise.all(Array.from({ length: 4 }, () => cancelAfter(ms)))))
  await allAreOver(peer)
  // No phone keeps a call: each INVITE was canceled or got a BYE.
  const isOver = (id: string) =>
    !phone.invites().some((invite) => headerOf(invite, 'call-id') === id) ||
    phone.requests.some(
      ({ method, headers }) =>
        (method === 'CANCEL' || method === 'BYE') &&
        headers.some(([name, value]) => /^call-id$/i.test(name) && value === id),
    )
  await eventually(() => ids.every(isOver), 'CANCEL or BYE for all calls')
})

it('stops every phone whose 180 crosses the answer of another phone', async () => {
  const peer = await peerWithCarrier(harness, () => ringing([phones('alice')]))
  const slow = await startCalledPhone(harness, alice, { habit: 'silent' })
  const quick = await startCalledPhone(harness, alice, { habit: 'silent' })
  await Promise.all([slow.register(), quick.register()])
  const inviteOf = (phone: CalledPhone, id: string) =>
    eventually(() => phone.invites().find((invite) => headerOf(invite, 'call-id') === id), 'INVITE')
  for (let n = 0; n < CALLS; n++) {
    const { call } = await callOfCarrier(harness)
    const [rings, answers] = await Promise.all([inviteOf(slow, call.callId), inviteOf(quick, call.callId)])
    quick.reply(answers, 200, audioDescription(quick.phone.line.host, 4_000))
    // Each 180 follows its answer 0.05 ms later than the one before.
    for (const until = performance.now() + n / 20; performance.now() < until; );
    slow.reply(rings, 180)
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
  }
  await allAreOver(peer)
  const canceled = () => new Set(slow.received('CANCEL').map((cancel) => headerOf(cancel, 'call-id'))).size
  await eventually(() => canceled() === CALLS, 'CANCEL for all calls', 10_000)
})
