import { expect, it } from 'vitest'
import { headerOf } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, credentialsOf, harnessForFile, nextPort } from './harness.ts'
import { browserAnswer, CARRIER, callOfCarrier, NUMBER, phones, ringing } from './incoming-calls.ts'
import type { PeerOptions } from './peer.ts'
import type { Account } from './phone.ts'

/** A carrier calls a number that rings web phones. */
const wsPort = nextPort()
const harness = await harnessForFile({ wsPort, phonePort: 0 })

const page: Account = { user: 'browser~a1b2', password: 'of the portal' }

/** In order of preference, without telephone events. */
const codecsOf = (body: string): string[] => {
  const types = /m=audio \d+ \S+ (.*)/.exec(body)?.[1]?.trim().split(' ') ?? []
  const nameOf = (type: string) => new RegExp(`a=rtpmap:${type} (\\S+)`).exec(body)?.[1] ?? type
  return types.map(nameOf).filter((name) => !name.startsWith('telephone-event'))
}

/** Each page has its own Contact, like SIP.js. */
function startPage() {
  const host = `${Math.random().toString(36).slice(2)}.invalid`
  return startCalledPhone(harness, page, {
    transport: 'ws',
    switchPort: harness.running.phonePort ?? 0,
    path: `/phone/${page.user}`,
    claims: host,
    contact: `sip:${page.user}@${host};transport=ws`,
    describe: browserAnswer,
  })
}

async function peerFor(authorize: NonNullable<PeerOptions['authorize']>) {
  const peer = await harness.peer({
    authorize,
    credentials: credentialsOf(alice, page, { ...page, user: 'browser~caller' }),
  })
  peer.send({ type: 'sources', clear: true, add: [CARRIER] })
  peer.send({ type: 'unregister', user: alice.user })
  await peer.processed()
  return peer
}

it('rings a page and a desk phone at once, each with its own media, and the page answers', async () => {
  const peer = await peerFor(() => ringing([phones('alice', page.user)]))
  const web = await startPage()
  const desk = await startCalledPhone(harness, alice)
  await Promise.all([web.register(), desk.register()])
  const { call } = await callOfCarrier(harness)
  const [toWeb, toDesk] = await Promise.all([web.rung(), desk.rung()])
  expect(toWeb.body).toMatch(/m=audio \d+ UDP\/TLS\/RTP\/SAVPF/)
  for (const line of ['a=ice-ufrag:', 'a=candidate:', 'a=fingerprint:sha-256', 'a=setup:', 'a=rtcp-mux'])
    expect(toWeb.body).toContain(line)
  expect(codecsOf(toWeb.body)).toEqual(['opus/48000/2', 'PCMA/8000', 'PCMU/8000'])
  expect(toDesk.body).toMatch(/m=audio \d+ RTP\/AVP 8/)
  expect(codecsOf(toDesk.body)).not.toContain('opus/48000/2')
  expect(toDesk.body).not.toMatch(/ice|candidate|fingerprint|rtcp-mux/)
  await web.answer()
  const answer = await call.ended
  expect(answer.status).toBe(200)
  expect(answer.body).toMatch(/m=audio \d+ RTP\/AVP 8/)
  expect(answer.body).not.toMatch(/ice-ufrag|candidate|fingerprint/)
  await desk.gets('CANCEL')

  await web.gets('ACK')
  expect((await call.request('INVITE', call.offer)).body).toMatch(/m=audio \d+ RTP\/AVP 8/)
  const inside = await eventually(() => web.received('INVITE')[1], 're-INVITE to the page')
  expect(inside.body).toMatch(/UDP\/TLS\/RTP\/SAVPF/)
  await web.request('INVITE', {}, browserAnswer('127.0.0.1', 4_000))
  expect((await call.requested('INVITE')).body).toMatch(/m=audio \d+ RTP\/AVP/)
  await call.hangUp()
  await web.gets('BYE')
  expect(await peer.next('ended')).toMatchObject({ by: 'caller' })
})

