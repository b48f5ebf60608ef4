import { describe, expect, it } from 'vitest'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'
import { callOfCarrier, peerWithCarrier, phones, ringing, type Target } from './incoming-calls.ts'
import { killKamailio } from './kill-kamailio.ts'
import { type Saved, untilSaved } from './saved.ts'

/** Kamailio is killed while calls to our numbers are answered. */
const harness = await harnessForFile({ workers: 4 })

/** Kills Kamailio as soon as its database is in this state. */
async function killSwitch(what: string, condition: (saved: Saved) => boolean): Promise<void> {
  await untilSaved(harness.runFolder, what, condition)
  await killKamailio(harness.running)
}

const forward: Target = { id: -2, seconds: 30, next: { direction: 'out', user: 'alice', to: '447700900123' } }

async function forwardedCall(first = 60) {
  const far = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const peer = await peerWithCarrier(harness, ({ parent }) =>
    parent ? allow([far]) : ringing([phones('alice'), forward], { coveredSeconds: first }),
  )
  const { call } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(200)
  const answered = await peer.next('answered')
  return { far, peer, call, answered }
}

describe('when Kamailio is killed', () => {
  it.each(['carrier', 'phone'])('an incoming call continues, and the %s can end it', async (side) => {
    const before = await peerWithCarrier(harness, () => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    const answered = await before.next('answered')
    await killSwitch('the call', ({ calls }) => calls.has(answered.call))
    const peer = await harness.peer({ credentials: credentialsOf(alice) })
    peer.send({ type: 'list', request: 'after' })
    expect((await peer.next('live')).calls).toMatchObject([{ call: answered.call, state: 'answered' }])
    expect((await call.request('INVITE', call.offer)).status).toBe(200)
    if (side === 'carrier') await call.hangUp()
    else await phone.hangUp()
    await (side === 'carrier' ? phone.gets('BYE') : call.isHungUp())
    expect(await peer.next('ended')).toMatchObject({
      call: answered.call,
      by: side === 'carrier' ? 'caller' : 'callee',
      trunk: -1,
      answeredAt: answered.at,
      attempts: [{ trunk: -1, code: 200 }],
    })
  })

  it('both legs of a forwarded call continue and end together', async () => {
    const { far, call, answered } = await forwardedCall()
    const [first] = answered.legs ?? []
    await killSwitch('both legs', ({ calls }) => calls.has(answered.call) && calls.has(first?.call ?? ''))
    const peer = await harness.peer()
    peer.send({ type: 'list', request: 'after' })
    const { calls } = await peer.next('live')
    expect(calls.map((listed) => listed.call).sort()).toEqual([answered.call, first?.call].sort())
    expect((await call.request('INVITE', call.offer)).status).toBe(200)
    await call.speech.echoes(3)
    expect((await call.hangUp()).status).toBe(200)
    await eventually(() => far.live() === 0, 'BYE to the called carrier')
    expect(await peer.next('ended')).toMatchObject({
      call: answered.call,
      trunk: 1,
      legs: [{ call: first?.call, trunk: -2, attempts: [{ trunk: -1, code: 480 }] }],
    })
    peer.send({ type: 'list', request: 'gone' })
    expect((await peer.next('live', ({ request }) => request === 'gone')).calls).toEqual([])
    await killSwitch('no leg', ({ calls }) => !calls.has(answered.call) && !calls.has(first?.call ?? ''))
    const third = await harness.peer()
    third.send({ type: 'list', request: 'still gone' })
    expect((await third.next('live')).calls).toEqual([])
  })

  it('the covered seconds of the first leg still end a forwarded call, including extensions', async () => {
    const { far, peer: before, call, answered } = await forwardedCall(5)
    const [first] = answered.legs ?? []
    before.send({ type: 'extend', call: first?.call ?? '', coveredSeconds: 8 })
    await before.processed()
    await killSwitch('the extension', ({ calls }) => calls.get(first?.call ?? '') === 8)
    const peer = await harness.peer()
    await call.isHungUp()
    await eventually(() => far.live() === 0, 'BYE to the called carrier')
    expect(await peer.next('ended')).toMatchObject({ by: 'timeout', at: answered.at + 8_000 })
  })
})
