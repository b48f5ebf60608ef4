import { describe, expect, it } from 'vitest'
import { audioDescription, headerOf, headersOf, tagOf, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { bystanderForFile } from './bystander.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile, startHarness } from './harness.ts'
import { startManualCarrier } from './manual-carrier.ts'
import type { Forged, PhoneCall } from './phone.ts'

/** A hostile phone against a strict carrier that logs every request. */
const bystander = await bystanderForFile()
const harness = await harnessForFile({ workers: 4 })

async function answeredCall(given: { byeStatus?: number | null; coveredSeconds?: number } = {}) {
  const { byeStatus, coveredSeconds = 60 } = given
  const carrier = await harness.carrier({
    kind: 'echo',
    ringMs: 20,
    ...(byeStatus === undefined ? {} : { byeStatus }),
  })
  const peer = await harness.peer({
    authorize: () => allow([carrier], { coveredSeconds }),
    credentials: credentialsOf(alice),
  })
  const phone = await harness.phone({ account: alice })
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(200)
  const name = peer.all('authorize').at(-1)?.call ?? ''
  await peer.next('answered', (event) => event.call === name)
  await eventually(() => carrier.requests.some(({ method }) => method === 'ACK'), 'ACK')
  const end = () => peer.next('ended', (event) => event.call === name)
  return { carrier, peer, phone, call, name, end }
}

const evil = () => `sip:carrier@${bystander.host}:${bystander.port}`
const turned = (call: PhoneCall): Forged => {
  const { from, to } = call.names()
  return { From: to, To: from }
}

describe('a BYE ends the call at the carrier too', () => {
  it.each<[string, (call: PhoneCall) => Forged, [string, string][]?]>([
    ['to a foreign Request-URI', () => ({ uri: evil() })],
    ['to a foreign Request-URI over TCP', () => ({ uri: `${evil()};transport=tcp` })],
    [
      'with a foreign alias',
      (call) => ({ uri: `${call.names().target};alias=127.0.0.66~${bystander.port}~1` }),
    ],
    ['with one more Route', (call) => ({ routes: [...call.names().routes, `<${evil()};lr>`] })],
    ['with a foreign Route first', (call) => ({ routes: [`<${evil()};lr>`, ...call.names().routes] })],
    ['without a Route', () => ({ routes: [] })],
    ['with an unreadable Route', () => ({ routes: ['<sip:', ',,'] })],
    ['with an unknown extension', () => ({}), [['Require', 'nosuch']]],
    ['with an extension for proxies', () => ({}), [['Proxy-Require', 'nosuch']]],
    ['with a reused CSeq', () => ({ cseq: 1 })],
    ['with the maximum CSeq', () => ({ cseq: 4_294_967_295 })],
    ['that poses as the carrier', turned],
    [
      'that poses as the carrier, to the caller',
      (call) => ({ ...turned(call), uri: uriOf(call.names().from) }),
    ],
    ['with a foreign To', (call) => ({ To: `<${evil()}>;tag=${tagOf(call.names().to)}` })],
    ['with a foreign Contact', () => ({ Contact: `<${evil()}>` })],
    ['with a body', () => ({}), [['Content-Type', 'text/plain']]],
  ])('%s', async (_what, forged, more = []) => {
    const { carrier, call, end } = await answeredCall()
    call.forge('BYE', forged(call), more)
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await end()
    expect(carrier.requests.filter(({ method }) => method === 'BYE')).toHaveLength(1)
    // The media stays closed.
    const offer = audioDescription('127.0.0.1', call.speech.port)
    expect((await call.request('INVITE', offer)).status).toBe(481)
  })

  it('after an INFO with the maximum CSeq, which would leave none for our BYE', async () => {
    const { carrier, peer, call, name, end } = await answeredCall()
    call.forge('INFO', { cseq: 4_294_967_295 })
    call.forge('INFO', { cseq: 2_147_483_647 })
    call.forge('INFO', { cseq: 2_139_999_999 })
    await eventually(
      () => carrier.requests.some(({ method }) => method === 'INFO'),
      'the INFO with a valid CSeq',
    )
    peer.send({ type: 'hangup', call: name, reason: 'an administrator' })
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    expect((await end()).by).toBe('control')
    const counts = carrier.requests.map((request) => Number.parseInt(headerOf(request, 'cseq'), 10))
    expect(Math.max(...counts)).toBeLessThan(2 ** 31)
  })

  it('after an INFO with a small CSeq, which the carrier refuses', async () => {
    const { carrier, call, end } = await answeredCall()
    call.forge('INFO', { cseq: 1 })
    await eventually(() => carrier.requests.some(({ method }) => method === 'INFO'), 'INFO')
    call.forge('BYE', {})
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await end()
  })

  it('before the ACK, and without one', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.21'] })
    const phone = await harness.phone({ from: '127.0.0.21' })
    const headers = phone.basics('442071234567', 'no-ack')
    const answer = await phone.ask('INVITE', `sip:442071234567@${phone.server}`, headers, '', 'no-ack')
    expect(answer.status).toBe(200)
    const own = headers.filter(([name]) => ['From', 'Call-ID', 'Max-Forwards'].includes(name))
    await phone.ask('BYE', evil(), [...own, ['To', headerOf(answer, 'to')]], '', 'no-ack')
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await peer.next('ended')
  })

  it('when the covered seconds end, and a later re-INVITE gets 481', async () => {
    const { carrier, call, end } = await answeredCall({ coveredSeconds: 1 })
    call.forge('INVITE', { Contact: `<${evil()}>` }, [], call.offer)
    expect((await end()).by).toBe('timeout')
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    expect((await call.request('INVITE', call.offer)).status).toBe(481)
  })
})

