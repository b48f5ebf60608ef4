import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { FromSwitchOf } from '../../contract/switch-protocol.ts'
import { headerOf, headersOf, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually, LATE_MS } from './eventually.ts'
import { alice, allow, harnessForFile, refuse } from './harness.ts'
import {
  bob,
  CALLER,
  callOfCarrier,
  NUMBER,
  peerWithCarrier,
  phones,
  ringing,
  type Target,
} from './incoming-calls.ts'
import { startManualCarrier } from './manual-carrier.ts'
import type { PeerOptions } from './peer.ts'

/** Calls with several legs: forwarded calls, and calls between customers. */
const harness = await harnessForFile({ workers: 4 })

const MOBILE = '447700900123'
const forward: Target = { id: -2, seconds: 30, next: { direction: 'out', user: 'alice', to: MOBILE } }

type Asked = FromSwitchOf<'authorize'>
const peerFor = (authorize: NonNullable<PeerOptions['authorize']>) => peerWithCarrier(harness, authorize)
const isFurther = (asked: Asked) => asked.parent !== undefined

/** The names of the first leg and of the further one. */
async function legsOf(peer: Awaited<ReturnType<typeof peerFor>>) {
  const first = await peer.next('authorize', (asked) => !isFurther(asked))
  const further = await peer.next('authorize', isFurther)
  return { first, further }
}

async function forwardedCall(covered: { first?: number; further?: number } = {}) {
  const far = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const peer = await peerFor((asked) =>
    isFurther(asked)
      ? allow([far], { coveredSeconds: covered.further ?? 60, diversion: NUMBER })
      : ringing([{ id: -1, seconds: 1, phones: ['alice'] }, forward], {
          coveredSeconds: covered.first ?? 60,
        }),
  )
  const { call, carrier } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(200)
  const answered = await peer.next('answered')
  return { far, peer, call, carrier, answered, ...(await legsOf(peer)) }
}

describe('a forwarded call', () => {
  it('has two legs that ring, are answered and end together', async () => {
    const { far, peer, call, first, further } = await forwardedCall()
    expect(further).toMatchObject({
      direction: 'out',
      parent: first.call,
      hops: 1,
      user: 'alice',
      to: MOBILE,
      from: CALLER,
      fromName: 'Jane Roe',
      isPrivate: false,
    })
    const legs = [{ call: first.call, trunk: -2, attempts: [{ trunk: -1, code: 480 }] }]
    expect(await peer.next('ringing')).toMatchObject({ call: further.call, trunk: 1, legs })
    expect(await peer.next('answered')).toMatchObject({ call: further.call, trunk: 1, legs })
    peer.send({ type: 'list', request: 'both' })
    const { calls } = await peer.next('live', ({ request }) => request === 'both')
    expect(calls.map(({ call: name, state }) => [name, state]).sort()).toEqual(
      [first, further].map(({ call: name }) => [name, 'answered']).sort(),
    )
    await call.speech.echoes(3)
    const invite = far.requests.find(({ method }) => method === 'INVITE')
    expect(invite && headersOf(invite, 'diversion')).toEqual([`<sip:${NUMBER}@127.0.0.1>`])
    expect((await call.hangUp()).status).toBe(200)
    await eventually(() => far.live() === 0, 'BYE to the called carrier')
    expect(await peer.next('ended')).toMatchObject({
      call: further.call,
      by: 'caller',
      trunk: 1,
      attempts: [{ trunk: 1, code: 200 }],
      legs,
    })
    await pause(200)
    expect(peer.all('ended')).toHaveLength(1)
    peer.send({ type: 'list', request: 'none' })
    expect((await peer.next('live', ({ request }) => request === 'none')).calls).toEqual([])
  })

  it('ends for the calling carrier when the called one hangs up', async () => {
    const { far, peer, call, further } = await forwardedCall()
    far.hangUpAll()
    await call.isHungUp()
    expect(await peer.next('ended')).toMatchObject({ call: further.call, by: 'callee' })
  })

  it.each([
    ['the first leg', { first: 2 }],
    ['the further leg', { further: 2 }],
  ])('ends when the covered seconds of %s are over', async (_which, covered) => {
    const { far, peer, call, answered, further } = await forwardedCall(covered)
    await call.isHungUp()
    await eventually(() => far.live() === 0, 'BYE to the called carrier')
    const ended = await peer.next('ended')
    expect(ended).toMatchObject({ call: further.call, by: 'timeout', at: answered.at + 2_000 })
  })

  it('continues while both legs are extended', async () => {
    const { peer, call, answered, first, further } = await forwardedCall({ first: 6, further: 7 })
    peer.send({ type: 'extend', call: first.call, coveredSeconds: 10 })
    peer.send({ type: 'extend', call: further.call, coveredSeconds: 9 })
    await call.isHungUp()
    expect(Date.now() - answered.at).toBeLessThan(9_000 + LATE_MS)
    expect(await peer.next('ended')).toMatchObject({ by: 'timeout', at: answered.at + 9_000 })
  })

  it.each(['first', 'further'] as const)('ends when call control hangs up its %s leg', async (which) => {
    const call = await forwardedCall()
    call.peer.send({ type: 'hangup', call: call[which].call, reason: 'the customer' })
    await call.call.isHungUp()
    await eventually(() => call.far.live() === 0, 'BYE to the called carrier')
    expect(await call.peer.next('ended')).toMatchObject({ call: call.further.call, by: 'control' })
  })

  it('repeats the BYE to a calling carrier that does not confirm, without delaying the end', async () => {
    const { far, peer, call, carrier } = await forwardedCall()
    carrier.line.close()
    far.hangUpAll()
    expect(await peer.next('ended', undefined, 3_000)).toMatchObject({ by: 'callee' })
    expect(call.requests('BYE')).toEqual([])
  })
})

