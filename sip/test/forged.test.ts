import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { formatMessage, headerOf, type SipMessage, tagOf, uriOf } from '../../sandbox/carriers/sip-message.ts'
import { startCalledPhone } from './called-phone.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'
import { bob, callOfCarrier, peerWithCarrier, phones, ringing, type Target } from './incoming-calls.ts'
import type { Phone } from './phone.ts'

/** Senders that pose as the carrier of a call, and values that two programs read differently. */
const harness = await harnessForFile({ workers: 2 })

async function attacker(host: string) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, host, resolve))
  onTestFinished(() => void socket.close())
  const received: string[] = []
  socket.on('message', (bytes) => received.push(bytes.toString('latin1')))
  return {
    address: `${host}:${socket.address().port}`,
    received,
    send: (text: string) => socket.send(text, harness.sipPort, '127.0.0.1'),
  }
}

async function provider(ringMs = 20) {
  const carrier = await harness.carrier({ kind: 'echo', ringMs })
  const peer = await harness.peer({
    authorize: ({ to }) => (to === '1000' ? ringing([phones('bob')]) : allow([carrier])),
    credentials: credentialsOf(alice, bob),
  })
  const answeredCall = async (phone: Phone, contact?: string) => {
    const call = await phone.call('442071234567', contact === undefined ? [] : [['Contact', `<${contact}>`]])
    const answer = await call.ended
    expect(answer.status).toBe(200)
    const name = peer.all('authorize').at(-1)?.call ?? ''
    await peer.next('answered', (event) => event.call === name)
    await eventually(() => carrier.requests.some(({ method }) => method === 'ACK'), 'ACK')
    return { call, answer, end: () => peer.next('ended', (event) => event.call === name) }
  }
  return { carrier, peer, answeredCall }
}

it('a reply that nobody waits for is not forwarded to an address of its sender', async () => {
  const sender = await attacker('127.0.0.66')
  const target = await attacker('127.0.0.77')
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const branch = 'z9hG4bK29f1.da5e774b786aa56b61b0ffa915e05a5b.1'
  for (const status of ['180 Ringing', '200 OK', '486 Busy Here'])
    for (const method of ['INVITE', 'OPTIONS', 'BYE'])
      for (const next of [`UDP ${target.address}`, `TCP 127.0.0.1:${port}`])
        sender.send(
          [
            `SIP/2.0 ${status}`,
            `Via: SIP/2.0/UDP 127.0.0.1:${harness.sipPort};branch=${branch}`,
            `Via: SIP/2.0/${next};branch=z9hG4bKx`,
            'From: <sip:a@b>;tag=1',
            'To: <sip:c@d>;tag=2',
            'Call-ID: stray',
            `CSeq: 1 ${method}`,
            `Contact: <sip:c@${target.address}>`,
            'Content-Length: 0',
            '',
            '',
          ].join('\r\n'),
        )
  // The switch handles this one after the replies.
  const phone = await harness.phone({ account: alice })
  await phone.ask('OPTIONS', `sip:${phone.server}`, phone.basics('alice', 'after'), '', 'after')
  await pause(300)
  expect(target.received).toEqual([])
  expect(connections).toBe(0)
})

