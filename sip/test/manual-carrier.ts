import { createSocket } from 'node:dgram'
import {
  formatMessage,
  headerOf,
  parseMessage,
  routesOf,
  type SipMessage,
  tagOf,
  uriOf,
} from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'

/** A carrier that replies to an INVITE only when the test says so. */
export type ManualCarrier = {
  host: string
  port: number
  /** Waits for the INVITE and replies with 200, this tag and this SDP. Returns the SDP of the INVITE. */
  answer(tag: string, body?: string): Promise<string>
  /** Waits for the INVITE and replies with 180. */
  ring(tag: string): Promise<void>
  /** Sends a BYE, also for a call that it has not answered. */
  hangUp(tag: string): void
  /** The status codes of the replies to its requests. */
  replies(): number[]
  /** The tags of the received BYEs. */
  byes(): string[]
  close(): void
}

export async function startManualCarrier(): Promise<ManualCarrier> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  const requests: SipMessage[] = []
  let switchPort = 0

  const replies: number[] = []
  const invite = () => requests.find(({ method }) => method === 'INVITE')

  function reply(request: SipMessage, tag: string, body = '', status = 200, reason = 'OK'): void {
    const copied = request.headers.filter(([name]) => /^(via|record-route|from|call-id|cseq)$/i.test(name))
    const to = headerOf(request, 'to')
    const headers: [string, string][] = [
      ...copied,
      ['To', tagOf(to) ? to : `${to};tag=${tag}`],
      ['Contact', `<sip:carrier@127.0.0.1:${port}>`],
    ]
    if (body) headers.push(['Content-Type', 'application/sdp'])
    socket.send(formatMessage({ status, reason, headers, body }), switchPort, '127.0.0.1')
  }

  socket.on('message', (bytes, from) => {
    const request = parseMessage(bytes.toString('latin1'))
    if (request?.status !== undefined) replies.push(request.status)
    if (!request?.method) return
    switchPort = from.port
    requests.push(request)
    if (request.method === 'BYE') reply(request, '')
  })

  return {
    host: '127.0.0.1',
    port,
    async answer(tag, body) {
      const received = await eventually(invite, 'INVITE')
      reply(received, tag, body)
      return received.body
    },
    async ring(tag) {
      reply(await eventually(invite, 'INVITE'), tag, '', 180, 'Ringing')
    },
    hangUp(tag) {
      const received = invite()
      if (!received) throw new Error('no INVITE')
      const headers: [string, string][] = [
        ['Via', `SIP/2.0/UDP 127.0.0.1:${port};rport;branch=z9hG4bK${tag}`],
        ...routesOf(received, 'record-route').map((value): [string, string] => ['Route', value]),
        ['From', `${headerOf(received, 'to')};tag=${tag}`],
        ['To', headerOf(received, 'from')],
        ['Call-ID', headerOf(received, 'call-id')],
        ['CSeq', '2 BYE'],
        ['Max-Forwards', '70'],
      ]
      const uri = uriOf(headerOf(received, 'contact'))
      socket.send(formatMessage({ method: 'BYE', uri, headers, body: '' }), switchPort, '127.0.0.1')
    },
    replies: () => replies,
    byes: () => requests.filter(({ method }) => method === 'BYE').map((bye) => tagOf(headerOf(bye, 'to'))),
    close: () => socket.close(),
  }
}