describe('a forwarded call that fails', () => {
  const targets: Target[] = [forward, { id: -3, seconds: 20, phones: ['bob'] }]

  it('rings the next target when the further leg is refused', async () => {
    const peer = await peerFor((asked) => (isFurther(asked) ? refuse(402, 'no_balance') : ringing(targets)))
    const phone = await startCalledPhone(harness, bob, { habit: 'answers' })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    const { first } = await legsOf(peer)
    const answered = await peer.next('answered')
    expect(answered).toMatchObject({ call: first.call, trunk: -3 })
    expect(answered.legs).toBeUndefined()
    await call.hangUp()
    expect((await peer.next('ended')).attempts).toMatchObject([
      { trunk: -2, code: 402, reason: 'no_balance' },
      { trunk: -3, code: 200 },
    ])
    expect(peer.all('failed')).toEqual([])
  })

  it('rings the next target when the further leg fails, which is reported alone', async () => {
    const far = await harness.carrier({ kind: 'refuse', code: 503, reason: 'Down' })
    const peer = await peerFor((asked) => (isFurther(asked) ? allow([far]) : ringing(targets)))
    const phone = await startCalledPhone(harness, bob, { habit: 'answers' })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    const { first, further } = await legsOf(peer)
    const failed = await peer.next('failed')
    expect(failed).toMatchObject({ call: further.call, code: 503, attempts: [{ trunk: 1, code: 503 }] })
    expect(failed.legs).toBeUndefined()
    await call.speech.echoes(3)
    await call.hangUp()
    const ended = await peer.next('ended')
    expect(ended).toMatchObject({
      call: first.call,
      attempts: [
        { trunk: -2, code: 503 },
        { trunk: -3, code: 200 },
      ],
    })
    expect(ended.legs).toBeUndefined()
  })

  it('ends with busy when the forwarded number is busy', async () => {
    const far = await harness.carrier({ kind: 'refuse', code: 486, reason: 'Busy' })
    const peer = await peerFor((asked) => (isFurther(asked) ? allow([far]) : ringing([forward])))
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(486)
    const { first, further } = await legsOf(peer)
    expect(await peer.next('failed', (event) => event.call === further.call)).toMatchObject({ code: 486 })
    expect(await peer.next('failed', (event) => event.call === first.call)).toMatchObject({
      code: 486,
      attempts: [{ trunk: -2, code: 486 }],
    })
  })

  it('is canceled while the further leg waits for call control, and gets `failed` for a late allow', async () => {
    const peer = await peerFor((asked) => (isFurther(asked) ? null : ringing([phones('alice'), forward])))
    const phone = await startCalledPhone(harness, alice, { habit: 486 })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    const { first, further } = await legsOf(peer)
    call.cancel()
    expect((await call.ended).status).toBe(487)
    expect(await peer.next('failed')).toMatchObject({
      call: first.call,
      code: 487,
      by: 'caller',
      attempts: [{ trunk: -1, code: 486 }],
    })
    peer.send({ ...allow([{ host: '127.0.0.1', port: 9 }]), call: further.call })
    expect(await peer.next('failed', (event) => event.call === further.call)).toMatchObject({ code: 487 })
  })

  it('is canceled while the forwarded number rings, and both legs are reported once', async () => {
    const far = await harness.carrier({ kind: 'rings' })
    const peer = await peerFor((asked) => (isFurther(asked) ? allow([far]) : ringing([forward])))
    const { call } = await callOfCarrier(harness)
    await call.rings()
    call.cancel()
    expect((await call.ended).status).toBe(487)
    const { first, further } = await legsOf(peer)
    expect(await peer.next('failed')).toMatchObject({
      call: further.call,
      code: 487,
      legs: [{ call: first.call, trunk: -2 }],
    })
    await eventually(() => far.requests.some(({ method }) => method === 'CANCEL'), 'CANCEL')
    await pause(200)
    expect(peer.all('failed')).toHaveLength(1)
  })

  it('continues with the next target when call control does not answer for the further leg', async () => {
    const peer = await peerFor((asked) => (isFurther(asked) ? null : ringing(targets)))
    const phone = await startCalledPhone(harness, bob, { habit: 'answers' })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
    expect((await peer.next('ended')).attempts).toMatchObject([{ trunk: -2, code: 503 }, { trunk: -3 }])
  })

  it('stops after five further legs', async () => {
    const peer = await peerFor(() => ringing([{ ...forward, id: -1 }]))
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(482)
    expect(peer.all('authorize').map(({ hops = 0 }) => hops)).toEqual([0, 1, 2, 3, 4, 5])
    await eventually(() => peer.all('failed').length === 6, 'all legs to fail')
    expect(peer.all('failed')[0]?.attempts).toMatchObject([{ trunk: -1, code: 482 }])
    for (const { code } of peer.all('failed')) expect(code).toBe(480)
  })

  it('replies 482 if call control refuses the further leg as a loop, and 480 if a phone was tried too', async () => {
    let plan = [forward]
    const peer = await peerFor((asked) => (isFurther(asked) ? refuse(482, 'call_loop') : ringing(plan)))
    expect((await (await callOfCarrier(harness)).call.ended).status).toBe(482)
    plan = [forward, { id: -3, seconds: 5, phones: ['nobody'] }]
    expect((await (await callOfCarrier(harness)).call.ended).status).toBe(480)
    await eventually(() => peer.all('failed').length === 2, 'both calls to fail')
  })
})

