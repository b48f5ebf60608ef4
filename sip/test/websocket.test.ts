import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { audioDescription } from '../../sandbox/carriers/sip-message.ts'
import { alice, allow, credentialsOf, type Harness, nextPort, startHarness } from './harness.ts'

const wsPort = nextPort()
let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ wsPort })
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

/** What a browser offers: encrypted speech that finds its way by ICE. */
const browserDescription = (host: string, port: number) =>
  [
    ...['v=0', `o=- 1 2 IN IP4 ${host}`, 's=-', 't=0 0', 'a=group:BUNDLE 0'],
    ...[`m=audio ${port} UDP/TLS/RTP/SAVPF 8 101`, `c=IN IP4 ${host}`, 'a=mid:0', 'a=sendrecv', 'a=rtcp-mux'],
    ...['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuvwx', 'a=setup:actpass'],
    `a=candidate:1 1 udp 2113937151 ${host} ${port} typ host`,
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    ...['a=rtpmap:8 PCMA/8000', 'a=rtpmap:101 telephone-event/8000', ''],
  ].join('\r\n')

const browser = (account = alice) =>
  harness.phone({ account, transport: 'ws', switchPort: wsPort, claims: 'a1b2c3.invalid' })

it('a phone in a browser registers, calls, is held by the carrier and is reached where it came from', async () => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 50 })
  const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const phone = await browser()
  expect((await phone.register()).status).toBe(200)
  expect(await peer.next('registered')).toMatchObject({ user: 'alice', address: '127.0.0.1' })

  const call = await phone.call('442071234567', [], browserDescription)
  const answer = await call.ended
  expect(answer.status).toBe(200)
  expect(answer.body).toMatch(/m=audio \d+ UDP\/TLS\/RTP\/SAVPF 8/)
  for (const line of ['a=ice-ufrag:', 'a=candidate:', 'a=fingerprint:sha-256', 'a=setup:', 'a=rtcp-mux'])
    expect(answer.body).toContain(line)
  const [invite] = carrier.requests
  expect(invite?.body).toMatch(/m=audio \d+ RTP\/AVP 8/)
  expect(invite?.body).not.toMatch(/ice|candidate|fingerprint|rtcp-mux/)
  expect(JSON.stringify(invite)).not.toContain('a1b2c3.invalid')

  const held = await call.request('INVITE', call.offer.replace('a=sendrecv', 'a=sendonly'))
  expect(held.body).toContain('a=recvonly')
  expect(held.body).toContain('UDP/TLS/RTP/SAVPF')
  expect(held.body).toContain('a=ice-ufrag:')
  const again = carrier.requests.filter(({ method }) => method === 'INVITE').at(-1)
  expect(again?.body).toContain('a=sendonly')
  expect(again?.body).toMatch(/m=audio \d+ RTP\/AVP 8/)
  expect(again?.body).not.toMatch(/ice|candidate|fingerprint|rtcp-mux/)
  carrier.reinviteAll('sendonly')
  const reinvite = await call.requested('INVITE')
  expect(reinvite.body).toContain('UDP/TLS/RTP/SAVPF')
  expect(reinvite.body).toContain('a=ice-ufrag:')
  carrier.hangUpAll()
  await call.isHungUp()
  expect(await peer.next('ended')).toMatchObject({ by: 'callee' })
})

it('a browser that speaks plain, or with a wrong password, is a phone like any other', async () => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 50 })
  await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const wrong = await browser({ ...alice, password: 'guessed' })
  expect((await wrong.register()).status).toBe(403)
  const phone = await browser()
  const call = await phone.call('442071234567', [], audioDescription)
  expect((await call.ended).body).toMatch(/m=audio \d+ RTP\/AVP/)
  expect((await call.hangUp()).status).toBe(200)
})

it('what is no WebSocket for SIP gets 404', async () => {
  for (const path of ['/', '/ws', '/ws/../etc'])
    expect((await fetch(`http://127.0.0.1:${wsPort}${path}`)).status).toBe(404)
})
