import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { encode } from '../../media/encode.ts'
import type { Conversation, Endpoint, IncomingCall } from '../../media/endpoint.ts'
import { SILENCE } from '../../media/g711.ts'
import { startEndpoint } from '../../media/start-endpoint.ts'
import { signature } from '../../media/tones.ts'
import { audioDescription, mediaTarget } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile, nextPort, refuse } from './harness.ts'
import { bob, browserOffer, CALLER, CARRIER, NUMBER, ringing, type Target } from './incoming-calls.ts'
import { trusted } from './peer.ts'
import { openSoundEnd } from './sound-end.ts'

/** Calls that a media process answers, and the legs that it requests. */
const harness = await harnessForFile({ workers: 4, wsPort: nextPort(), phonePort: 0 })

const HOST = '127.0.0.1'
const media = { user: 'media~m1', password: 'of the media process' }
const LEG = 'leg~x7Jt-_2'
const page = { user: 'browser~a1b2', password: 'of the portal' }

async function startMedia(onCall: (call: IncomingCall) => void): Promise<Endpoint> {
  return harness.keep(await startEndpoint({ host: HOST, port: 0, isAllowed: () => true, onCall }))
}

const target = (port: number, id = -1): Target => ({
  id,
  seconds: 10,
  uri: `sip:flow~7~test-switch~1-2-3@${HOST}:${port};transport=tcp`,
  isMedia: true,
})

async function peerFor(plan: Target[], leg: Target[] = []) {
  const peer = await harness.peer({
    authorize: ({ user, to }) => {
      if (user === media.user) return to === LEG ? ringing(leg) : refuse(403, 'unknown_caller')
      return user === undefined ? ringing(plan) : refuse(404, 'unknown_number')
    },
    credentials: credentialsOf(alice, bob, media),
  })
  peer.send({ type: 'sources', clear: true, add: [CARRIER] })
  for (const { user } of [alice, bob]) peer.send({ type: 'unregister', user })
  await peer.processed()
  return peer
}

/** The carrier calls our number with an end that plays and recognizes sound. */
async function callWithSound(describe?: (host: string, port: number) => string) {
  const carrier = await harness.phone({ from: CARRIER })
  const end = harness.keep(await openSoundEnd(CARRIER))
  const tag = Math.random().toString(36).slice(2)
  const from: [string, string] = ['From', `"Jane Roe" <sip:${CALLER}@carrier.example>;tag=${tag}`]
  const call = await carrier.call(NUMBER, [from], (host) => describe?.(host, end.port) ?? end.describe(host))
  const answer = await call.ended
  end.aim(mediaTarget(answer.body))
  return { call, end, answer }
}

const ended = (conversation: Conversation) =>
  new Promise<'them' | 'us'>((resolve) => conversation.onEnd(resolve))

/** A media process that plays a signature and answers each key with another one. */
async function startIvr() {
  const conversations: Conversation[] = []
  const users: string[] = []
  const keys: string[] = []
  const names: string[] = []
  const endpoint = await startMedia(async (incoming) => {
    users.push(incoming.user)
    names.push(`${incoming.from.name} ${incoming.from.user}`)
    const conversation = await incoming.answer()
    conversations.push(conversation)
    conversation.onKey((key) => {
      keys.push(key)
      conversation.play(encode(signature(Number(key))))
    })
    conversation.play(encode(signature(12)))
  })
  const answered = () => eventually(() => conversations[0], 'a call at the media process')
  return { endpoint, users, keys, names, answered }
}

