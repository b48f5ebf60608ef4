import { describe, expect, it } from 'vitest'
import {
  type CapturedMessage,
  createDirections,
  type Endpoint,
  layOut,
  readHead,
  type SipHead,
} from './index.ts'

const phone = { address: '198.51.100.7', port: 5062 }
const own = { address: '192.0.2.1', port: 5060 }
const first = { address: '203.0.113.1', port: 5060 }
const second = { address: '203.0.113.2', port: 5060 }

type Given = {
  line: string
  cseq: string
  branch: string
  from?: string
  to?: string
}
const textOf = ({ line, cseq, branch, from = 'caller', to = '' }: Given) =>
  [
    line,
    `Via: SIP/2.0/UDP 192.0.2.1;branch=${branch}`,
    `From: "A;tag=x" <sip:alice@192.0.2.1;tag=y>;tag=${from}`,
    `To: <sip:44@192.0.2.1>${to && `;tag=${to}`}`,
    'Call-ID: one',
    `CSeq: ${cseq}`,
    '',
    '',
  ].join('\r\n')

const INVITE = 'INVITE sip:44@192.0.2.1 SIP/2.0'
const BYE = 'BYE sip:44@192.0.2.1 SIP/2.0'

/** A call with a failed first carrier, an answered second one, and a BYE of the carrier. */
const call: [at: number, source: Endpoint, target: Endpoint, given: Given][] = [
  [0, phone, own, { line: INVITE, cseq: '1 INVITE', branch: 'p1' }],
  [1, own, phone, { line: 'SIP/2.0 100 Trying', cseq: '1 INVITE', branch: 'p1' }],
  [2, own, first, { line: INVITE, cseq: '1 INVITE', branch: 's1' }],
  [500, own, first, { line: INVITE, cseq: '1 INVITE', branch: 's1' }],
  [510, first, own, { line: 'SIP/2.0 503 No', cseq: '1 INVITE', branch: 's1', to: 'f' }],
  [511, own, first, { line: 'ACK sip:44@192.0.2.1 SIP/2.0', cseq: '1 ACK', branch: 's1', to: 'f' }],
  [520, own, second, { line: INVITE, cseq: '1 INVITE', branch: 's2' }],
  [600, second, own, { line: 'SIP/2.0 200 OK', cseq: '1 INVITE', branch: 's2', to: 'callee' }],
  [601, own, phone, { line: 'SIP/2.0 200 OK', cseq: '1 INVITE', branch: 'p1', to: 'callee' }],
  [620, phone, own, { line: 'ACK sip:x SIP/2.0', cseq: '1 ACK', branch: 'p2', to: 'callee' }],
  [621, own, second, { line: 'ACK sip:x SIP/2.0', cseq: '1 ACK', branch: 's3', to: 'callee' }],
  [900, second, own, { line: BYE, cseq: '1 BYE', branch: 'c1', from: 'callee', to: 'caller' }],
  [901, own, phone, { line: BYE, cseq: '9 BYE', branch: 's4', from: 'callee', to: 'caller' }],
  [902, own, second, { line: 'SIP/2.0 200 OK', cseq: '1 BYE', branch: 'c1', from: 'callee', to: 'caller' }],
  [910, phone, own, { line: 'SIP/2.0 200 OK', cseq: '9 BYE', branch: 's4', from: 'callee', to: 'caller' }],
]

function capture(): CapturedMessage[] {
  const directions = createDirections('caller')
  return call.map(([at, source, target, given]) => {
    const text = textOf(given)
    const placed = directions.place(readHead(text) as SipHead, source, target)
    return { at, transport: 'udp', text, ...placed }
  })
}

const tried = [
  { trunk: 7, name: 'Carrier One', at: 2 },
  { trunk: 8, name: 'Carrier Two', at: 519 },
]