describe('a caller that poses as the carrier', () => {
  const CONTACT = 'sip:mallory@203.0.113.9:5060'

  it.each([
    ['with its own Contact', CONTACT, CONTACT],
    ['with its own Contact that looks like a masked one', `${CONTACT};line=sr-x`, `${CONTACT};line=sr-x`],
    ['with a Request-URI without a user', CONTACT, 'sip:203.0.113.9'],
    ['with a zero as user', CONTACT, 'sip:0@203.0.113.9'],
  ])('%s does not end the call at us alone', async (_what, contact, uri) => {
    const { carrier, answeredCall } = await provider()
    const { call, end } = await answeredCall(await harness.phone({ account: alice }), contact)
    const { from, to } = call.names()
    call.forge('BYE', { From: to, To: from, uri, cseq: 5 })
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await end()
  })

  it('with its Contact as we show it to its second account does not end the call at us alone', async () => {
    const { carrier, answeredCall } = await provider()
    const called = await startCalledPhone(harness, bob, { habit: 486 })
    await called.register()
    const phone = await harness.phone({ account: alice })
    await (await phone.call('1000', [['Contact', `<${CONTACT}>`]])).ended
    const shown = uriOf(headerOf(await called.rung(), 'contact'))
    const { call, end } = await answeredCall(phone, CONTACT)
    const { from, to } = call.names()
    call.forge('BYE', { From: to, To: from, uri: shown, cseq: 5 })
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await end()
  })

  it('with replies to its own INVITE does not learn our BYE', async () => {
    const { carrier, answeredCall } = await provider()
    const phone = await harness.phone({ account: alice })
    const { call, answer, end } = await answeredCall(phone)
    const impostor = await attacker('127.0.0.66')
    const via = predictedVia(phone, carrier)
    for (const own of [via, `${via};token=${'0'.repeat(32)}`, `${via};token=`])
      impostor.send(replyLike(answer, 200, own))
    await pause(300)
    await call.hangUp()
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await end()
    expect(impostor.received).toEqual([])
  })

  it.each(['its identity', 'another tag', 'another Call-ID', 'the identity of its second call'])(
    'with early replies that have %s does not answer the call',
    async (identity) => {
      const { accomplice, second, answerFirst } = await twoCalls(60_000)
      const shown = await eventually(
        () => accomplice.requests.find(({ method }) => method === 'INVITE'),
        'the second call',
      )
      await answerFirst((ringing) => ({
        like: identity === 'the identity of its second call' ? shown : ringing,
        tokens: ['', tokenOf(shown)],
        changed: {
          ...(identity === 'another tag' && { from: '<sip:a@b>;tag=zzz' }),
          ...(identity === 'another Call-ID' && { 'call-id': 'zzz' }),
        },
      }))
      second.cancel()
    },
  )

  it('with a reply to a re-INVITE of its second call does not answer the first one', async () => {
    const { accomplice, second, answerFirst } = await twoCalls(20)
    expect((await second.ended).status).toBe(200)
    await eventually(
      () => accomplice.requests.some(({ method }) => method === 'ACK'),
      'ACK of the second call',
    )
    accomplice.reinviteAll('sendonly')
    const inside = await eventually(() => second.requests('INVITE')[0], 're-INVITE of the accomplice')
    await answerFirst(() => ({ like: inside, tokens: [tokenOf(inside)], changed: {} }))
    await second.hangUp()
  })

  it('with the Contact that a phone has seen which rang before the carrier does not end the call at us alone', async () => {
    const far = await harness.carrier({ kind: 'echo', ringMs: 20 })
    const forward: Target = {
      id: -2,
      seconds: 30,
      next: { direction: 'out', user: 'alice', to: '447700900123' },
    }
    const peer = await peerWithCarrier(harness, (asked) =>
      asked.parent === undefined ? ringing([phones('bob'), forward]) : allow([far]),
    )
    const called = await startCalledPhone(harness, bob, { habit: 480 })
    await called.register()
    const { call } = await callOfCarrier(harness)
    expect((await call.ended).status).toBe(200)
    await peer.next('answered')
    await eventually(() => far.requests.some(({ method }) => method === 'ACK'), 'ACK')
    const { from, to } = call.names()
    call.forge('BYE', { From: to, To: from, uri: uriOf(headerOf(await called.rung(), 'contact')), cseq: 5 })
    await eventually(() => far.live() === 0, 'BYE to the carrier', 5_000)
    await peer.next('ended')
  })
})

type Forgery = { like: SipMessage; tokens: string[]; changed: Record<string, string> }

/** A caller with a second call, to an accomplice, whose messages show it our Via parameters. */
async function twoCalls(accompliceRingMs: number) {
  const carrier = await harness.carrier({ kind: 'echo', ringMs: 1_500 })
  const accomplice = await harness.carrier({ kind: 'echo', ringMs: accompliceRingMs })
  const peer = await harness.peer({
    authorize: ({ to }) => allow([to === '1000' ? accomplice : carrier]),
    credentials: credentialsOf(alice),
  })
  const impostor = await attacker('127.0.0.66')
  const phone = await harness.phone({ account: alice })
  const second = await phone.call('1000')

  /** Forges replies while the first call rings. Only the carrier answers it, and gets our BYE. */
  async function answerFirst(forge: (ringing: SipMessage) => Forgery): Promise<void> {
    const call = await phone.call('442071234567')
    const { like, tokens, changed } = forge(await call.rings())
    const name = peer.all('authorize').at(-1)?.call ?? ''
    const via = predictedVia(phone, carrier)
    for (const status of [183, 200, 486])
      for (const token of tokens) impostor.send(replyLike(like, status, via + token, changed))
    expect((await call.ended).status).toBe(200)
    await peer.next('answered', (event) => event.call === name)
    await eventually(() => carrier.requests.some(({ method }) => method === 'ACK'), 'ACK')
    await call.hangUp()
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
    await peer.next('ended', (event) => event.call === name)
    expect(impostor.received).toEqual([])
  }

  return { accomplice, second, answerFirst }
}

