import { describe, expect, it } from 'vitest'
import { audioDescription, headerOf, headersOf, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, harnessForFile } from './harness.ts'
import {
  bob,
  CALLER,
  CARRIER,
  callOfCarrier,
  NUMBER,
  peerWithCarrier,
  phones,
  ringing,
  type Target,
} from './incoming-calls.ts'
import type { PeerOptions } from './peer.ts'
import type { Account } from './phone.ts'

/** A carrier calls a number that rings registered phones. */
const harness = await harnessForFile({ workers: 4 })

const peerFor = (authorize: NonNullable<PeerOptions['authorize']>) => peerWithCarrier(harness, authorize)
const callFromCarrier = (extra: [string, string][] = []) => callOfCarrier(harness, extra)

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

describe('a call that no phone takes', () => {
  it.each([
    [
      'nobody is registered',
      [] as (number | 'rings')[],
      480,
      [{ trunk: -1, code: 480, reason: 'No phone is registered' }],
    ],
    ['the phone is busy', [486], 486, [{ trunk: -1, code: 486 }]],
    ['the phone declines', [603], 603, [{ trunk: -1, code: 603 }]],
    ['one of two phones declines', [603, 'rings'], 603, [{ trunk: -1, code: 603 }]],
    ['the phone redirects', [302], 480, [{ trunk: -1, code: 302 }]],
  ] as const)('fails when %s', async (_what, habits, code, attempts) => {
    const peer = await peerFor(() => ringing([phones('alice', 'bob')]))
    const called = await Promise.all(
      habits.map((habit, index) => startCalledPhone(harness, index === 0 ? alice : bob, { habit })),
    )
    for (const phone of called) await phone.register()
    const { call } = await callFromCarrier()
    expect((await call.ended).status).toBe(code)
    const { call: name } = await peer.next('authorize')
    expect(await peer.next('failed')).toMatchObject({ call: name, code, by: 'carrier', attempts })
    if (habits.length === 2) await called[1]?.gets('CANCEL')
  })

  it('lets the other phone ring when one is busy, and reports busy at the end', async () => {
    const plan = [{ ...phones('alice', 'bob'), seconds: 6 }]
    const peer = await peerFor(() => ringing(plan))
    const busy = await startCalledPhone(harness, alice, { habit: 486 })
    const free = await startCalledPhone(harness, bob)
    await Promise.all([busy.register(), free.register()])
    const { call } = await callFromCarrier()
    await free.rung()
    await busy.gets('ACK')
    expect(free.received('CANCEL')).toEqual([])
    expect((await call.ended).status).toBe(486)
    await free.gets('CANCEL')
    expect(await peer.next('failed')).toMatchObject({ code: 486, attempts: [{ trunk: -1, code: 486 }] })
  })

  it('tries the targets in order and ends with the last code of the plan', async () => {
    const plan: Target[] = [
      { id: -1, seconds: 4, phones: ['alice'] },
      { id: -2, seconds: 1, phones: ['nobody'] },
      { id: -3, seconds: 3, phones: ['bob'] },
    ]
    const peer = await peerFor(() => ringing(plan, { lastCode: 404 }))
    const first = await startCalledPhone(harness, alice)
    const second = await startCalledPhone(harness, bob)
    await Promise.all([first.register(), second.register()])
    const { call } = await callFromCarrier()
    await first.rung()
    expect(second.invites()).toEqual([])
    await first.gets('CANCEL')
    await second.rung()
    expect((await call.ended).status).toBe(404)
    const failed = await peer.next('failed')
    expect(failed.attempts).toMatchObject([
      { trunk: -1, code: 408, reason: 'No answer' },
      { trunk: -2, code: 480 },
      { trunk: -3, code: 408 },
    ])
    // If Kamailio's timer process is behind when the ringing starts, it catches up and ends the ringing early.
    expect((failed.attempts[0]?.until ?? 0) - (failed.attempts[0]?.at ?? 0)).toBeGreaterThanOrEqual(2_000)
    expect(peer.all('ringing').map(({ trunk }) => trunk)).toEqual([-1, -3])
  })

  it('is canceled by the carrier', async () => {
    const peer = await peerFor(() => ringing([phones('alice', 'bob')]))
    const first = await startCalledPhone(harness, alice)
    const second = await startCalledPhone(harness, bob)
    await Promise.all([first.register(), second.register()])
    const { call } = await callFromCarrier()
    await call.rings()
    await Promise.all([first.rung(), second.rung()])
    call.cancel()
    expect((await call.ended).status).toBe(487)
    await Promise.all([first.gets('CANCEL'), second.gets('CANCEL')])
    expect(await peer.next('failed')).toMatchObject({ code: 487, by: 'caller' })
    await peer.processed()
    peer.send({ type: 'list', request: 'none' })
    expect((await peer.next('live', ({ request }) => request === 'none')).calls).toEqual([])
  })

  it('is ended by call control while it rings', async () => {
    const peer = await peerFor(() => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice)
    await phone.register()
    const { call } = await callFromCarrier()
    await phone.rung()
    const { call: name } = await peer.next('ringing')
    peer.send({ type: 'hangup', call: name, reason: 'an administrator' })
    expect((await call.ended).status).toBe(480)
    await phone.gets('CANCEL')
    expect(await peer.next('failed')).toMatchObject({ call: name, by: 'control' })
  })
})

