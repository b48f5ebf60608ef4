import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ensureUdpPortIsFree } from '../../launcher/ports.ts'
import {
  audioDescription,
  headerOf,
  headersOf,
  mediaTarget,
  uriOf,
} from '../../sandbox/carriers/sip-message.ts'
import { eventually, LATE_MS } from './eventually.ts'
import { alice, allow, CALLER_ID, credentialsOf, harnessForFile, refuse, startHarness } from './harness.ts'
import { trusted } from './peer.ts'

const harness = await harnessForFile({ logLevel: 1 })

const quick = { kind: 'echo', ringMs: 50 } as const

async function answeredCall(
  behavior: Parameters<typeof harness.carrier>[0] = quick,
  covered = 60,
  described = audioDescription,
) {
  const carrier = await harness.carrier(behavior)
  const peer = await harness.peer({
    authorize: () => allow([carrier], { coveredSeconds: covered }),
    credentials: credentialsOf(alice),
  })
  const phone = await harness.phone({ account: alice })
  const call = await phone.call('442071234567', [], described)
  expect((await call.ended).status).toBe(200)
  return { carrier, peer, phone, call }
}

async function ringingCall() {
  const carrier = await harness.carrier({ kind: 'rings' })
  const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const phone = await harness.phone({ account: alice })
  const call = await phone.call('442071234567')
  await call.rings()
  return { carrier, peer, call }
}