function tokenOf(message: SipMessage): string {
  const [token = ''] = /;token=[0-9a-f]+/.exec(headerOf(message, 'via')) ?? []
  expect(token).not.toBe('')
  return token
}

type Carrier = Awaited<ReturnType<typeof provider>>['carrier']

/** Our Via as the caller can compute it, except for 16 bits that it can try. */
function predictedVia(phone: Phone, carrier: Carrier): string {
  const invite = carrier.requests.find(({ method }) => method === 'INVITE')
  if (!invite) throw new Error('no INVITE')
  const [, index, digest, branch] =
    /branch=z9hG4bK([0-9a-f]+)\.([0-9a-f]+)\.(\w+)/.exec(headerOf(invite, 'via')) ?? []
  expect(digest).toBe(branchDigest(phone.lastRequest()))
  return `SIP/2.0/UDP 127.0.0.1:${harness.sipPort};branch=z9hG4bK${index}.${digest}.${branch}`
}

/** A reply with the identity of this message and a private Contact, for which the switch remembers the source of the reply. */
function replyLike(
  like: SipMessage,
  status: number,
  via: string,
  changed: Record<string, string> = {},
): string {
  const copied = ['from', 'to', 'call-id', 'cseq'].map((name): [string, string] => {
    const value = changed[name] ?? headerOf(like, name)
    return [name, name === 'to' && !tagOf(value) ? `${value};tag=forged` : value]
  })
  const headers: [string, string][] = [['Via', via], ...copied, ['Contact', '<sip:carrier@10.0.0.1>']]
  return formatMessage({ status, reason: 'Forged', headers, body: '' })
}

/** The part of the branch that tm computes from the request of the caller. */
function branchDigest(request: string): string {
  const headerIn = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(request)?.[1] ?? ''
  const via = headerIn('Via')
  const [, host, port] = /UDP ([^:;]+):(\d+)/.exec(via) ?? []
  const branch = /branch=([^;]+)/.exec(via)?.[1]
  const uri = request.split(' ')[1]
  const cseq = headerIn('CSeq').split(' ')[0]
  const parts = [tagOf(headerIn('From')), headerIn('Call-ID'), uri, cseq, host, port, branch]
  return createHash('md5').update(parts.join(''), 'latin1').digest('hex')
}

describe('an INVITE gets 400', () => {
  it.each<[string, [string, string][], string?]>([
    ['with two tags', [['From', '<sip:x@y>;tag=first;tag=second']]],
    ['with two tags behind other parameters', [['From', '<sip:x@y>;a=b;TAG = first;c;tag=second']]],
    ['with an empty and a full tag', [['From', '<sip:x@y>;tag=;tag=second']]],
    ['with a quoted tag', [['From', '<sip:x@y>;tag="first"']]],
    ['with two addresses', [['From', '<sip:x@y>;tag=first,<sip:z@y>;tag=second']]],
    ['with two tags and no brackets', [['From', 'sip:x@y;tag=first;tag=second']]],
    ['with a tag in its URI too', [['From', '<sip:x@y;tag=first>;tag=second']]],
    ['with a zero byte in its tag', [['From', '<sip:x@y>;tag=first\0second']]],
    ['with a zero byte in its Contact', [['Contact', '<sip:x@127.0.0.1:5060;a=\0b x y>']]],
    ['with a zero byte in its Call-ID', [], 'first\0second'],
    ['with a zero byte in another header', [['X-Other', 'a\0b']]],
  ])('%s', async (_what, headers, callId) => {
    const peer = await harness.peer({ addresses: ['127.0.0.7'] })
    const phone = await harness.phone({ from: '127.0.0.7' })
    const call = await phone.call('442071234567', headers, undefined, callId)
    expect((await call.ended).status).toBe(400)
    expect(peer.all('authorize')).toEqual([])
  })

  it.each<[string, string]>([
    ['a quoted name with brackets and a comma', '"Doe, <John> \\"JD\\"" <sip:x@y>;tag=one'],
    ['a name with a comma', 'Doe, John <sip:x@y>;tag=one'],
    ['no brackets', 'sip:x@y;tag=one'],
    ['other parameters', '<sip:x@y;user=phone>;a=b;tag=one;stage=2'],
    ['a backslash and a zero', '"C:\\\\0" <sip:x@y>;tag=one'],
  ])('but not with %s', async (_what, from) => {
    const { carrier } = await provider()
    const phone = await harness.phone({ account: alice })
    const call = await phone.call('442071234567', [['From', from]])
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
    await eventually(() => carrier.live() === 0, 'BYE to the carrier', 5_000)
  })
})
