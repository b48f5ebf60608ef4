import { describe, expect, it } from 'vitest'
import { redact } from './index.ts'

const lines = (...given: string[]) => given.join('\r\n')
const invite = (headers: string[], body: string[] = []) =>
  lines(
    'INVITE sip:442071234567@192.0.2.1 SIP/2.0',
    'Via: SIP/2.0/UDP 198.51.100.7:5060;branch=z9hG4bK1',
    'From: <sip:alice@192.0.2.1>;tag=a',
    ...headers,
    '',
    ...body,
  )
const sdp = ['Content-Type: application/sdp']

describe('redact', () => {
  it.each([
    [
      'credentials',
      'Authorization: Digest username="alice", realm="trunkline", nonce="NONCE", response="SECRET"',
    ],
    ['proxy credentials', 'Proxy-Authorization: Digest response="SECRET",cnonce="SECRET", opaque="SECRET"'],
    ['odd notation of the name', 'pRoXy-AuThOrIzAtIoN   :   Digest response = "SECRET"'],
    ['a folded header', 'Authorization: Digest username="alice",\r\n\tresponse="SECRET",\r\n nonce="SECRET"'],
    ['a quoted comma', 'Authorization: Digest opaque="a, response=SECRET", nonce="x, SECRET"'],
    ['basic credentials', 'Authorization: Basic SECRET'],
    ['a bearer token', 'Authorization: Bearer SECRET'],
    [
      'a challenge',
      'WWW-Authenticate: Digest realm="trunkline", nonce="SECRET", opaque="SECRET", qop="auth"',
    ],
    ['a proxy challenge', 'Proxy-Authenticate: Digest nonce="SECRET"'],
    ['the next nonce', 'Authentication-Info: nextnonce="SECRET", rspauth="SECRET"'],
    ['a token of an application', 'X-Phone-Token: SECRET'],
    ['a cookie', 'Cookie: session=SECRET'],
    ['a password in a URI', 'Contact: <sip:alice:SECRET@198.51.100.7>'],
    ['a line without a colon', 'response="SECRET"'],
  ])('removes %s', (_what, header) => {
    expect(redact(invite([header]))).not.toContain('SECRET')
  })

  it('removes a password in the Request-URI', () => {
    expect(redact('INVITE sip:alice:SECRET@192.0.2.1 SIP/2.0\r\n\r\n')).toBe(
      'INVITE sip:alice:[removed]@192.0.2.1 SIP/2.0\r\n\r\n',
    )
  })

  it.each([
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:SECRET',
    'A=CRYPTO : 1 AES_CM_128_HMAC_SHA1_80 inline:SECRET',
    'a=ice-pwd:SECRET',
    'a=ice-ufrag:SECRET',
    'a=fingerprint:sha-256 SECRET',
    'a=key-mgmt:mikey SECRET',
    'k=clear:SECRET',
  ])('removes %s from SDP', (line) => {
    const shown = redact(invite(sdp, ['v=0', line, 'a=sendrecv']))
    expect(shown).not.toContain('SECRET')
    expect(shown).toContain('a=sendrecv')
  })

  it('removes bodies other than SDP, such as the digits of a PIN', () => {
    const shown = redact(invite(['Content-Type: application/dtmf-relay'], ['Signal=SECRET', 'Duration=160']))
    expect(shown).not.toContain('SECRET')
    expect(shown).toContain('[body of')
  })

  it('treats bare line feeds as line ends', () => {
    expect(
      redact(invite(['Authorization: Digest response="SECRET"']).replaceAll('\r\n', '\n')),
    ).not.toContain('SECRET')
  })

  it('keeps everything else', () => {
    const text = invite(
      ['To: <sip:442071234567@192.0.2.1>', 'Call-ID: 1@phone', 'CSeq: 1 INVITE', ...sdp],
      ['v=0', 'c=IN IP4 198.51.100.7', 'm=audio 4000 RTP/AVP 8', 'a=setup:active', ''],
    )
    expect(redact(text)).toBe(text)
  })

  it('keeps the parts of a digest that name the account', () => {
    const header = 'Authorization: Digest username="alice", realm="trunkline", nonce="x", algorithm=MD5'
    expect(redact(invite([header]))).toContain(
      'Authorization: Digest username="alice", realm="trunkline", algorithm=MD5, [removed]',
    )
  })

  it.each([
    ['a parameter name without a value', `Authorization: Digest ${'a'.repeat(200_000)}`],
    ['URIs without a host', `X: ${'sip:a:'.repeat(50_000)}`],
    ['an unclosed quote', `Authorization: Digest a="${'\\"a='.repeat(50_000)}`],
  ])('reads %s in one pass', (_what, header) => {
    const before = performance.now()
    redact(invite([header]))
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it.each([
    'Contact: <sip:bob@192.0.2.1>,<sip:alice:SECRET@198.51.100.7:5060;transport=tcp>',
    'Contact: sip:bob:5060,sip:alice:SECRET@198.51.100.7',
    'Contact: "sip:x:y" <SIPS:alice:SECRET:SECRET@198.51.100.7?subject=a>',
  ])('removes the password of %s', (header) => {
    const shown = redact(invite([header]))
    expect(shown).not.toContain('SECRET')
    expect(shown).toContain('198.51.100.7')
  })

  it('shortens a long message', () => {
    expect(redact(invite([`Subject: ${'x'.repeat(500)}`]), 200)).toHaveLength(200 + '\r\n[shortened]'.length)
  })
})