describe('a call that is answered', () => {
  it('is reported from start to end when the caller hangs up', async () => {
    const { peer, call } = await answeredCall()
    expect((await call.hangUp()).status).toBe(200)
    const [asked] = peer.all('authorize')
    const ended = await peer.next('ended', (event) => event.call === asked?.call)
    const ofThis = (event: { call: string }) => event.call === asked?.call
    // These events are batched and may arrive after `ended`.
    const ringing = await peer.next('ringing', ofThis)
    const answered = await peer.next('answered', ofThis)
    expect(asked).toMatchObject({ user: 'alice', address: '127.0.0.1', to: '442071234567', sip: call.callId })
    expect([ringing.call, answered.call, ended.call]).toEqual([asked?.call, asked?.call, asked?.call])
    expect(ended).toMatchObject({
      by: 'caller',
      trunk: 1,
      answeredAt: answered.at,
      attempts: [{ trunk: 1, code: 200 }],
    })
    expect(peer.all('failed').filter(ofThis)).toEqual([])
    // The switch's log uses the same call ID.
    const steps = async () => {
      const log = await readFile(join(harness.runFolder, 'kamailio.log'), 'utf8')
      return [...log.matchAll(/call=test-switch\/(\S+) (.*)/g)].flatMap(([, name, step]) =>
        name === asked?.call ? step : [],
      )
    }
    const logged = `authorizing sip=${call.callId} from=127.0.0.1 to=442071234567`
    await expect.poll(steps).toEqual([logged, 'trying trunk=1', 'answered trunk=1', 'ended by=caller'])
  })

  it('ends for both sides when the callee hangs up', async () => {
    const { carrier, peer, call } = await answeredCall()
    carrier.hangUpAll()
    await call.isHungUp()
    const [asked] = peer.all('authorize')
    expect((await peer.next('ended', (event) => event.call === asked?.call)).by).toBe('callee')
  })

  it.each([
    ['is offered by the phone', audioDescription],
    ['is offered by the carrier', () => ''],
  ])('carries audio both ways when SDP %s, and closes the media port at the end', async (_, described) => {
    const { call } = await answeredCall(quick, 60, described)
    // Packets before the SDP answer are lost.
    await eventually(() => {
      call.speech.say(1)
      return call.speech.heard() >= 5
    }, 'echo')
    const port = mediaTarget((await call.ended).body)?.port ?? 0
    const isOpen = () =>
      ensureUdpPortIsFree(port, '127.0.0.1').then(
        () => false,
        () => true,
      )
    expect(await isOpen()).toBe(true)
    await call.hangUp()
    await expect.poll(isOpen).toBe(false)
  })

  it('hides the addresses of both sides from each other', async () => {
    const { carrier, call, phone } = await answeredCall()
    await call.hangUp()
    const toCarrier = JSON.stringify(carrier.requests)
    const toPhone = JSON.stringify(call.received())
    expect(toCarrier).not.toContain(`:${phone.line.port}`)
    expect(toCarrier).not.toContain('alice')
    expect(toPhone).not.toContain(`:${carrier.port}`)
    expect(toPhone).not.toContain(CALLER_ID)
  })

  it('is put on hold and resumed by a re-INVITE of the phone', async () => {
    const { carrier, call } = await answeredCall()
    const held = await call.request('INVITE', audioDescription('127.0.0.1', call.speech.port, 'sendonly'))
    expect(held.status).toBe(200)
    expect(held.body).toContain('a=recvonly')
    const offer = carrier.requests.filter(({ method }) => method === 'INVITE').at(-1)
    expect(offer?.body).toContain('a=sendonly')
    expect(offer?.body).not.toContain(` ${call.speech.port} `)
    expect((await call.request('INVITE', call.offer)).body).toContain('a=sendrecv')
    await call.speech.echoes(3)
    expect((await call.hangUp()).status).toBe(200)
  })

  it('is put on hold by the carrier', async () => {
    const { carrier, call } = await answeredCall()
    carrier.reinviteAll('sendonly')
    const reinvite = await eventually(() => call.requests('INVITE')[0], 're-INVITE to the phone')
    expect(reinvite.body).toContain('a=sendonly')
    expect(reinvite.body).not.toContain(`:${carrier.port}`)
    // The Contact of the phone's reply is the target of the next request.
    await eventually(() => call.requests('ACK').length === 1, 'ACK of the carrier')
    carrier.reinviteAll('sendrecv')
    await eventually(() => call.requests('INVITE').length === 2, 'second re-INVITE to the phone')
    await call.hangUp()
  })

  it.each(['UPDATE', 'INFO'])('forwards %s', async (method) => {
    const { carrier, call } = await answeredCall()
    expect((await call.request(method)).status).toBe(200)
    expect(carrier.requests.some((request) => request.method === method)).toBe(true)
    await call.hangUp()
  })

  it('gets OPTIONS answered by the switch', async () => {
    const { carrier, call } = await answeredCall()
    const answer = await call.request('OPTIONS')
    expect(answer.status).toBe(200)
    expect(headerOf(answer, 'allow')).toContain('INVITE')
    expect(carrier.requests.some(({ method }) => method === 'OPTIONS')).toBe(false)
    await call.hangUp()
  })

  it('does not forward REFER', async () => {
    const { carrier, call } = await answeredCall()
    expect((await call.request('REFER', '', [['Refer-To', '<sip:19005550000@example.com>']])).status).toBe(
      405,
    )
    expect(carrier.requests.some(({ method }) => method === 'REFER')).toBe(false)
    await call.hangUp()
  })

  it('gets a BYE on both sides when call control hangs up', async () => {
    const { carrier, peer, call } = await answeredCall()
    const [asked] = peer.all('authorize')
    peer.send({ type: 'hangup', call: asked?.call ?? '', reason: 'an administrator' })
    await call.isHungUp()
    await eventually(() => carrier.live() === 0, 'BYE to the carrier')
    const isIt = (event: { call: string }) => event.call === asked?.call
    expect((await peer.next('ended', isIt)).by).toBe('control')
    expect(peer.all('ended').filter(isIt)).toHaveLength(1)
  })

  it('is in the list of live calls', async () => {
    const { peer, call } = await answeredCall()
    const [asked] = peer.all('authorize')
    const ofThis = (event: { call: string }) => event.call === asked?.call
    const answered = await peer.next('answered', ofThis)
    peer.send({ type: 'list', request: 'first' })
    expect(await peer.next('live', ({ request }) => request === 'first')).toMatchObject({
      last: true,
      calls: [{ call: answered.call, state: 'answered', answeredAt: answered.at, coveredSeconds: 60 }],
    })
    await call.hangUp()
    await peer.next('ended', ofThis)
    peer.send({ type: 'list', request: 'second' })
    expect(await peer.next('live', ({ request }) => request === 'second')).toMatchObject({
      calls: [],
      last: true,
    })
  })
})

