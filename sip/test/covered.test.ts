import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually, LATE_MS } from './eventually.ts'
import { alice, allow, credentialsOf, type Harness, startHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

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

describe('the seconds that are paid for', () => {
  it('are all there are: both sides get a BYE after the last', async () => {
    const { carrier, peer, call, answered } = await callFor(3)
    await call.isHungUp()
    const lasted = Date.now() - answered.at
    await eventually(() => carrier.live() === 0, 'BYE to the carrier')
    expect(lasted).toBeGreaterThanOrEqual(3_000)
    expect(lasted).toBeLessThan(3_000 + LATE_MS)
    const ended = await peer.next('ended', (event) => event.call === answered.call)
    expect(ended).toMatchObject({ by: 'timeout', answeredAt: answered.at, at: answered.at + 3_000 })
  })

  it('become more when call control extends in time, and a smaller total changes nothing', async () => {
    const { peer, call, answered } = await callFor(2)
    // Longer than the dialog itself would have lived, which is ended five seconds after what was covered first.
    peer.send({ type: 'extend', call: answered.call, coveredSeconds: 9 })
    peer.send({ type: 'extend', call: answered.call, coveredSeconds: 3 })
    peer.send({ type: 'list', request: 'extended' })
    expect(await peer.next('live')).toMatchObject({ calls: [{ call: answered.call, coveredSeconds: 9 }] })
    await call.isHungUp()
    const lasted = Date.now() - answered.at
    expect(lasted).toBeGreaterThanOrEqual(9_000)
    expect(lasted).toBeLessThan(9_000 + LATE_MS)
    expect(await peer.next('ended', (event) => event.call === answered.call)).toMatchObject({
      by: 'timeout',
      at: answered.at + 9_000,
    })
  })

  it('are not lengthened by a re-INVITE', async () => {
    const { peer, call, answered } = await callFor(3)
    await pause(2_000)
    expect((await call.request('INVITE', call.offer)).status).toBe(200)
    await call.isHungUp()
    expect(Date.now() - answered.at).toBeLessThan(3_000 + LATE_MS)
    expect(await peer.next('ended', (event) => event.call === answered.call)).toMatchObject({
      by: 'timeout',
      at: answered.at + 3_000,
    })
  })
})