describe('layOut', () => {
  it('gives each carrier a column and each message its direction', () => {
    const { columns, steps } = layOut(capture(), tried)
    expect(columns.map(({ name, address }) => ({ name, address }))).toEqual([
      { name: 'Phone', address: '198.51.100.7:5062' },
      { name: 'Switch', address: null },
      { name: 'Carrier One', address: '203.0.113.1:5060' },
      { name: 'Carrier Two', address: '203.0.113.2:5060' },
    ])
    expect(
      steps.map(({ from, to, firstLine }) => `${from}>${to} ${firstLine.split(' ').slice(0, 2).join(' ')}`),
    ).toEqual([
      '0>1 INVITE sip:44@192.0.2.1',
      '1>0 SIP/2.0 100',
      '1>2 INVITE sip:44@192.0.2.1',
      '1>2 INVITE sip:44@192.0.2.1',
      '2>1 SIP/2.0 503',
      '1>2 ACK sip:44@192.0.2.1',
      '1>3 INVITE sip:44@192.0.2.1',
      '3>1 SIP/2.0 200',
      '1>0 SIP/2.0 200',
      '0>1 ACK sip:x',
      '1>3 ACK sip:x',
      '3>1 BYE sip:44@192.0.2.1',
      '1>0 BYE sip:44@192.0.2.1',
      '1>3 SIP/2.0 200',
      '0>1 SIP/2.0 200',
    ])
  })

  it('marks the second INVITE to a silent carrier as a retransmission', () => {
    const { steps } = layOut(capture(), tried)
    expect(steps.flatMap(({ isRetransmission }, at) => (isRetransmission ? [at] : []))).toEqual([3])
  })

  it('sorts messages by time', () => {
    const { steps } = layOut(capture().reverse(), tried)
    expect(steps.map(({ at }) => at)).toEqual(call.map(([at]) => at))
  })

  it('puts a request before a reply that was noted earlier', () => {
    const early = capture().map((message, at) => (at === 2 ? { ...message, at: 510.5 } : message))
    const { steps } = layOut(
      early.filter((_, at) => at !== 3),
      tried,
    )
    expect(steps.slice(2, 4).map(({ method, status, at }) => [method, status, at])).toEqual([
      ['INVITE', null, 510],
      ['INVITE', 503, 510],
    ])
  })

  it('finds the carrier of an INVITE that was noted after the start of the next attempt', () => {
    const late = capture().map((message, at) => (at === 2 || at === 4 ? { ...message, at: 519 } : message))
    const { columns, steps } = layOut(
      late.filter((_, at) => at !== 3),
      tried,
    )
    expect(columns.map(({ name }) => name)).toEqual(['Phone', 'Switch', 'Carrier One', 'Carrier Two'])
    expect(steps.filter(({ method }) => method === 'INVITE').map(({ from, to }) => `${from}>${to}`)).toEqual([
      ...['0>1', '1>0', '1>2', '2>1'],
      ...['1>3', '3>1', '1>0'],
    ])
  })

  it('counts an INVITE with credentials as the same attempt', () => {
    const challenged: typeof call = [
      [0, phone, own, { line: INVITE, cseq: '1 INVITE', branch: 'p1' }],
      [9, own, first, { line: INVITE, cseq: '1 INVITE', branch: 's1' }],
      [10, first, own, { line: 'SIP/2.0 407 No', cseq: '1 INVITE', branch: 's1', to: 'f' }],
      [11, own, first, { line: INVITE, cseq: '2 INVITE', branch: 's2' }],
      [12, first, own, { line: 'SIP/2.0 503 No', cseq: '2 INVITE', branch: 's2', to: 'g' }],
      [13, own, second, { line: INVITE, cseq: '2 INVITE', branch: 's3' }],
    ]
    const directions = createDirections('caller')
    const messages = challenged.map(([at, source, target, given]) => {
      const text = textOf(given)
      return { at, transport: 'udp', text, ...directions.place(readHead(text) as SipHead, source, target) }
    })
    // Both attempts started before the first INVITE was noted.
    const early = [
      { trunk: 7, name: 'Carrier One', at: 2 },
      { trunk: 8, name: 'Carrier Two', at: 9 },
    ]
    const { steps } = layOut(messages, early)
    expect(steps.map(({ from, to }) => `${from}>${to}`)).toEqual([
      ...['0>1', '1>2', '2>1', '1>2', '2>1'],
      '1>3',
    ])
  })

  it('separates carriers by address if the attempts are unknown', () => {
    const { columns } = layOut(capture(), [])
    expect(columns.map(({ name }) => name)).toEqual(['Phone', 'Switch', 'Carrier 1', 'Carrier 2'])
  })
})

describe('readHead', () => {
  it('reads compact headers and ignores tags inside of the address', () => {
    const text =
      'SIP/2.0 180 Ringing\r\nv: SIP/2.0/TLS h;branch=b\r\nf: <sip:a;tag=no>;tag=yes\r\nt: <sip:b>\r\ni: c\r\nCSeq: 1 INVITE\r\n\r\n'
    expect(readHead(text)).toMatchObject({
      status: 180,
      method: 'INVITE',
      fromTag: 'yes',
      toTag: '',
      callId: 'c',
      branch: 'b',
      transport: 'tls',
    })
  })

  it.each([
    ['unclosed brackets', '<'.repeat(100_000)],
    ['an unclosed quote', '"\\'.repeat(100_000)],
  ])('reads %s in one pass', (_what, from) => {
    const text = `INVITE sip:1@h SIP/2.0\r\nFrom: <${from};tag=a\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n\r\n`
    const before = performance.now()
    readHead(text)
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('ignores text that is not SIP', () => {
    expect(readHead('GET /phone/browser~1 HTTP/1.1\r\nCall-ID: 1\r\n\r\n')).toBeNull()
  })
})
