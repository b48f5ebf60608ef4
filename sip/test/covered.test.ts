import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { eventually, LATE_MS } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'

const harness = await harnessForFile()

async function callFor(seconds: number) {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const peer = await harness.peer({
    authorize: () => allow([carrier], { coveredSeconds: seconds }),
    credentials: credentialsOf(alice),
  })
  const phone = await harness.phone({ account: alice })
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(200)
  const answered = await peer.next('answered', ({ call }) => call === peer.all('authorize').at(-1)?.call)
  return { carrier, peer, call, answered }
}

describe('the covered seconds', () => {
  it('end the call: both sides get a BYE', async () => {
    const { carrier, peer, call, answered } = await callFor(3)
    await call.isHungUp()
    const lasted = Date.now() - answered.at
    await eventually(() => carrier.live() === 0, 'BYE to the carrier')
    expect(lasted).toBeGreaterThanOrEqual(3_000)
    expect(lasted).toBeLessThan(3_000 + LATE_MS)
    const ended = await peer.next('ended', (event) => event.call === answered.call)
    expect(ended).toMatchObject({ by: 'timeout', answeredAt: answered.at, at: answered.at + 3_000 })
  })

  it('grow when call control extends the call, and a smaller total has no effect', async () => {
    const { peer, call, answered } = await callFor(4)
    // Longer than the first dialog timeout, which is five seconds after the covered time.
    peer.send({ type: 'extend', call: answered.call, coveredSeconds: 12 })
    peer.send({ type: 'extend', call: answered.call, coveredSeconds: 5 })
    peer.send({ type: 'list', request: 'extended' })
    expect(await peer.next('live')).toMatchObject({ calls: [{ call: answered.call, coveredSeconds: 12 }] })
    await call.isHungUp()
    const lasted = Date.now() - answered.at
    expect(lasted).toBeGreaterThanOrEqual(12_000)
    expect(lasted).toBeLessThan(12_000 + LATE_MS)
    expect(await peer.next('ended', (event) => event.call === answered.call)).toMatchObject({
      by: 'timeout',
      at: answered.at + 12_000,
    })
  })

  it('are not extended by a re-INVITE', async () => {
    const { peer, call, answered } = await callFor(6)
    await pause(1_000)
    expect((await call.request('INVITE', call.offer)).status).toBe(200)
    await call.isHungUp()
    expect(Date.now() - answered.at).toBeLessThan(6_000 + LATE_MS)
    expect(await peer.next('ended', (event) => event.call === answered.call)).toMatchObject({
      by: 'timeout',
      at: answered.at + 6_000,
    })
  })
})