describe('the answer', () => {
  it('counts once when two phones answer at the same time', async () => {
    const peer = await peerFor(() => ringing([phones('alice', 'bob')]))
    const both = await Promise.all([alice, bob].map((account) => startCalledPhone(harness, account)))
    for (const phone of both) await phone.register()
    const { call } = await callFromCarrier()
    await Promise.all(both.map((phone) => phone.rung()))
    await Promise.all(both.map((phone) => phone.answer()))
    expect((await call.ended).status).toBe(200)
    const name = (await peer.next('answered')).call
    const loser = await eventually(
      () => both.find((phone) => phone.received('BYE').length > 0),
      'BYE to the second phone',
    )
    const winner = both.find((phone) => phone !== loser)
    await winner?.gets('ACK')
    expect(winner?.received('BYE')).toEqual([])
    await call.speech.echoes(3)
    await call.hangUp()
    await winner?.gets('BYE')
    await peer.next('ended', (event) => event.call === name)
    expect(peer.all('answered')).toHaveLength(1)
  })

  it('gets a BYE when the switch already rings elsewhere', async () => {
    const plan: Target[] = [
      { id: -1, seconds: 1, phones: ['alice'] },
      { id: -2, seconds: 20, phones: ['bob'] },
    ]
    const peer = await peerFor(() => ringing(plan))
    const late = await startCalledPhone(harness, alice)
    const next = await startCalledPhone(harness, bob)
    await Promise.all([late.register(), next.register()])
    const { call } = await callFromCarrier()
    await next.rung()
    await late.answer()
    await late.gets('BYE')
    expect(peer.all('answered')).toEqual([])
    await next.answer()
    expect((await call.ended).status).toBe(200)
    expect(await peer.next('answered')).toMatchObject({ trunk: -2 })
    await call.speech.echoes(3)
    await call.hangUp()
    await next.gets('BYE')
  })

  it('carries audio when the phone offers the SDP', async () => {
    await peerFor(() => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    await phone.register()
    const carrier = await harness.phone({ from: CARRIER })
    const call = await carrier.call(NUMBER, [], () => '')
    expect((await call.ended).body).toContain('m=audio')
    await eventually(() => {
      call.speech.say(1)
      return call.speech.heard() >= 5
    }, 'echo')
    await call.hangUp()
  })

  it('has no early media, and re-INVITEs work in both directions', async () => {
    await peerFor(() => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice, { habit: 'silent' })
    await phone.register()
    const { call } = await callFromCarrier()
    phone.reply(await phone.rung(), 183, audioDescription('127.0.0.1', 4_000))
    expect((await call.rings()).body).toBe('')
    await phone.answer()
    expect((await call.ended).status).toBe(200)
    await phone.gets('ACK')
    expect(
      (await call.request('INVITE', audioDescription(CARRIER, call.speech.port, 'sendonly'))).body,
    ).toContain('a=sendrecv')
    const inside = await eventually(() => phone.received('INVITE')[1], 're-INVITE to the phone')
    expect(inside.body).toContain('a=sendonly')
    await phone.request('INVITE', {}, audioDescription('127.0.0.1', 4_002))
    await call.requested('INVITE')
    await call.hangUp()
    await phone.gets('BYE')
  })
})

describe('a stranger', () => {
  it('is challenged and causes no question to call control', async () => {
    const peer = await peerFor(() => ringing([phones('alice')]))
    const stranger = await harness.phone({ from: '127.0.0.31' })
    expect((await (await stranger.call(NUMBER)).ended).status).toBe(407)
    peer.send({ type: 'sources', clear: true, add: [] })
    await peer.processed()
    const { call } = await callFromCarrier()
    expect((await call.ended).status).toBe(407)
    await peer.processed()
    expect(peer.all('authorize')).toEqual([])
  })

  it('is a carrier with the credentials of one, and one port of an address can be a source', async () => {
    const carrier: Account = { user: 'carrier~7', password: 'trunk' }
    const peer = await harness.peer({
      authorize: () => ringing([phones('nobody')]),
      credentials: credentialsOf(carrier),
    })
    const caller = await harness.phone({ account: carrier, from: '127.0.0.32' })
    expect((await (await caller.call(NUMBER)).ended).status).toBe(480)
    expect(peer.all('authorize')).toMatchObject([{ direction: 'in', user: 'carrier~7', to: NUMBER }])
    const [known, other] = [
      await harness.phone({ from: '127.0.0.33' }),
      await harness.phone({ from: '127.0.0.33' }),
    ]
    peer.send({ type: 'sources', clear: true, add: [`127.0.0.33:${known.line.port}`] })
    await peer.processed()
    expect((await (await known.call(NUMBER)).ended).status).toBe(480)
    expect((await (await other.call(NUMBER)).ended).status).toBe(407)
  })
})

describe('the identity of the caller', () => {
  it.each<[string, [string, string][], object]>([
    [
      'P-Asserted-Identity',
      [['P-Asserted-Identity', '"Bank" <sip:+4930123456@carrier.example;user=phone>']],
      { from: '+4930123456', isPrivate: false },
    ],
    ['a tel URI', [['P-Asserted-Identity', '<tel:+4930123456;cpc=ordinary>']], { from: '+4930123456' }],
    [
      'Remote-Party-ID',
      [['Remote-Party-ID', '<sip:4930123456@carrier.example>;privacy=off']],
      { from: '4930123456' },
    ],
    [
      'an anonymous From',
      [['From', '"Anonymous" <sip:anonymous@anonymous.invalid>;tag=a1']],
      { from: '', fromName: '', isPrivate: true },
    ],
    [
      'Privacy',
      [
        ['P-Asserted-Identity', '<sip:4930123456@x>'],
        ['Privacy', 'id'],
      ],
      { from: '4930123456', isPrivate: true },
    ],
    [
      'Diversion',
      [['Diversion', '<sip:+4989777@x>;reason=unconditional']],
      { from: CALLER, diversion: '+4989777' },
    ],
    [
      'hostile characters',
      [
        ['P-Asserted-Identity', '<sip:1%22,%22user%22:%22root%00@x>'],
        ['From', '"a\\"b" <sip:x@y>;tag=h1'],
      ],
      { direction: 'in' },
    ],
  ])('is read from %s', async (_what, headers, expected) => {
    const peer = await peerFor(() => ({ type: 'refuse', code: 404, reason: 'No such number' }))
    const names = new Set(headers.map(([name]) => name))
    const carrier = await harness.phone({ from: CARRIER })
    const from: [string, string] = ['From', `<sip:${CALLER}@carrier.example>;tag=${Date.now()}`]
    const call = await carrier.call(NUMBER, [...(names.has('From') ? [] : [from]), ...headers])
    expect((await call.ended).status).toBe(404)
    const asked = peer.all('authorize').at(-1)
    expect(asked).toMatchObject(expected)
    expect(asked?.user).toBeUndefined()
  })

  it.each([
    [404, 'Not Found'],
    [480, 'Temporarily Unavailable'],
    [486, 'Busy Here'],
  ])('does not learn why a call is refused with %i', async (code, phrase) => {
    await peerFor(() => ({ type: 'refuse', code, reason: 'no_balance' }))
    const { call } = await callFromCarrier()
    expect(await call.ended).toMatchObject({ status: code, reason: phrase })
  })

  it('is hidden from the phone when it must not be shown', async () => {
    await peerFor(() => ringing([phones('alice')], { isPrivate: true, callerName: 'Jane Roe' }))
    const phone = await startCalledPhone(harness, alice, { habit: 486 })
    await phone.register()
    const { call } = await callFromCarrier()
    expect((await call.ended).status).toBe(486)
    const [invite] = phone.invites()
    expect(invite && uriOf(headerOf(invite, 'from'))).toBe('sip:anonymous@anonymous.invalid')
    expect(invite && headersOf(invite, 'privacy')).toEqual(['id'])
    expect(JSON.stringify(invite)).not.toMatch(new RegExp(`${CALLER}|Jane`))
  })
})
