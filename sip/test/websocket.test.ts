import { afterAll, expect, it } from 'vitest'
import { startEcho } from '../../launcher/echo.ts'
import { audioDescription } from '../../sandbox/carriers/sip-message.ts'
import { alice, allow, credentialsOf, harnessForFile, nextPort } from './harness.ts'
import { trusted } from './peer.ts'
import type { Account } from './phone.ts'

const wsPort = nextPort()
const echo = await startEcho()
afterAll(() => echo.close())
const harness = await harnessForFile({ wsPort, phonePort: 0, echoPort: echo.port })

/** A browser's offer with DTLS-SRTP and ICE. */
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

it('a web phone registers, calls, handles hold in both directions and gets the BYE of the carrier', async () => {
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

it('treats a WebSocket phone with plain RTP or a wrong password like any other phone', async () => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 50 })
  await harness.peer({ authorize: () => allow([carrier]), credentials: credentialsOf(alice) })
  const wrong = await browser({ ...alice, password: 'guessed' })
  expect((await wrong.register()).status).toBe(403)
  const phone = await browser()
  const call = await phone.call('442071234567', [], audioDescription)
  expect((await call.ended).body).toMatch(/m=audio \d+ RTP\/AVP/)
  expect((await call.hangUp()).status).toBe(200)
})

it('answers 404 to requests that are not SIP WebSocket handshakes', async () => {
  for (const path of ['/', '/ws', '/ws/../etc'])
    expect((await fetch(`http://127.0.0.1:${wsPort}${path}`)).status).toBe(404)
})

const portalPhone: Account = { user: 'browser~x7k2', password: 'for one session' }
const throughPortal = (account: Account, path = `/phone/${portalPhone.user}`) =>
  harness.phone({
    account,
    path,
    transport: 'ws',
    claims: 'a1b2c3.invalid',
    switchPort: harness.running.phonePort ?? 0,
  })

it('accepts the credentials of a portal phone only on its own connection, and no others there', async () => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 50 })
  const known = credentialsOf(alice, portalPhone)
  const peer = await harness.peer({ authorize: () => allow([carrier]), credentials: known })
  // A trusted address does not apply to the portal's port.
  peer.send({ type: 'addresses', clear: true, add: [trusted('127.0.0.1')], remove: [] })
  await peer.processed()
  const phone = await throughPortal(portalPhone)
  const call = await phone.call('442071234567', [], browserDescription)
  expect((await call.ended).status).toBe(200)
  expect(peer.all('authorize')).toMatchObject([{ user: portalPhone.user }])
  expect((await call.hangUp()).status).toBe(200)
  peer.send({ type: 'addresses', clear: true, add: [], remove: [] })
  await peer.processed()

  const others = [
    await throughPortal(portalPhone, '/phone/browser~other'),
    await throughPortal(alice),
    await browser(portalPhone),
    await harness.phone({ account: portalPhone }),
    await harness.phone({ account: portalPhone, transport: 'tcp' }),
    await harness.phone({
      account: portalPhone,
      transport: 'tcp',
      switchPort: harness.running.phonePort ?? 0,
    }),
  ]
  for (const other of others) expect((await (await other.call('442071234567')).ended).status).toBe(403)
  expect(peer.all('authorize')).toHaveLength(1)
  for (const path of ['/ws', '/phone/alice'])
    await expect(throughPortal(portalPhone, path)).rejects.toThrow('No WebSocket')
  // The portal's address is never banned, because all web phones share it.
  for (let guess = 0; guess < 12; guess++)
    expect((await (await (await throughPortal(alice)).call('442071234567')).ended).status).toBe(403)
  const again = await (await throughPortal(portalPhone)).call('442071234567', [], browserDescription)
  expect((await again.ended).status).toBe(200)
})

it('the echo test requires authentication, allows one call at a time and does not involve call control', async () => {
  const peer = await harness.peer({ credentials: credentialsOf(alice, portalPhone) })
  const phone = await throughPortal(portalPhone)
  const call = await phone.call('echo', [], browserDescription)
  const answer = await call.ended
  expect(answer.status).toBe(200)
  expect(answer.body).toContain('a=setup:active')
  expect((await (await phone.call('echo', [], browserDescription)).ended).status).toBe(486)
  const desk = await harness.phone({ account: alice })
  const heard = await desk.call('echo')
  expect((await heard.ended).status).toBe(200)
  for (const one of [call, heard]) expect((await one.hangUp()).status).toBe(200)
  const stranger = await harness.phone({ account: { ...alice, password: 'guessed' } })
  expect((await (await stranger.call('echo')).ended).status).toBe(403)
  expect(peer.all('authorize')).toEqual([])
  expect(echo.live()).toBe(0)
})
