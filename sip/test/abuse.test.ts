import { createSocket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { formatMessage, headerOf, parseMessage } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { flood } from './flood.ts'
import { alice, allow, credentialsOf, harnessForFile, refuse, startHarness } from './harness.ts'
import { trusted } from './peer.ts'
import { openSender } from './sender.ts'
import { createMutator, everyKindOfMessage, tortureMessages } from './torture.ts'

const harness = await harnessForFile({ workers: 4 })

/** A separate source address, so that bans do not affect the good phones. */
const STRANGER = '127.0.0.2'

/** Answered calls of all tests in this file: unacknowledged events may arrive in the next test. */
const ours = new Set<string>()

/** Runs `bad` during a live call and checks that the call is not affected. */
async function callDuring(
  bad: (messages: string[], send: (bytes: Buffer) => Promise<void>) => Promise<void>,
) {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const peer = await harness.peer({
    authorize: ({ user }) => (user === 'alice' ? allow([carrier]) : refuse(403, 'Forbidden')),
    credentials: credentialsOf(alice),
    addresses: [STRANGER],
  })
  const phone = await harness.phone({ account: alice })
  const before = harness.running.kamailioPid()
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(200)
  const stranger = await openSender(STRANGER, harness.sipPort)
  const heard = [...carrier.requests, ...phone.messages].map(formatMessage)
  await bad(heard, stranger.send)

  await call.speech.echoes(3)
  expect((await call.hangUp()).status).toBe(200)
  const another = await phone.call('442071234567')
  expect((await another.ended).status).toBe(200)
  await another.hangUp()
  const mine = peer.all('authorize').filter(({ user }) => user === 'alice')
  expect(mine).toHaveLength(2)
  for (const { call } of mine) ours.add(call)
  await eventually(
    () => peer.all('ended').filter((event) => mine.some(({ call }) => call === event.call)).length === 2,
    'two `ended` events',
  )
  expect(peer.all('answered').filter(({ call }) => !ours.has(call))).toEqual([])
  expect(harness.running.kamailioPid()).toBe(before)
  expect(stranger.answers()).toBeGreaterThan(0)
  stranger.close()
}

describe('keeps serving and charges nothing after', () => {
  it('the torture messages of RFC 4475', async () => {
    await callDuring(async (_heard, send) => {
      for (const { text } of tortureMessages(`127.0.0.1:${harness.sipPort}`, `${STRANGER}:5060`)) {
        await send(Buffer.from(text, 'latin1'))
        await pause(5)
      }
      await pause(300)
    })
  })

  it('replies with a foreign Via, which would crash a worker', async () => {
    await callDuring(async (_heard, send) => {
      const via = (branch: string) => `Via: SIP/2.0/UDP ${STRANGER};rport;branch=${branch}\r\n`
      const head = 'From: <sip:a@b>;tag=1\r\nTo: <sip:a@b>;tag=2\r\nCall-ID: x\r\n'
      const answer = (vias: string, method: string, body = '') =>
        `SIP/2.0 200 OK\r\n${vias}${head}CSeq: 1 ${method}\r\n\r\n${body}`
      const two = (branch: string) => answer(via(branch) + via('z9hG4bK1.2.3'), 'INVITE')
      const bad = [
        answer('', 'CANCEL'),
        answer('', 'CANCEL', via('z9hG4bK1.2.3')),
        answer('', 'CANCEL').replace('SIP', 'sip'),
        `\r\n\r\n${answer('', 'CANCEL')}`,
        answer(via('a'), 'CANCEL'),
        two('a'),
        two('z9hG4bK1.2.3;branch=a'),
        two('z9hG4bK1.2.3\r\n ;branch=a'),
        two('z9hG4bK1.2.3 ; Branch = a'),
        two('a;branch=z9hG4bK1.2.3;branch=a'),
      ]
      for (let times = 0; times < 5; times++) for (const text of bad) await send(Buffer.from(text))
      await send(Buffer.from(`OPTIONS sip:a@b SIP/2.0\r\n${via('z9hG4bK1')}${head}CSeq: 1 OPTIONS\r\n\r\n`))
      await pause(300)
    })
  })

  it('ten thousand mutated packets', async () => {
    await callDuring(async (heard, send) => {
      const ends = [`127.0.0.1:${harness.sipPort}`, `${STRANGER}:5060`] as const
      const torture = tortureMessages(...ends).map(({ text }) => text)
      const mutate = createMutator(4475)
      const seeds = [...heard, ...torture, ...everyKindOfMessage(...ends)]
      for (let sent = 0; sent < 10_000; sent++) {
        await send(mutate(seeds[sent % seeds.length] ?? ''))
        if (sent % 100 === 99) await pause(20)
      }
      await pause(500)
    })
  })
})

it.each([
  ['Contact', '@127.0.0.9:5060>'],
  ['Contact', '<sip:phone@127.0.0.9:50\u00ff60>'],
  ['Contact', '<sip:pho ne@127.0.0.9:5060>'],
  ['Contact', '<sip:phone@127.0.0.9:5060>\u00ff'],
  ['Record-Route', '<sip:'],
])('refuses a call with an unreadable %s (%s) and releases its hold', async (name, value) => {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
  const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.9'] })
  const phone = await harness.phone({ from: '127.0.0.9' })
  const headers = phone.basics('442071234567', 'unread').filter(([other]) => other !== name)
  const uri = `sip:442071234567@${phone.server}`
  const answer = await phone.ask('INVITE', uri, [...headers, [name, value]], '', 'unread')
  expect(answer.status).toBe(400)
  for (const { call } of peer.all('authorize'))
    expect(await peer.next('failed', (event) => event.call === call)).toMatchObject({ code: 400 })
  peer.send({ type: 'list', request: 'left' })
  expect(await peer.next('live', ({ request }) => request === 'left')).toMatchObject({ calls: [] })
})

it('ignores an answer with an unreachable Contact', async () => {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  socket.on('message', (bytes, { port, address }) => {
    const request = parseMessage(bytes.toString('latin1'))
    if (!request?.method || request.method === 'ACK') return
    const headers = request.headers.filter(([name]) => /^(via|record-route|from|call-id|cseq)$/i.test(name))
    const to: [string, string] = ['To', `${headerOf(request, 'to')};tag=carrier`]
    const contact: [string, string] = ['Contact', '<sip:carrier@127.0.0.1:50\u00ff60>']
    const answer = formatMessage({ status: 200, reason: 'OK', headers: [...headers, to, contact], body: '' })
    socket.send(Buffer.from(answer, 'latin1'), port, address)
  })
  const carrier = { host: '127.0.0.1', port: socket.address().port }
  const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.10'] })
  const phone = await harness.phone({ from: '127.0.0.10' })
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(503)
  expect(await peer.next('failed')).toMatchObject({ code: 503 })
  expect(peer.all('answered')).toEqual([])
  socket.close()
})

describe('a long Call-ID', () => {
  const called = async (callId: string) => {
    const carrier = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.11'] })
    const phone = await harness.phone({ from: '127.0.0.11' })
    const call = await phone.call('442071234567', [], undefined, callId)
    return { peer, call, status: (await call.ended).status }
  }

  it('of 1,000 bytes is accepted and reported in every event', async () => {
    const { peer, call, status } = await called('n'.repeat(1_000))
    expect(status).toBe(200)
    await call.hangUp()
    const { call: name } = await peer.next('ended')
    expect((await peer.next('answered')).call).toBe(name)
  })

  it.each([1_001, 9_000, 41_000])('of %i bytes is rejected', async (length) => {
    const { peer, status } = await called('n'.repeat(length))
    expect(status).toBe(length > 16_384 ? 513 : 400)
    expect(peer.all('authorize')).toEqual([])
  })
})

it('a quote in a reason of a carrier reaches call control as a question mark', async () => {
  const carrier = await harness.carrier({ kind: 'refuse', code: 486, reason: 'Busy "Here' })
  const peer = await harness.peer({ authorize: () => allow([carrier]), addresses: ['127.0.0.7'] })
  const phone = await harness.phone({ from: '127.0.0.7' })
  const call = await phone.call('442071234567')
  expect((await call.ended).status).toBe(486)
  const { attempts } = await peer.next('failed')
  expect(attempts).toMatchObject([{ code: 486, reason: 'Busy ?Here' }])
})

it('a zero byte in a username or User-Agent is rejected', async () => {
  const peer = await harness.peer({ credentials: credentialsOf(alice) })
  const register = async (user: string, device: string) => {
    const phone = await harness.phone({ account: { ...alice, user }, from: '127.0.0.8' })
    const headers = phone
      .basics('alice', 'odd')
      .map(([name, value]): [string, string] => [name, value.replace('Test', device).replace(user, 'alice')])
    return phone.ask('REGISTER', `sip:${phone.server}`, [...headers, ['Expires', '300']], '', 'odd')
  }
  expect((await register('ali\0ce', 'Test')).status).toBe(400)
  expect((await register('alice', 'Te\0st')).status).toBe(400)
  expect(peer.all('credentials')).toEqual([])
  expect((await register('alice', 'Te"st')).status).toBe(200)
  expect(await peer.next('registered')).toMatchObject({
    user: 'alice',
    device: expect.stringMatching(/^Te\?st/),
  })
})

describe('password guessing', () => {
  it('leads to a ban after ten failures, only for that address', async () => {
    const peer = await harness.peer({ credentials: credentialsOf(alice) })
    const guesser = await harness.phone({ account: { user: 'alice', password: 'guess' }, from: '127.0.0.3' })
    let refused = 0
    for (let tries = 0; tries < 15; tries++) {
      const answer = await Promise.race([guesser.register(), pause(5_000, null)])
      if (answer === null) break
      expect(answer.status).toBe(403)
      refused += 1
    }
    expect(refused).toBe(10)
    expect(await peer.next('banned')).toMatchObject({ address: '127.0.0.3', user: 'alice' })
    const right = await harness.phone({ account: alice, from: '127.0.0.3' })
    expect(await Promise.race([right.register(), pause(500, null)])).toBeNull()
    const elsewhere = await harness.phone({ account: alice })
    expect((await elsewhere.register()).status).toBe(200)
    // A trusted address stays banned.
    peer.send({ type: 'addresses', clear: false, add: [trusted('127.0.0.3')], remove: [] })
    await peer.processed()
    expect(await Promise.race([right.register(), pause(500, null)])).toBeNull()
  })

  it('leads to a second ban right after the first one', async () => {
    const own = await startHarness({ limits: { failuresToBan: 3, banSeconds: 2 } })
    try {
      const peer = await own.peer({ credentials: credentialsOf(alice) })
      const from = '127.0.0.6'
      const guesser = await own.phone({ account: { user: 'alice', password: 'guess' }, from, isTerse: true })
      const isAnswered = async (phone: typeof guesser) =>
        (await Promise.race([phone.register(), pause(2_000, null)])) !== null
      for (let tries = 0; tries < 3; tries++) expect(await isAnswered(guesser)).toBe(true)
      await peer.next('banned')
      await expect.poll(() => isAnswered(guesser), { timeout: 20_000 }).toBe(true)
      for (let tries = 1; tries < 3; tries++) await guesser.register()
      await eventually(() => peer.all('banned').length === 2, 'second ban')
      const right = await own.phone({ account: alice, from, isTerse: true })
      expect(await isAnswered(right)).toBe(false)
    } finally {
      await own.close()
    }
  })

  it('does not prevent a phone at the same address from hanging up', async () => {
    const answers = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const rings = await harness.carrier({ kind: 'rings' })
    const peer = await harness.peer({
      credentials: credentialsOf(alice),
      authorize: ({ to }) => allow([to === '442071234567' ? answers : rings]),
    })
    const from = '127.0.0.12'
    const phone = await harness.phone({ account: alice, from })
    const talking = await phone.call('442071234567')
    expect((await talking.ended).status).toBe(200)
    const ringing = await phone.call('442071234568')
    await ringing.rings()
    const guesser = await harness.phone({ account: { user: 'alice', password: 'guess' }, from })
    for (let tries = 0; tries < 10; tries++) await guesser.register()
    await peer.next('banned', ({ address }) => address === from)
    expect((await talking.hangUp()).status).toBe(200)
    ringing.cancel()
    expect((await ringing.ended).status).toBe(487)
  })

  it('leads to a ban of a trusted address too', async () => {
    const peer = await harness.peer({ credentials: credentialsOf(alice), addresses: ['127.0.0.4'] })
    const guesser = await harness.phone({ account: { user: 'bob', password: 'guess' }, from: '127.0.0.4' })
    for (let tries = 0; tries < 10; tries++) expect((await guesser.register()).status).toBe(403)
    expect(await peer.next('banned')).toMatchObject({ address: '127.0.0.4', user: 'bob' })
    expect(await Promise.race([guesser.register(), pause(500, null)])).toBeNull()
  })
})

describe('a flood', () => {
  it('from a trusted address is answered only up to its rate limit', async () => {
    const own = await startHarness({ limits: { knownPerSecond: 50 } })
    try {
      await own.peer({ addresses: ['127.0.0.13'] })
      const flooder = await own.phone({ from: '127.0.0.13' })
      flood(flooder, 0, 400)
      // The flood may fall into two seconds.
      await pause(1_500)
      expect(flooder.messages.length).toBeGreaterThan(0)
      expect(flooder.messages.length).toBeLessThanOrEqual(100)
      flood(flooder, 400, 401)
      await eventually(
        () => flooder.messages.some((message) => headerOf(message, 'call-id') === 'flood-400'),
        'answer after the flood',
      )
    } finally {
      await own.close()
    }
  })

  it('from an unknown address is soon ignored', async () => {
    await harness.peer({ credentials: credentialsOf(alice) })
    const flooder = await harness.phone({ from: '127.0.0.5' })
    flood(flooder, 0, 400)
    await pause(500)
    expect(flooder.messages.length).toBeLessThan(300)
    const phone = await harness.phone({ account: alice })
    expect((await phone.register()).status).toBe(200)
  })
})
