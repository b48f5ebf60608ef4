import { describe, expect, it } from 'vitest'
import { createUnansweredInvites } from './unanswered-invites.ts'

const HANDSHAKE = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'

const invite = (branch: string, to = '<sip:browser@portal>') =>
  [
    'INVITE sip:browser@portal SIP/2.0',
    `Via: SIP/2.0/WS switch;branch=${branch}`,
    'Via: SIP/2.0/UDP carrier;branch=z9hG4bKfar',
    'From: <sip:caller@far>;tag=a',
    `To: ${to}`,
    'Call-ID: one',
    'CSeq: 7 INVITE',
    'Contact: <sip:caller@far>',
    '',
    `body ${'of several hundred bytes '.repeat(20)}`,
  ].join('\r\n')

const reply = (status: string, branch: string) =>
  `SIP/2.0 ${status}\r\nVia: SIP/2.0/WS switch;branch=${branch}\r\nCSeq: 7 INVITE\r\n\r\n`

/** A text frame, with a mask if a browser sends it. */
function frame(text: string, mask: readonly number[] | null = null): Buffer {
  const payload = Buffer.from(text)
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff]
  length[0] = (length[0] ?? 0) | (mask ? 0x80 : 0)
  const masked = mask ? payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)) : payload
  return Buffer.concat([Buffer.from([0x81, ...length, ...(mask ?? [])]), masked])
}

const byBrowser = (text: string) => frame(text, [1, 2, 3, 250])

function connect() {
  const invites = createUnansweredInvites()
  invites.fromSwitch(Buffer.from(HANDSHAKE))
  return {
    ...invites,
    rings: (branch: string) => invites.fromSwitch(frame(invite(branch))),
    replies: (status: string, branch: string) => invites.fromBrowser(byBrowser(reply(status, branch))),
    refused: () =>
      [
        ...invites
          .refusals()
          .toString()
          .matchAll(/branch=(near\d)/g),
      ].map(([, branch]) => branch),
  }
}

describe('calls that a closed browser cannot answer', () => {
  it('are refused with the headers of their INVITE', () => {
    const browser = connect()
    browser.rings('near1')
    browser.replies('180 Ringing', 'near1')
    const refusal = browser.refusals()
    expect([...refusal.subarray(0, 2)]).toEqual([0x81, 0xfe])
    expect(refusal.readUInt16BE(2)).toBe(refusal.length - 8)
    expect(refusal.subarray(8).toString()).toBe(
      [
        'SIP/2.0 480 Temporarily Unavailable',
        'Via: SIP/2.0/WS switch;branch=near1',
        'Via: SIP/2.0/UDP carrier;branch=z9hG4bKfar',
        'From: <sip:caller@far>;tag=a',
        'Call-ID: one',
        'CSeq: 7 INVITE',
        'To: <sip:browser@portal>;tag=closed',
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n'),
    )
    expect(browser.refusals()).toHaveLength(0)
  })

  it('are those without a final answer', () => {
    const browser = connect()
    for (const branch of ['near1', 'near2', 'near3']) browser.rings(branch)
    browser.replies('200 OK', 'near1')
    browser.replies('603 Decline', 'near3')
    expect(browser.refused()).toEqual(['near2'])
  })

  it('are not the offers of a call that has been answered', () => {
    const browser = connect()
    browser.fromSwitch(frame(invite('near1', '<sip:browser@portal>;tag=b')))
    expect(browser.refused()).toEqual([])
  })

  it('are found in chunks of any size, and among pings', () => {
    for (const size of [1, 3, 100, 10_000]) {
      const invites = createUnansweredInvites()
      const bytes = Buffer.concat([
        Buffer.from(HANDSHAKE),
        Buffer.from([0x89, 0]),
        frame(invite('near1')),
        frame(invite('near2')),
      ])
      for (let at = 0; at < bytes.length; at += size) invites.fromSwitch(bytes.subarray(at, at + size))
      const answer = byBrowser(reply('486 Busy Here', 'near1'))
      for (let at = 0; at < answer.length; at += size) invites.fromBrowser(answer.subarray(at, at + size))
      const refused = invites.refusals().toString()
      expect(refused).toContain('branch=near2')
      expect(refused).not.toContain('branch=near1')
    }
  })

  it('are not looked for behind a frame that is too long', () => {
    const browser = connect()
    browser.fromSwitch(Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]))
    browser.rings('near1')
    expect(browser.refused()).toEqual([])
  })
})