it('a desk phone answers while a page rings', async () => {
  await peerFor(() => ringing([phones('alice', page.user)]))
  const web = await startPage()
  const desk = await startCalledPhone(harness, alice)
  await Promise.all([web.register(), desk.register()])
  const { call } = await callOfCarrier(harness)
  await web.rung()
  await desk.answer()
  expect((await call.ended).status).toBe(200)
  await web.gets('CANCEL')
  await call.speech.echoes(3)
  await call.hangUp()
  await desk.gets('BYE')
})

it('a page registers only its own name, and is unregistered when its connection closes', async () => {
  const peer = await peerFor(() => ringing([phones(page.user)]))
  const web = await startPage()
  await web.register()
  expect(await peer.next('registered')).toMatchObject({ user: page.user })
  const other = await harness.phone({
    account: alice,
    transport: 'ws',
    switchPort: harness.running.phonePort ?? 0,
    path: `/phone/${page.user}`,
  })
  expect((await other.register()).status).toBe(403)
  web.phone.line.close()
  expect(await peer.next('unregistered', ({ user }) => user === page.user)).toBeTruthy()
  const { call } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(480)
  expect((await peer.next('failed')).attempts).toMatchObject([{ reason: 'No phone is registered' }])
})

it.each(['tcp', 'ws'] as const)(
  'rings a phone over %s and sends requests over its connection',
  async (transport) => {
    const peer = await peerFor(() => ringing([phones('alice')]))
    const phone = await startCalledPhone(harness, alice, {
      habit: 'answers',
      transport,
      claims: 'behind-nat.invalid:5060',
      ...(transport === 'ws' ? { switchPort: wsPort, describe: browserAnswer } : {}),
    })
    await phone.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    await phone.gets('ACK')
    expect((await call.request('INFO')).status).toBe(200)
    await call.hangUp()
    expect(headerOf(await phone.gets('BYE'), 'cseq')).toContain('BYE')
    await peer.next('ended')
  },
)

it('a page calls another customer with a desk phone and a page', async () => {
  const peer = await peerFor(({ parent }) =>
    parent
      ? ringing([phones('alice', page.user)])
      : ringing([{ id: -1, seconds: 60, next: { direction: 'in', to: NUMBER } }]),
  )
  const web = await startPage()
  const desk = await startCalledPhone(harness, alice)
  await Promise.all([web.register(), desk.register()])
  const other: Account = { ...page, user: 'browser~caller' }
  const caller = await harness.phone({
    account: other,
    transport: 'ws',
    switchPort: harness.running.phonePort ?? 0,
    path: `/phone/${other.user}`,
    claims: 'c3d4.invalid',
  })
  for (const answering of [desk, web]) {
    const call = await caller.call(NUMBER, [], (host, port) =>
      browserAnswer(host, port).replace('passive', 'actpass'),
    )
    const count = answering === desk ? 1 : 2
    const [toWeb, toDesk] = await Promise.all([web.rung(count), desk.rung(count)])
    expect(toWeb.body).toMatch(/UDP\/TLS\/RTP\/SAVPF/)
    expect(toDesk.body).toMatch(/m=audio \d+ RTP\/AVP/)
    await answering.answer(count)
    const answer = await call.ended
    expect(answer.body).toMatch(/m=audio \d+ UDP\/TLS\/RTP\/SAVPF/)
    expect(answer.body).toContain('a=setup:active')
    expect(answer.body).toContain('a=ice-ufrag:')
    const held = await call.request('INVITE', call.offer.replace('a=sendrecv', 'a=sendonly'))
    expect(held.body).toContain('UDP/TLS/RTP/SAVPF')
    expect((await call.hangUp()).status).toBe(200)
    await peer.next('ended', (event) => event.legs?.length === 1 && peer.all('ended').length === count)
  }
})