describe('the caller ID', () => {
  it('comes from call control, whatever the phone sends', async () => {
    const carrier = await harness.carrier(quick)
    await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567', [
      ['P-Asserted-Identity', '<sip:+19005550000@bank.example>'],
      ['P-Preferred-Identity', '<sip:+19005550000@bank.example>'],
      ['Remote-Party-ID', '<sip:+19005550000@bank.example>;privacy=off'],
      ['Diversion', '<sip:+19005550000@bank.example>'],
      ['X-Secret', 'of the phone'],
    ])
    await call.ended
    await call.hangUp()
    for (const request of carrier.requests) {
      expect(headerOf(request, 'from')).toMatch(new RegExp(`^<sip:${CALLER_ID}@127\\.0\\.0\\.1>`))
      expect(JSON.stringify(request)).not.toMatch(/9005550000|bank\.example|Secret|Claimed|Privacy/)
    }
    const invite = carrier.requests.find(({ method }) => method === 'INVITE')
    expect(invite && headersOf(invite, 'p-asserted-identity')).toEqual([`<sip:${CALLER_ID}@127.0.0.1>`])
  })

  it.each([
    ['Privacy', 'id'],
    ['From', '"Anonymous" <sip:anonymous@anonymous.invalid>;tag=hidden'],
  ])('is visible only to the carrier when the phone requests privacy with %s', async (name, value) => {
    const carrier = await harness.carrier(quick)
    await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567', [[name, value]])
    await call.ended
    await call.hangUp()
    const bye = await eventually(() => carrier.requests.find(({ method }) => method === 'BYE'), 'BYE')
    const invite = carrier.requests.find(({ method }) => method === 'INVITE')
    for (const request of invite ? [invite, bye] : [])
      expect(uriOf(headerOf(request, 'from'))).toBe('sip:anonymous@anonymous.invalid')
    expect(invite && headersOf(invite, 'privacy')).toEqual(['id'])
    expect(invite && headersOf(invite, 'p-asserted-identity')).toEqual([`<sip:${CALLER_ID}@127.0.0.1>`])
  })
})

