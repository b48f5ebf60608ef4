import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFramer } from './framing.ts'
import {
  addressesOf,
  displayNameOf,
  formatMessage,
  type Header,
  headerOf,
  hostOf,
  parseMessage,
  type SipMessage,
  tagOf,
  uriOf,
  userOf,
} from './message.ts'

const token = fc
  .stringMatching(/^[a-z]([a-z-]{0,10}[a-z])?$/)
  .filter((name) => name.length > 1 && name !== 'content-length')
const value = fc.stringMatching(/^([!-~]([ -~]{0,40}[!-~])?)?$/)
const headers = fc.array(fc.tuple(token, value), { maxLength: 10 })
const body = fc.stringMatching(/^[\s -~\xa0-\xff]{0,200}$/)
const request = fc.record({
  method: fc.stringMatching(/^[A-Z]{1,12}$/),
  uri: fc.stringMatching(/^sip:[!-~]{1,30}$/),
  headers,
  body,
})
const response = fc.record({ status: fc.integer({ min: 100, max: 699 }), reason: value, headers, body })
const message: fc.Arbitrary<SipMessage> = fc.oneof(request, response)

/** Headers without the Content-Length that formatting adds. */
const plain = (parsed: SipMessage): SipMessage => ({
  ...parsed,
  headers: parsed.headers.filter(([name]) => name !== 'content-length'),
})

/** Feeds a stream in pieces. */
function frame(stream: Buffer, sizes: readonly number[]) {
  const messages: SipMessage[] = []
  let keepAlives = 0
  const framer = createFramer(
    (found) => messages.push(plain(found)),
    () => {
      keepAlives += 1
    },
  )
  let isOpen = true
  for (let at = 0, turn = 0; at < stream.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    isOpen = framer.push(stream.subarray(at, at + size))
    at += size
  }
  return { messages, isOpen, keepAlives }
}

const pieces = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 })

describe('a SIP stream', () => {
  it('gives back each message, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), pieces, (messages, sizes) => {
        const stream = Buffer.from(
          messages.map((each) => `\r\n\r\n${formatMessage(each)}`).join(''),
          'latin1',
        )
        const framed = frame(stream, sizes)
        expect(framed.isOpen).toBe(true)
        expect(framed.messages).toEqual(messages)
      }),
    )
  })

  it.each([
    ['LF', '\n', '\n\n'],
    ['LF and an empty CRLF line', '\n', '\n\r\n'],
    ['CRLF and an empty LF line', '\r\n', '\r\n\n'],
  ])('reads a head with %s between two other messages', (_name, lineEnd, headEnd) => {
    const usual = formatMessage({ method: 'OPTIONS', uri: 'sip:x', headers: [['via', 'a']], body: 'b' })
    const head = ['INVITE sip:x SIP/2.0', 'Via: x', 'Subject: a', ' b', 'l: 4']
    const stream = Buffer.from(`${usual}${head.join(lineEnd)}${headEnd}\n\r\nc${usual}`)
    for (const size of [1, 7, 1_000]) {
      const { messages, isOpen } = frame(stream, [size])
      expect(isOpen).toBe(true)
      expect(messages).toMatchObject([
        { method: 'OPTIONS', body: 'b' },
        {
          method: 'INVITE',
          headers: [
            ['via', 'x'],
            ['subject', 'a b'],
          ],
          body: '\n\r\nc',
        },
        { method: 'OPTIONS', body: 'b' },
      ])
    }
  })

  it('skips a message that it cannot read', () => {
    const usual = formatMessage({ method: 'OPTIONS', uri: 'sip:x', headers: [], body: '' })
    const odd = 'INVITE sip:x SIP/2.0\r\nno colon\r\nContent-Length:\r\n 1\r\n\r\nx'
    expect(frame(Buffer.from(odd + usual), [10])).toMatchObject({
      isOpen: true,
      messages: [{ method: 'OPTIONS' }],
    })
  })

  it('reads a head that is longer than Kamailio takes from a phone', () => {
    const long: Header = ['x', 'x'.repeat(20_000)]
    const stream = formatMessage({ method: 'INVITE', uri: 'sip:x', headers: [long], body: '' })
    expect(frame(Buffer.from(stream), [1_000])).toMatchObject({
      isOpen: true,
      messages: [{ headers: [long] }],
    })
  })

  it('answers a keep-alive once', () => {
    expect(frame(Buffer.from('\r\n\r\n'), [4]).keepAlives).toBe(1)
    expect(frame(Buffer.from('\r\n'), [4]).keepAlives).toBe(0)
  })

  it('never throws, and closes on what is not SIP', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), pieces, (noise, sizes) => {
        frame(Buffer.from(noise), sizes)
        frame(Buffer.concat([Buffer.from('INVITE sip:x SIP/2.0\r\n'), noise, Buffer.from('\r\n\r\n')]), sizes)
      }),
    )
    const closed = [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'INVITE sip:x SIP/2.0\r\nVia: x\r\n\r\n',
      'INVITE sip:x SIP/2.0\r\nContent-Length: 999999\r\n\r\n',
      'INVITE sip:x SIP/2.0\r\nContent-Length: -1\r\n\r\n',
      'INVITE sip:x SIP/2.0\r\nContent-Length: 1\r\nl: 2\r\n\r\n',
      `INVITE sip:x SIP/2.0\r\nX: ${'x'.repeat(70_000)}`,
      `INVITE sip:x SIP/2.0\r\nX: ${'x'.repeat(70_000)}\r\nContent-Length: 0\r\n\r\n`,
    ]
    for (const text of closed) expect(frame(Buffer.from(text), [1_000]).isOpen, text.slice(0, 60)).toBe(false)
  })
})

