import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../sandbox/carriers/sip-message.ts'
import { challengeOf, type DigestFields, digestFor } from './digest.ts'
import { eventually } from './eventually.ts'
import { alice, allow, credentialsOf, harnessForFile } from './harness.ts'
import type { Phone } from './phone.ts'
import { sharedMemoryOf } from './shared-memory.ts'

// Bans would end a flood too soon to measure its cost.
const harness = await harnessForFile({ workers: 4, limits: { failuresToBan: 1_000_000 } })

const LONG = 12_000
const LONGEST = 16_384
const MEGABYTE = 1_000_000

/** Sends a request without waiting for a reply. */
function shoot(phone: Phone, method: string, uri: string, callId: string, headers: [string, string][]): void {
  const via = `SIP/2.0/UDP ${phone.line.host}:${phone.line.port};rport;branch=z9hG4bK${callId}`
  const basics = phone.basics('alice', callId).filter(([name]) => !headers.some(([other]) => other === name))
  phone.line.send(
    formatMessage({
      method,
      uri,
      headers: [['Via', via], ...basics, ...headers, ['CSeq', `1 ${method}`]],
      body: '',
    }),
  )
}

async function nonceFor(phone: Phone, method = 'REGISTER') {
  const uri = `sip:${phone.server}`
  const callId = `nonce-${Math.random()}`
  const answer = await phone.ask(method, uri, phone.basics('alice', callId), '', callId)
  const challenge = challengeOf(answer)
  if (!challenge) throw new Error('no challenge received')
  return challenge
}

describe('shared memory does not grow with', () => {
  /** Sends a thousand requests with these fields and returns the growth of the shared memory in bytes. */
  async function costOf(
    from: string,
    fieldsOf: (count: number) => { fields?: DigestFields; headers?: [string, string][] },
    password = 'guess',
  ): Promise<number> {
    // An authenticated address has a higher rate limit, so that all requests are processed.
    const account = { user: `of-${from}`, password: 'wonder land' }
    await harness.peer({ credentials: credentialsOf(account) })
    const known = await harness.phone({ account, from })
    expect((await known.register()).status).toBe(200)
    const phone = await harness.phone({ from })
    const challenge = await nonceFor(phone)
    const before = await sharedMemoryOf(harness.runFolder)
    const uri = `sip:${phone.server}`
    let most = before
    for (let count = 0; count < 1_000; count++) {
      const { fields, headers = [] } = fieldsOf(count)
      const proof = digestFor({ ...account, password }, challenge, 'REGISTER', uri, fields)
      const to: [string, string] = ['To', `<sip:${account.user}@${phone.server}>`]
      shoot(phone, 'REGISTER', uri, `${from}-${count}`, [to, ...headers, ['Authorization', proof]])
      if (count % 50 === 49) {
        await pause(10)
        most = Math.max(most, await sharedMemoryOf(harness.runFolder))
      }
    }
    return most - before
  }
  const long = (count: number) => `${count}`.padStart(LONG, 'f')

  it.each<[string, string, (count: number) => { fields?: DigestFields; headers?: [string, string][] }]>([
    ['a long nonce count', '127.0.1.1', (count) => ({ fields: { nc: long(count) } })],
    ['a nonce with a long suffix', '127.0.1.2', (count) => ({ fields: { tail: `.${long(count)}` } })],
    ['a long client nonce', '127.0.1.3', (count) => ({ fields: { cnonce: long(count), nc: hex(count) } })],
    ['a long username', '127.0.1.4', (count) => ({ fields: { username: long(count), nc: hex(count) } })],
    [
      'a long digest URI',
      '127.0.1.5',
      (count) => ({ fields: { uri: `sip:${long(count)}`, nc: hex(count) } }),
    ],
  ])('%s', async (_what, from, fieldsOf) => {
    expect(await costOf(from, fieldsOf)).toBeLessThan(3 * MEGABYTE)
  })

  it.each<[string, string, (count: number) => [string, string]]>([
    ['a long Contact', '127.0.1.6', (count) => ['Contact', `<sip:a${long(count)}@127.0.0.1>;Expires=0`]],
    ['a long User-Agent', '127.0.1.7', (count) => ['User-Agent', long(count)]],
  ])('registrations with %s', async (_what, from, headerOf) => {
    const fieldsOf = (count: number) => ({ fields: { nc: hex(count) }, headers: [headerOf(count)] })
    expect(await costOf(from, fieldsOf, 'wonder land')).toBeLessThan(3 * MEGABYTE)
  })
})

