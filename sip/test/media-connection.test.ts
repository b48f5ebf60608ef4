import { describe, expect, it } from 'vitest'
import type { IncomingCall } from '../../media/endpoint.ts'
import { startEndpoint } from '../../media/start-endpoint.ts'
import { audioDescription, headerOf } from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'
import { harnessForFile } from './harness.ts'
import { CALLER, CARRIER, NUMBER, ringing } from './incoming-calls.ts'

/** A hostile INVITE must not break the connection that all calls of a media process share. */
const harness = await harnessForFile({ workers: 4 })

const HOST = '127.0.0.1'

async function start() {
  const onCall = (incoming: IncomingCall) => void incoming.answer()
  const media = harness.keep(await startEndpoint({ host: HOST, port: 0, isAllowed: () => true, onCall }))
  const uri = `sip:flow~7~test-switch~1-2-3@${HOST}:${media.port};transport=tcp`
  const peer = await harness.peer({
    authorize: () => ringing([{ id: -1, seconds: 10, uri, isMedia: true }]),
  })
  peer.send({ type: 'sources', clear: true, add: [CARRIER] })
  await peer.processed()
  const carrier = await harness.phone({ from: CARRIER, isTerse: true })
  const call = async () => {
    const tag = Math.random().toString(36).slice(2)
    const made = await carrier.call(NUMBER, [['From', `<sip:${CALLER}@carrier.example>;tag=${tag}`]])
    return { made, status: (await made.ended).status }
  }
  return { carrier, call, media }
}

type Edit = (head: string[]) => string[]

/** An INVITE of the carrier whose lines end as given. */
function inviteOf(port: number, lineEnd: string, headEnd: string, edit: Edit = (head) => head): string {
  const id = Math.random().toString(36).slice(2)
  const body = audioDescription(CARRIER, 40_000)
  const head = [
    `INVITE sip:${NUMBER}@${HOST} SIP/2.0`,
    `Via: SIP/2.0/UDP ${CARRIER}:${port};rport;branch=z9hG4bK${id}`,
    `From: <sip:odd@carrier.example>;tag=${id}`,
    `To: <sip:${NUMBER}@${HOST}>`,
    `Call-ID: ${id}`,
    'CSeq: 1 INVITE',
    `Contact: <sip:odd@${CARRIER}:${port}>`,
    'Max-Forwards: 70',
    'Content-Type: application/sdp',
    `Content-Length: ${body.length}`,
  ]
  return `${edit(head).join(lineEnd)}${headEnd}${body}`
}

/** `To` in the fourth line. */
const replaceTo = (edit: (to: string, rest: string[]) => string[]): Edit => {
  return (head) => [...head.slice(0, 3), ...edit(head[3] ?? '', head.slice(4))]
}
const lastOf = (lines: string[]) => lines.at(-1) ?? ''

describe('an INVITE to a media process', () => {
  it.each<[string, number, string, string, Edit?]>([
    ['lines that end with LF', 200, '\n', '\n\n'],
    ['lines that end with LF and an empty CRLF line', 200, '\n', '\n\r\n'],
    [
      'a Content-Length on two lines',
      200,
      '\r\n',
      '\r\n\r\n',
      (head) => head.map((line) => line.replace('Length: ', 'Length:\r\n ')),
    ],
    ['a CR as its empty line', 400, '\r\n', '\r\n\r'],
    [
      'a CR after To',
      400,
      '\r\n',
      '\r\n\r\n',
      replaceTo((to, rest) => [`${to}\r${lastOf(rest)}`, ...rest.slice(0, -1)]),
    ],
    [
      'a zero byte and a CR after To',
      400,
      '\r\n',
      '\r\n\r\n',
      replaceTo((to, rest) => ['X: \0', `${to}\r${lastOf(rest)}`, ...rest.slice(0, -1)]),
    ],
    ['two CR after To', 400, '\r\n', '\r\r', replaceTo((to, rest) => [...rest, to])],
    [
      '16 kB of other headers',
      200,
      '\r\n',
      '\r\n\r\n',
      (head) => [...head, ...Array.from({ length: 61 }, () => `Min-SE: 90;x=${'x'.repeat(240)}`)],
    ],
    [
      '16 kB of Via headers',
      400,
      '\r\n',
      '\r\n\r\n',
      (head) => [
        ...head.slice(0, 2),
        ...Array.from({ length: 61 }, () => `v: SIP/2.0/UDP 127.0.0.9;branch=${'x'.repeat(220)}`),
        ...head.slice(2),
      ],
    ],
  ])('with %s leaves the calls of the others alone', async (_what, status, lineEnd, headEnd, edit) => {
    const { carrier, call, media } = await start()
    const before = await call()
    expect(before.status).toBe(200)
    const text = inviteOf(carrier.line.port, lineEnd, headEnd, edit)
    expect(text.length).toBeLessThanOrEqual(16_384)
    carrier.send(text)
    const reply = () =>
      carrier.messages.find(
        (message) => (message.status ?? 0) >= 200 && headerOf(message, 'from').includes('odd@'),
      )
    expect((await eventually(reply, 'the reply', 5_000)).status).toBe(status)
    expect((await call()).status).toBe(200)
    expect(media.liveCalls()).toBe(status === 200 ? 3 : 2)
    expect(before.made.requests('BYE')).toEqual([])
  })
})