describe('a SIP message', () => {
  it('has compact names and folded lines', () => {
    const parsed = parseMessage(
      'INVITE sip:a@b SIP/2.0\r\nv: x\r\nf: "A,\r\n B" <sip:a@b>;tag=1\r\nI:  c ',
      '',
    )
    if (!parsed) throw new Error('not parsed')
    expect(headerOf(parsed, 'via')).toBe('x')
    expect(displayNameOf(headerOf(parsed, 'from'))).toBe('A, B')
    expect(headerOf(parsed, 'call-id')).toBe('c')
  })

  it('splits Record-Route headers, but not at commas in quotes or parameters', () => {
    const routes: Header[] = [['record-route', '<sip:a;lr>, "x" <sip:b;lr>;y=1,<sip:c;lr>']]
    const parsed: SipMessage = { status: 200, reason: '', headers: routes, body: '' }
    expect(addressesOf(parsed, 'record-route').map(uriOf)).toEqual(['sip:a;lr', 'sip:b;lr', 'sip:c;lr'])
  })

  it.each([
    ['<sip:1@h>;tag=x', '1', 'sip:1@h', 'x'],
    ['sip:1@h;tag=x', '1', 'sip:1@h', 'x'],
    ['Tom <sip:%2A97@[::1]:5070>', '*97', 'sip:%2A97@[::1]:5070', ''],
    ['<tel:+49301>', '+49301', 'tel:+49301', ''],
    ['<sip:host>', '', 'sip:host', ''],
    ['<sip:%zz@h>', '%zz', 'sip:%zz@h', ''],
  ])('has user, URI and tag of %s', (address, user, uri, tag) => {
    expect([userOf(uriOf(address)), uriOf(address), tagOf(address)]).toEqual([user, uri, tag])
  })

  it.each([
    ['sip:a@192.0.2.1:5070;lr', { host: '192.0.2.1', port: 5_070 }],
    ['sip:[2001:db8::1];transport=tcp', { host: '2001:db8::1', port: 5_060 }],
    ['tel:1', null],
  ])('has the host of %s', (uri, expected) => {
    expect(hostOf(uri)).toEqual(expected)
  })
})