it('limits the registrations of one customer and does not report each one to call control', async () => {
  const account = { user: 'restless', password: 'wonder land' }
  const peer = await harness.peer({ credentials: credentialsOf(account) })
  const known = await harness.phone({ account, from: '127.0.1.10' })
  expect((await known.register()).status).toBe(200)
  const phone = await harness.phone({ from: '127.0.1.10' })
  const challenge = await nonceFor(phone)
  const uri = `sip:${phone.server}`
  const to: [string, string] = ['To', `<sip:restless@${phone.server}>`]
  const replies = (status: number) => phone.messages.filter((message) => message.status === status).length
  for (let count = 0; count < 400; count++) {
    const proof = digestFor(account, challenge, 'REGISTER', uri, { nc: hex(count) })
    // A different contact each time, removed by Expires=0.
    const contact: [string, string] = ['Contact', `<sip:n${count}@127.0.1.10>;Expires=0`]
    shoot(phone, 'REGISTER', uri, `restless-${count}`, [to, contact, ['Authorization', proof]])
    // More at once may overflow the receive buffer of the switch.
    if (count % 50 === 49) await eventually(() => replies(200) + replies(503) > count, 'replies so far')
  }
  await eventually(() => replies(200) + replies(503) >= 400, 'replies to all requests')
  expect(replies(503)).toBeGreaterThan(250)
  await peer.processed()
  const contacts = peer.all('registered').map(({ contact }) => contact)
  expect(contacts.filter((contact) => contact.includes('sip:n'))).toEqual([])
})

const hex = (count: number) => (count + 1).toString(16).padStart(8, '0')

describe('a digest', () => {
  async function register(fields: DigestFields, from: string) {
    await harness.peer({ credentials: credentialsOf(alice) })
    const phone = await harness.phone({ from })
    const challenge = await nonceFor(phone)
    const uri = `sip:${phone.server}`
    const proof = digestFor(alice, challenge, 'REGISTER', uri, fields)
    const callId = `register-${Math.random()}`
    const headers: [string, string][] = [
      ...phone.basics('alice', callId),
      ['Authorization', proof],
      ['Expires', '0'],
    ]
    return (await phone.ask('REGISTER', uri, headers, '', callId)).status
  }

  it.each<[string, DigestFields]>([
    ['without qop', { qop: null }],
    ['with a qop that was not offered', { qop: 'auth-int' }],
    ['with a count that is not eight hexadecimal digits', { nc: '1' }],
    ['with a long client nonce', { cnonce: 'c'.repeat(257) }],
    ['with a long username', { username: 'a'.repeat(101) }],
    ['for another URI', { uri: 'sip:127.0.0.99' }],
    ['for a number', { uri: 'sip:442071234567@127.0.0.1' }],
  ])('%s gets 400', async (_what, fields) => {
    expect(await register(fields, '127.0.1.20')).toBe(400)
  })

  it('is valid for an equivalent URI', async () => {
    const uri = `SIP:127.0.0.1:${harness.sipPort};transport=udp`
    expect(await register({ uri }, '127.0.1.21')).toBe(200)
  })

  it('is not valid for a call to another number', async () => {
    const carrier = await harness.carrier({ kind: 'refuse', code: 486, reason: 'Busy Here' })
    const peer = await harness.peer({
      credentials: credentialsOf(alice),
      authorize: () => allow([carrier]),
    })
    const phone = await harness.phone({ from: '127.0.1.22' })
    const called = `sip:442071234567@${phone.server}`
    const other = `sip:449098790000@${phone.server}`
    const invite = async (uri: string, fields: DigestFields) => {
      const challenge = await nonceFor(phone, 'INVITE')
      const proof = digestFor(alice, challenge, 'INVITE', called, fields)
      const callId = `invite-${Math.random()}`
      const headers: [string, string][] = [...phone.basics('x', callId), ['Proxy-Authorization', proof]]
      return (await phone.ask('INVITE', uri, headers, '', callId)).status
    }
    expect(await invite(other, {})).toBe(400)
    expect(await invite(other, { qop: null })).toBe(400)
    expect(await invite(called, { qop: null })).toBe(400)
    expect(peer.all('authorize')).toEqual([])
    expect(await invite(called, {})).toBe(486)
  })
})

describe('rejects a request that', () => {
  const many = (count: number): [string, string][] =>
    Array.from({ length: count }, (_, n): [string, string] => [`X-${n}`, ''])
  it.each<[string, [string, string][], number]>([
    ['is longer than 16 kB', [['X-Long', 'x'.repeat(LONGEST)]], 513],
    ['has more than 400 lines', many(420), 513],
    ['has a long Contact', [['Contact', `<sip:a@127.0.0.1;x=${'x'.repeat(1_000)}>`]], 400],
    ['has a long User-Agent', [['User-Agent', 'x'.repeat(1_001)]], 400],
    ['has a long From tag', [['From', `<sip:a@b>;tag=${'x'.repeat(1_001)}`]], 400],
    ['has a long Call-ID', [['Call-ID', 'x'.repeat(1_001)]], 400],
  ])('%s', async (_what, headers, code) => {
    await harness.peer({ credentials: credentialsOf(alice) })
    for (const transport of ['udp', 'tcp'] as const) {
      // Over TCP such a message exceeds the read buffer.
      if (transport === 'tcp' && headers.some(([, value]) => value.length >= LONGEST)) break
      const phone = await harness.phone({ transport })
      const callId = headers.find(([name]) => name === 'Call-ID')?.[1] ?? `long-${Math.random()}`
      const basics = phone
        .basics('alice', callId)
        .filter(([name]) => !headers.some(([other]) => other === name))
      const answer = await phone.ask('REGISTER', `sip:${phone.server}`, [...basics, ...headers], '', callId)
      expect(answer.status).toBe(code)
    }
  })
})