describe('a call between customers', () => {
  it('stays in the switch and has a leg for each of them', async () => {
    const peer = await peerFor((asked) =>
      isFurther(asked)
        ? ringing([phones('bob')], { callerId: '12025550123' })
        : ringing([{ id: -1, seconds: 60, next: { direction: 'in', to: NUMBER } }], {
            callerId: '12025550123',
          }),
    )
    const called = await startCalledPhone(harness, bob, { habit: 'answers' })
    await called.register()
    const phone = await harness.phone({ account: alice })
    const call = await phone.call(NUMBER)
    expect((await call.ended).status).toBe(200)
    const { first, further } = await legsOf(peer)
    expect(first).toMatchObject({ user: 'alice', to: NUMBER })
    expect(further).toMatchObject({
      direction: 'in',
      parent: first.call,
      hops: 1,
      to: NUMBER,
      from: '12025550123',
    })
    expect(further.user).toBeUndefined()
    const legs = [{ call: first.call, trunk: -1, attempts: [] }]
    expect(await peer.next('answered')).toMatchObject({ call: further.call, trunk: -1, legs })
    const [invite] = called.invites()
    expect(invite && uriOf(headerOf(invite, 'from'))).toBe('sip:12025550123@127.0.0.1')
    expect(JSON.stringify(invite)).not.toContain('alice')
    await call.speech.echoes(3)
    await called.gets('ACK')
    await called.hangUp()
    await call.isHungUp()
    expect(await peer.next('ended')).toMatchObject({ call: further.call, by: 'callee', legs })
  })

  it('ends at once when the caller hangs up, even if the called phone is gone', async () => {
    const peer = await peerFor((asked) =>
      isFurther(asked)
        ? ringing([phones('bob')])
        : ringing([{ id: -1, seconds: 60, next: { direction: 'in', to: NUMBER } }]),
    )
    const called = await startCalledPhone(harness, bob, { habit: 'answers' })
    await called.register()
    const phone = await harness.phone({ account: alice })
    const call = await phone.call(NUMBER)
    expect((await call.ended).status).toBe(200)
    await peer.next('answered')
    called.phone.line.close()
    await call.hangUp()
    expect(await peer.next('ended', undefined, 3_000)).toMatchObject({ by: 'caller' })
  })
})

describe('a PBX', () => {
  it('is called at its URI, and requests go to the address that answered', async () => {
    const pbx = harness.keep(await startManualCarrier())
    const uri = `sip:${NUMBER}@127.0.0.1:${pbx.port}`
    const peer = await peerFor(() => ringing([{ id: -4, seconds: 20, uri }]))
    const { call } = await callOfCarrier(harness)
    await pbx.answer('pbx')
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
    await eventually(() => pbx.byes().includes('pbx'), 'BYE to the PBX')
    expect(await peer.next('ended')).toMatchObject({ by: 'caller', trunk: -4 })
  })
})