describe('in-dialog requests reach only the other side', () => {
  const methods = [
    'INFO',
    'OPTIONS',
    'NOTIFY',
    'UPDATE',
    'INVITE',
    'PRACK',
    'MESSAGE',
    'REFER',
    'SUBSCRIBE',
    'PUBLISH',
  ]
  const ways = (call: PhoneCall): Forged[] => [
    { uri: evil() },
    { uri: `${evil()};transport=tcp` },
    { routes: [`<${evil()};lr>`] },
    { routes: [...call.names().routes, `<${evil()};lr>`] },
    { uri: `${call.names().target};alias=127.0.0.66~${bystander.port}~2` },
    { Contact: `<${evil()}>` },
    { ...turned(call), uri: evil(), Contact: `<${evil()}>` },
  ]

  it('of a call to a carrier', async () => {
    const { carrier, call, end } = await answeredCall()
    for (const method of methods)
      for (const forged of ways(call)) call.forge(method, forged, [], method === 'INVITE' ? call.offer : '')
    await eventually(() => carrier.requests.filter(({ method }) => method === 'INFO').length >= 5, 'INFOs')
    carrier.hangUpAll()
    await call.isHungUp()
    expect((await end()).by).toBe('callee')
  })

  it('of a call to the echo test', async () => {
    const own = await startHarness()
    try {
      const echo = await own.carrier({ kind: 'echo', ringMs: 20 })
      const withEcho = await startHarness({ echoPort: echo.port })
      try {
        await withEcho.peer({ credentials: credentialsOf(alice) })
        const phone = await withEcho.phone({ account: alice })
        const call = await phone.call('echo')
        expect((await call.ended).status).toBe(200)
        for (const method of methods)
          for (const forged of ways(call))
            call.forge(method, forged, [], method === 'INVITE' ? call.offer : '')
        expect((await call.request('OPTIONS')).status).toBe(200)
        await call.hangUp()
        await eventually(() => echo.live() === 0, 'end of the echo')
      } finally {
        await withEcho.close()
      }
    } finally {
      await own.close()
    }
  })

  it('and a BYE of the carrier goes to the source address of the phone, whatever its Contact and Record-Route say', async () => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567', [
      ['Contact', `<${evil()}>`],
      ['Record-Route', `<${evil()};lr>`],
    ])
    expect((await call.ended).status).toBe(200)
    carrier.hangUpAll()
    const bye = await call.isHungUp()
    expect(bye.uri).toBe(evil())
    expect(headersOf(bye, 'route')).toEqual([`<${evil()};lr>`])
  })
})

it('a phone that poses as the carrier cannot move the target of later requests', async () => {
  const { carrier, call, end } = await answeredCall()
  const { target } = call.names()
  for (const uri of [target, evil(), uriOf(call.names().from)])
    call.forge('INVITE', { ...turned(call), uri, Contact: `<${evil()}>` }, [], call.offer)
  call.forge('BYE', {})
  await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
  await end()
})

describe('a carrier that does not confirm the end of a call', () => {
  it('gets repeated BYEs, and the call is charged until it confirms', async () => {
    const { carrier, peer, call, name, end } = await answeredCall({ byeStatus: 503 })
    expect((await call.hangUp()).status).toBe(200)
    const bye = () => carrier.requests.filter(({ method }) => method === 'BYE')
    await eventually(() => bye().length >= 2, 'second BYE')
    peer.send({ type: 'list', request: 'live' })
    const { calls } = await peer.next('live', ({ request }) => request === 'live')
    expect(calls.map((listed) => listed.call)).toContain(name)
    expect(peer.all('ended').filter((event) => event.call === name)).toEqual([])
    expect(await peer.next('unreleased', (event) => event.call === name)).toMatchObject({ trunk: 1 })
    const hungUpAt = Date.now()
    carrier.hangUpAll()
    expect((await end()).by).toBe('caller')
    expect((await end()).at).toBeGreaterThan(hungUpAt - 10_000)
  })

  it('is abandoned after releaseSeconds', async () => {
    const impatient = await startHarness({ limits: { releaseSeconds: 7 } })
    try {
      const carrier = await impatient.carrier({ kind: 'echo', ringMs: 20, byeStatus: null })
      const peer = await impatient.peer({
        authorize: () => allow([carrier]),
        credentials: credentialsOf(alice),
      })
      const phone = await impatient.phone({ account: alice })
      const call = await phone.call('442071234567')
      expect((await call.ended).status).toBe(200)
      const { at } = await peer.next('answered')
      await call.hangUp()
      const ended = await peer.next('ended', undefined, 20_000)
      expect(ended.at - at).toBeGreaterThanOrEqual(6_000)
    } finally {
      await impatient.close()
    }
  })
})

describe('an unexpected answer gets a BYE', () => {
  it('when it arrives after the call has failed', async () => {
    const carrier = harness.keep(await startManualCarrier())
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    expect((await call.ended).status).toBe(503)
    const { call: name } = await peer.next('failed')
    await carrier.answer('late')
    await eventually(() => carrier.byes().includes('late'), 'BYE to the carrier')
    expect(peer.all('answered').filter((event) => event.call === name)).toEqual([])
  })

  it('when two phones behind the carrier answer', async () => {
    const carrier = harness.keep(await startManualCarrier())
    const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567')
    await carrier.answer('first')
    expect((await call.ended).status).toBe(200)
    await carrier.answer('second')
    await eventually(() => carrier.byes().includes('second'), 'BYE to the second')
    expect(carrier.byes()).not.toContain('first')
    await call.hangUp()
    await eventually(() => carrier.byes().includes('first'), 'BYE to the first')
    await peer.next('ended')
  })
})