describe('a failed call', () => {
  it('is refused when its Call-ID contains quotes and backslashes', async () => {
    const peer = await harness.peer({
      authorize: () => refuse(403, 'no_route'),
      credentials: credentialsOf(alice),
    })
    const phone = await harness.phone({ account: alice })
    const callId = `${Date.now()}","user":"root\\`
    expect((await (await phone.call('442071234567', [], undefined, callId)).ended).status).toBe(400)
    expect(peer.all('authorize')).toEqual([])
  })

  it.each([
    [402, 'Payment Required'],
    [403, 'No caller ID is set'],
    [404, 'Not a number'],
    [486, 'Too many calls'],
    [503, 'No trunk'],
  ])('is refused with %i and the reason', async (code, reason) => {
    await harness.peer({ authorize: () => refuse(code, reason), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const { status, reason: told } = await (await phone.call('442071234567')).ended
    expect({ status, told }).toEqual({ status: code, told: reason })
  })

  it('is canceled by the caller while it rings', async () => {
    const { carrier, peer, call } = await ringingCall()
    call.cancel()
    expect((await call.ended).status).toBe(487)
    const [asked] = peer.all('authorize')
    const isIt = (event: { call: string }) => event.call === asked?.call
    expect(await peer.next('failed', isIt)).toMatchObject({ code: 487, by: 'caller' })
    await eventually(() => carrier.requests.some(({ method }) => method === 'CANCEL'), 'CANCEL')
  })

  it('is canceled by the caller before call control answers; a late allow gets a failed event', async () => {
    const peer = await harness.peer({ authorize: () => null, credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    const asked = await peer.next('authorize')
    call.cancel()
    expect((await call.ended).status).toBe(487)
    const late = { ...allow([{ host: '127.0.0.1', port: 9 }]), call: asked.call }
    peer.send(late)
    const isIt = (event: { call: string }) => event.call === asked.call
    expect(await peer.next('failed', isIt)).toMatchObject({ code: 487, by: 'caller' })
    peer.send(late)
    await pause(100)
    expect(peer.all('failed').filter(isIt)).toHaveLength(1)
  })

  it('is ended by call control while it rings', async () => {
    const { carrier, peer, call } = await ringingCall()
    const name = peer.all('authorize')[0]?.call ?? ''
    await peer.next('ringing', (event) => event.call === name)
    peer.send({ type: 'list', request: 'ringing' })
    expect(await peer.next('live')).toMatchObject({ calls: [{ call: name, state: 'ringing' }] })
    peer.send({ type: 'hangup', call: name, reason: 'the customer' })
    expect((await call.ended).status).toBe(480)
    await eventually(() => carrier.requests.some(({ method }) => method === 'CANCEL'), 'CANCEL')
    expect(await peer.next('failed', (event) => event.call === name)).toMatchObject({
      code: 480,
      by: 'control',
    })
  })

  it('gets 503 when call control does not answer; later calls get it immediately until call control responds', async () => {
    const own = harness.keep(await startHarness({ limits: { controlAnswersWithinMs: 4_000 } }))
    const peer = await own.peer({ authorize: () => null, credentials: credentialsOf(alice) })
    const phone = await own.phone({ account: alice })
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(503)
    const asked = await peer.next('authorize')
    const others = await Promise.all(Array.from({ length: 12 }, () => phone.call('442071234567')))
    for (const other of others) expect((await other.ended).status).toBe(503)
    // One call per second probes call control, and these calls may fall into two seconds.
    const questions = peer.all('authorize').length
    expect(questions).toBeLessThanOrEqual(3)
    peer.send({ ...allow([{ host: '127.0.0.1', port: 9 }]), call: asked.call })
    expect(await peer.next('failed', ({ call: name }) => name === asked.call)).toMatchObject({ code: 503 })
    const third = await phone.call('442071234567')
    await eventually(() => peer.all('authorize').length > questions, 'question')
    third.cancel()
    expect((await third.ended).status).toBe(487)
  })

  it('gets 503 immediately without a connection to call control', async () => {
    const phone = await harness.phone()
    const other = await harness.phone({ account: alice })
    const began = Date.now()
    const call = await other.call('442071234567')
    expect((await call.ended).status).toBe(503)
    expect(Date.now() - began).toBeLessThan(LATE_MS)
    expect(phone.messages).toEqual([])
  })
})

describe('early media', () => {
  it('reaches the caller before the answer', async () => {
    const carrier = await harness.carrier({ kind: 'tone', ringMs: 400, hasEarlyMedia: true })
    await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    const progress = await call.rings(183)
    expect(progress.body).toContain('m=audio')
    await eventually(() => call.speech.heard() > 3, 'early media')
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
  })
})

describe('a reliable provisional response', () => {
  it('gets a PRACK, and UPDATE is forwarded before the answer', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 60_000, hasEarlyMedia: true })
    await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567', [['Supported', '100rel']])
    call.adopt(await call.rings(183))
    expect((await call.request('PRACK', '', [['RAck', '1 2 INVITE']])).status).toBe(200)
    expect((await call.request('UPDATE')).status).toBe(200)
    expect(carrier.requests.map(({ method }) => method)).toEqual(['INVITE', 'PRACK', 'UPDATE'])
    for (const request of carrier.requests) expect(headerOf(request, 'from')).toContain(CALLER_ID)
    carrier.answerAll()
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
  })
})

/** No phone has authenticated from this address. */
const EXCHANGE = '127.0.0.20'

describe('the caller', () => {
  it('is identified by a trusted address without a digest', async () => {
    const carrier = await harness.carrier(quick)
    const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: [EXCHANGE] })
    await pause(100)
    const phone = await harness.phone({ from: EXCHANGE })
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
    expect(peer.all('authorize').at(-1)?.user).toBeUndefined()
    expect(peer.all('credentials')).toEqual([])
    peer.send({ type: 'addresses', clear: true, add: [], remove: [] })
    await peer.processed()
    expect((await (await phone.call('442071234567')).ended).status).toBe(407)
  })

  it('stays identified by its address when other addresses change', async () => {
    const peer = await harness.peer({ authorize: () => refuse(403, 'known'), addresses: [EXCHANGE] })
    const phone = await harness.phone({ from: EXCHANGE })
    const answerAfter = async (add: string[], remove: string[]) => {
      peer.send({ type: 'addresses', clear: false, add: add.map((address) => trusted(address)), remove })
      await peer.processed()
      return (await (await phone.call('442071234567')).ended).status
    }
    expect(await answerAfter(['127.0.0.7', '127.0.0.8'], [])).toBe(403)
    expect(await answerAfter([], ['127.0.0.7'])).toBe(403)
    expect(await answerAfter(['127.0.0.9'], [EXCHANGE])).toBe(407)
    expect(await answerAfter([EXCHANGE], [])).toBe(403)
  })
})
