import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { headerOf, headersOf, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, type Harness, startHarness } from './harness.ts'
import type { Answer, Peer, PeerOptions } from './peer.ts'
import type { Account } from './phone.ts'

/** A carrier calls a number that rings registered phones. */
let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ workers: 4, limits: { trunkAnswersWithinMs: 1_500 } })
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const bob: Account = { user: 'bob', password: 'builder' }
const CARRIER = '127.0.0.30'
const NUMBER = '442079460123'
const CALLER = '33140506070'

type Allow = Omit<Extract<Answer, { type: 'allow' }>, 'call'>
type Target = NonNullable<Allow['plan']>[number]

const ringing = (plan: Target[], given: Partial<Allow> = {}): Allow => ({
  type: 'allow',
  callerId: CALLER,
  coveredSeconds: 60,
  number: NUMBER,
  plan,
  trunks: [],
  ...given,
})
const phones = (...names: string[]): Target => ({ id: -1, seconds: 20, phones: names })

async function peerFor(authorize: PeerOptions['authorize']): Promise<Peer> {
  const peer = await harness.peer({
    ...(authorize ? { authorize } : {}),
    credentials: credentialsOf(alice, bob),
  })
  peer.send({ type: 'sources', clear: true, add: [CARRIER] })
  await peer.processed()
  return peer
}

/** The carrier's INVITE from its address, as an E.164 number. */
async function callFromCarrier(extra: [string, string][] = []) {
  const carrier = await harness.phone({ from: CARRIER })
  const call = await carrier.call(NUMBER, [
    ['From', `"Jane Roe" <sip:${CALLER}@carrier.example>;tag=${Math.random().toString(36).slice(2)}`],
    ...extra,
  ])
  return { carrier, call }
}

describe('a call of a carrier', () => {
  it('rings all registered phones, and the first one that answers gets it', async () => {
    const peer = await peerFor(() => ringing([phones('alice', 'bob')], { callerName: 'Jane Roe' }))
    const first = await startCalledPhone(harness, alice)
    const second = await startCalledPhone(harness, bob)
    await Promise.all([first.register(), second.register()])
    const { call } = await callFromCarrier()
    await Promise.all([first.rung(), second.rung()])
    await call.rings()
    await first.answer()
    expect((await call.ended).status).toBe(200)
    const answeredAt = Date.now()
    const canceled = await second.gets('CANCEL')
    expect(Date.now() - answeredAt).toBeLessThan(1_000)
    expect(headerOf(canceled, 'reason')).toBe('SIP;cause=200;text="Call completed elsewhere"')
    await call.speech.echoes(3)

    const asked = await peer.next('authorize')
    expect(asked).toMatchObject({
      direction: 'in',
      to: NUMBER,
      from: CALLER,
      fromName: 'Jane Roe',
      isPrivate: false,
      address: CARRIER,
    })
    expect(asked.user).toBeUndefined()
    expect(await peer.next('ringing')).toMatchObject({ call: asked.call, trunk: -1 })
    expect(await peer.next('answered')).toMatchObject({ call: asked.call, trunk: -1 })
    const [invite] = first.invites()
    expect(invite && headerOf(invite, 'from')).toMatch(
      new RegExp(`^"Jane Roe" <sip:${CALLER}@127\\.0\\.0\\.1>;tag=`),
    )
    expect(invite && uriOf(headerOf(invite, 'to'))).toBe(`sip:${NUMBER}@127.0.0.1`)

    expect((await call.hangUp()).status).toBe(200)
    await first.gets('BYE')
    expect(await peer.next('ended')).toMatchObject({
      call: asked.call,
      by: 'caller',
      trunk: -1,
      attempts: [{ trunk: -1, code: 200 }],
    })
    expect(peer.all('ringing')).toHaveLength(1)
    expect(second.received('BYE')).toEqual([])
  })

  it('ends for the carrier when the phone hangs up, and the end waits for its confirmation', async () => {
    const peer = await peerFor(() => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    await phone.register()
    const { call } = await callFromCarrier()
    expect((await call.ended).status).toBe(200)
    await phone.gets('ACK')
    await phone.hangUp()
    await call.isHungUp()
    expect(await peer.next('ended')).toMatchObject({ by: 'callee', trunk: -1 })
    await eventually(() => phone.repliesTo('BYE').length > 0, '200 to the BYE')
  })

  it('shows only headers that the switch composes', async () => {
    await peerFor(() => ringing([phones('alice')], { diversion: '442079460999' }))
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    await phone.register()
    const { carrier, call } = await callFromCarrier([
      ['P-Asserted-Identity', '<sip:+19005550000@bank.example>'],
      ['X-Secret', 'of the carrier'],
    ])
    const answer = await call.ended
    expect(answer.status).toBe(200)
    const [invite] = phone.invites()
    expect(JSON.stringify(invite)).not.toMatch(/9005550000|bank\.example|Secret|carrier\.example/)
    expect(JSON.stringify(invite)).not.toContain(`:${carrier.line.port}`)
    expect(invite && headersOf(invite, 'diversion')).toEqual(['<sip:442079460999@127.0.0.1>'])
    expect(JSON.stringify(call.received())).not.toContain('Called Phone')
    expect(JSON.stringify(call.received())).not.toContain(`:${phone.phone.line.port}`)
    await call.hangUp()
  })
})
