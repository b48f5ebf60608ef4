import { describe, expect, it } from 'vitest'
import { labelOf, offsetOf, type TraceMessage, toneOf, traceText } from './ladder.ts'

const message = (changes: Partial<TraceMessage>): TraceMessage => ({
  at: '2026-03-01T12:00:00.000Z',
  from: 0,
  to: 1,
  first_line: 'INVITE sip:44@192.0.2.1 SIP/2.0',
  method: 'INVITE',
  status: null,
  is_retransmission: false,
  transport: 'udp',
  peer: '198.51.100.7:5062',
  text: 'INVITE sip:44@192.0.2.1 SIP/2.0\r\nCall-ID: 1\r\n\r\n',
  ...changes,
})
const ringing = message({
  at: '2026-03-01T12:00:01.042Z',
  from: 1,
  to: 0,
  first_line: 'SIP/2.0 180 Ringing',
  status: 180,
  is_retransmission: true,
  text: 'SIP/2.0 180 Ringing\r\nCall-ID: 1\r\n\r\n',
})

describe('a message', () => {
  it('has a short label and its time since the first message', () => {
    const ack = message({ first_line: 'ACK sip:192.0.2.1;line=sr-KLRkGym9 SIP/2.0', method: 'ACK' })
    expect([message({}), ringing, ack].map(labelOf)).toEqual(['INVITE 44', '180 Ringing', 'ACK'])
    expect(offsetOf(ringing, message({}))).toBe('+1.042 s')
  })

  it.each([
    [null, 'request'],
    [100, 'progress'],
    [407, 'progress'],
    [200, 'success'],
    [302, 'failure'],
    [486, 'failure'],
  ] as const)('with status %s is a %s', (status, tone) => {
    expect(toneOf(message({ status }))).toBe(tone)
  })
})

it('writes the messages as text', () => {
  const columns = [
    { kind: 'phone' as const, name: 'Phone', address: null },
    { kind: 'switch' as const, name: 'Switch', address: null },
  ]
  const text = traceText({ state: 'captured', days: 7, columns, messages: [message({}), ringing] })
  expect(text.split('\n').filter((line) => !line.startsWith('---'))).toEqual([
    '2026-03-01T12:00:00.000Z +0.000 s  Phone -> Switch (UDP from 198.51.100.7:5062)',
    'INVITE sip:44@192.0.2.1 SIP/2.0',
    'Call-ID: 1',
    '',
    '2026-03-01T12:00:01.042Z +1.042 s  Switch -> Phone (UDP to 198.51.100.7:5062, retransmission)',
    'SIP/2.0 180 Ringing',
    'Call-ID: 1',
    '',
  ])
})