describe('a call to a media process', () => {
  it('is heard by the caller, sends keys once, and ends when the caller hangs up', async () => {
    const ivr = await startIvr()
    const peer = await peerFor([target(ivr.endpoint.port)])
    const { call, end, answer } = await callWithSound()
    expect(answer.status).toBe(200)
    const over = ended(await ivr.answered())
    expect(ivr.users).toEqual(['flow~7~test-switch~1-2-3'])
    expect(ivr.names).toEqual([` ${CALLER}`])
    await expect.poll(() => end.hears()).toEqual([12])
    end.press('5')
    await expect.poll(() => end.hears()).toEqual([12, 5])
    expect(ivr.keys).toEqual(['5'])
    expect(await peer.next('answered')).toMatchObject({ trunk: -1 })
    expect((await call.hangUp()).status).toBe(200)
    expect(await over).toBe('them')
    expect(await peer.next('ended')).toMatchObject({
      by: 'caller',
      trunk: -1,
      attempts: [{ trunk: -1, code: 200 }],
    })
    expect(ivr.endpoint.liveCalls()).toBe(0)
  })

  it('ends when the media process hangs up', async () => {
    const ivr = await startIvr()
    const peer = await peerFor([target(ivr.endpoint.port)])
    const { call } = await callWithSound()
    const conversation = await ivr.answered()
    conversation.hangUp()
    await call.isHungUp()
    expect(await peer.next('ended')).toMatchObject({ by: 'callee' })
  })

  it('ends at the media process when call control ends it', async () => {
    const ivr = await startIvr()
    const peer = await peerFor([target(ivr.endpoint.port)])
    const { call } = await callWithSound()
    const over = ended(await ivr.answered())
    const { call: name } = await peer.next('answered')
    peer.send({ type: 'hangup', call: name, reason: 'media_lost' })
    await call.isHungUp()
    expect(await over).toBe('them')
  })

  it('goes to the second media process at once if the first one refuses the connection', async () => {
    const ivr = await startIvr()
    const gone = await startMedia(() => {})
    await gone.close()
    const peer = await peerFor([target(gone.port), target(ivr.endpoint.port, -2)])
    const startedAt = Date.now()
    const { end, answer } = await callWithSound()
    expect(answer.status).toBe(200)
    expect(Date.now() - startedAt).toBeLessThan(1_000)
    expect(await peer.next('answered')).toMatchObject({ trunk: -2 })
    await expect.poll(() => end.hears()).toEqual([12])
  })

  it('goes to the second media process after a second if the first one does not reply', async () => {
    const ivr = await startIvr()
    const silent = harness.keep(createServer(() => {}))
    await new Promise<void>((resolve) => silent.listen(0, HOST, resolve))
    const { port } = silent.address() as { port: number }
    await peerFor([target(port), target(ivr.endpoint.port, -2)])
    const startedAt = Date.now()
    const { answer } = await callWithSound()
    expect(answer.status).toBe(200)
    expect(Date.now() - startedAt).toBeLessThan(3_000)
  })

  it('gets keys that a carrier without telephone events sends as tones', async () => {
    const ivr = await startIvr()
    await peerFor([target(ivr.endpoint.port)])
    const { end } = await callWithSound((host, port) => audioDescription(host, port))
    await expect.poll(() => end.hears()).toEqual([12])
    await end.playKey('5')
    await expect.poll(() => ivr.keys).toEqual(['5'])
    await end.playKey('8')
    await expect.poll(() => ivr.keys).toEqual(['5', '8'])
  })

  it('speaks to a caller who offers G.722 only', async () => {
    const ivr = await startIvr()
    await peerFor([target(ivr.endpoint.port)])
    const { end, answer } = await callWithSound((host, port) =>
      [
        ...['v=0', `o=- 1 1 IN IP4 ${host}`, 's=-', `c=IN IP4 ${host}`, 't=0 0'],
        ...[`m=audio ${port} RTP/AVP 9`, 'a=rtpmap:9 G722/8000', ''],
      ].join('\r\n'),
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(/m=audio \d+ RTP\/AVP 9/)
    await expect.poll(() => end.types()).toEqual([9])
  })
})

describe('a media process that rings for a recorded call', () => {
  const spare = (given: Target): Target => ({ ...given, isSpare: true })
  const aliceRings = spare({ id: -1, seconds: 20, phones: ['alice'] })

  it.each([
    [408, 480],
    [486, 486],
    [603, 603],
  ])('took the call if it replies %s: the spare targets are skipped', async (code, reply) => {
    const first = await startMedia((incoming) => incoming.reject(code, 'Not Answered'))
    const second = await startIvr()
    const last: Target = { id: -2, seconds: 20, phones: ['bob'] }
    const peer = await peerFor([
      target(first.port, -101),
      spare(target(second.endpoint.port, -102)),
      aliceRings,
      last,
    ])
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    await phone.register()
    const { answer } = await callWithSound()
    expect(answer.status).toBe(reply)
    expect(phone.invites()).toEqual([])
    expect(second.users).toEqual([])
    expect(await peer.next('failed')).toMatchObject({
      attempts: [
        { trunk: -101, code },
        { trunk: -2, code: 480 },
      ],
    })
  })

  it('did not take the call if it replies 503: each spare target is tried', async () => {
    const leaving = await startMedia((incoming) => incoming.reject(503, 'Service Unavailable'))
    const busy = await startCalledPhone(harness, bob, { habit: 486 })
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    const bobRings = spare({ id: -2, seconds: 20, phones: ['bob'] })
    const plan = [target(leaving.port, -101), spare(target(leaving.port, -102)), bobRings, aliceRings]
    const peer = await peerFor(plan)
    await busy.register()
    await phone.register()
    const { answer } = await callWithSound()
    expect(answer.status).toBe(200)
    expect(await peer.next('answered')).toMatchObject({ trunk: -1 })
    expect(busy.invites()).toHaveLength(1)
  })

  it('is given up when it stops repeating its reply, and the spare target rings', async () => {
    const dying = await startMedia((incoming) => {
      incoming.ring()
      incoming.repeatTrying(6_000)
    })
    const phone = await startCalledPhone(harness, alice, { habit: 'answers' })
    const peer = await peerFor([{ ...target(dying.port, -101), seconds: 4 }, aliceRings])
    await phone.register()
    const { call } = await callWithSound()
    await call.hangUp()
    const { attempts } = await peer.next('ended')
    expect(attempts.map(({ trunk, code }) => [trunk, code])).toEqual([
      [-101, 503],
      [-1, 200],
    ])
    const [{ at = 0, until = 0 } = {}] = attempts
    expect(until - at).toBeGreaterThan(8_000)
  })
})

it('answers the call of a browser that offers only Opus, as for its mailbox', async () => {
  const ivr = await startIvr()
  const peer = await harness.peer({
    authorize: () => ringing([target(ivr.endpoint.port)], { number: '*97', callerId: '' }),
    credentials: credentialsOf(page),
  })
  const browser = await harness.phone({
    account: page,
    transport: 'ws',
    switchPort: harness.running.phonePort ?? 0,
    path: `/phone/${page.user}`,
  })
  const call = await browser.call('*97', [], browserOffer)
  const answer = await call.ended
  expect(answer.status).toBe(200)
  expect(answer.body).toMatch(/m=audio \d+ UDP\/TLS\/RTP\/SAVPF 111/)
  const over = ended(await ivr.answered())
  expect(await peer.next('authorize')).toMatchObject({ user: page.user, to: '*97' })
  expect((await call.hangUp()).status).toBe(200)
  expect(await over).toBe('them')
  expect(await peer.next('ended')).toMatchObject({ by: 'caller' })
})

describe('a leg of a media process', () => {
  async function connectedLeg(leg: Target[] = [{ id: -1, seconds: 20, phones: ['alice'] }]) {
    const ivr = await startIvr()
    const peer = await peerFor([target(ivr.endpoint.port)], leg)
    const sound = harness.keep(await openSoundEnd(HOST))
    const phone = await startCalledPhone(harness, alice, {
      habit: 'answers',
      describe: (host) => sound.describe(host),
    })
    await phone.register()
    const caller = await callWithSound()
    const incoming = await ivr.answered()
    const outgoing = ivr.endpoint.call({
      host: HOST,
      port: harness.sipPort,
      user: LEG,
      username: media.user,
      password: media.password,
    })
    const result = await outgoing.result
    if (result.type === 'failed') throw new Error(`${result.code} ${result.reason}`)
    const invite = await phone.rung()
    sound.aim(mediaTarget(invite.body))
    return { peer, sound, phone, caller, incoming, leg: result.conversation }
  }

  it('rings a phone, and both sides hear each other after the audio has left the media process', async () => {
    const { peer, sound, caller, incoming, leg } = await connectedLeg()
    const asked = await peer.next('authorize', ({ to }) => to === LEG)
    expect(asked).toMatchObject({ user: media.user })
    incoming.stopPlaying()
    incoming.connect(leg)
    caller.end.plays(3)
    sound.plays(9)
    await expect.poll(() => sound.hears()).toContain(3)
    await expect.poll(() => caller.end.hears()).toContain(9)
    let relayed = 0
    incoming.listen((packet) => {
      if (packet.some((byte) => byte !== SILENCE.alaw)) relayed += 1
    })
    await caller.call.requested('INVITE')
    await eventually(
      async () => {
        const before = relayed
        await pause(300)
        return relayed === before
      },
      'the end of the audio in the media process',
      8_000,
    )
    // rtpengine has learned the new sources and drops others.
    await pause(4_000)
    sound.forget()
    caller.end.forget()
    caller.end.plays(6)
    sound.plays(8)
    await expect.poll(() => sound.hears().at(-1)).toBe(6)
    await expect.poll(() => caller.end.hears().at(-1)).toBe(8)
    const over = ended(leg)
    await caller.call.hangUp()
    expect(await ended(incoming)).toBe('them')
    leg.hangUp()
    expect(await over).toBe('us')
    await eventually(() => peer.all('ended').length === 2, 'the end of both calls')
  })

  it('ends alone when the phone hangs up', async () => {
    const { peer, phone, leg, caller } = await connectedLeg()
    const over = ended(leg)
    phone.hangUp()
    expect(await over).toBe('them')
    const { call } = await peer.next('authorize', ({ to }) => to === LEG)
    expect(await peer.next('ended')).toMatchObject({ call, by: 'callee' })
    expect(caller.call.requests('BYE')).toEqual([])
  })

  it('goes to a carrier', async () => {
    const ivr = await startIvr()
    const far = await harness.carrier({ kind: 'echo', ringMs: 20 })
    await harness.peer({
      authorize: ({ user }) => (user ? allow([far], { diversion: NUMBER }) : refuse(403, 'unknown_caller')),
      credentials: credentialsOf(media),
    })
    const options = { host: HOST, port: harness.sipPort, user: LEG, username: media.user }
    const result = await ivr.endpoint.call({ ...options, password: media.password }).result
    expect(result.type).toBe('answered')
    if (result.type !== 'answered') return
    const over = ended(result.conversation)
    far.hangUpAll()
    expect(await over).toBe('them')
    const wrong = await ivr.endpoint.call({ ...options, password: 'guessed' }).result
    expect(wrong).toMatchObject({ type: 'failed', code: 403 })
  })
})

describe('a hostile phone', () => {
  it.each(['leg~x7Jt-_2', '%6Ceg~x7Jt-_2', 'flow~7~test-switch~1-2-3', 'voicemail~1~test-switch~1-2-3'])(
    'that dials %s reaches call control as itself',
    async (dialed) => {
      const peer = await peerFor([])
      const phone = await harness.phone({ account: alice })
      const call = await phone.call(dialed)
      expect((await call.ended).status).toBe(404)
      const asked = await peer.next('authorize')
      expect(asked).toMatchObject({ user: 'alice', to: dialed.replace('%6C', 'l') })
    },
  )

  it.each([
    ['a carrier', CARRIER],
    ['a trusted address', '127.0.0.40'],
  ])('at the address of %s is challenged for a leg', async (_what, from) => {
    const peer = await peerFor([])
    peer.send({ type: 'addresses', clear: true, add: [trusted('127.0.0.40', 'alice')], remove: [] })
    await peer.processed()
    for (const dialed of [LEG, `%6Ceg~${LEG.slice(4)}`]) {
      const phone = await harness.phone({ from })
      const call = await phone.call(dialed)
      expect((await call.ended).status).toBe(407)
    }
    expect(peer.all('authorize')).toEqual([])
  })
})
