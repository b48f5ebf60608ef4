import { createSocket } from 'node:dgram'
import {
  formatMessage,
  headerOf,
  parseMessage,
  type SipMessage,
  tagOf,
} from '../../sandbox/carriers/sip-message.ts'
import { eventually } from './eventually.ts'

/** A carrier that replies to an INVITE only when the test says so. */
export type ManualCarrier = {
  host: string
  port: number
  /** Waits for the INVITE and replies with 200, this tag and this SDP. Returns the SDP of the INVITE. */
  answer(tag: string, body?: string): Promise<string>
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

  function reply(request: SipMessage, tag: string, body = ''): void {
    const copied = request.headers.filter(([name]) => /^(via|record-route|from|call-id|cseq)$/i.test(name))
    const to = headerOf(request, 'to')
    const headers: [string, string][] = [
      ...copied,
      ['To', tagOf(to) ? to : `${to};tag=${tag}`],
      ['Contact', `<sip:carrier@127.0.0.1:${port}>`],
    ]
    if (body) headers.push(['Content-Type', 'application/sdp'])
    socket.send(formatMessage({ status: 200, reason: 'OK', headers, body }), switchPort, '127.0.0.1')
  }

  socket.on('message', (bytes, from) => {
    const request = parseMessage(bytes.toString('latin1'))
    if (!request?.method) return
    switchPort = from.port
    requests.push(request)
    if (request.method === 'BYE') reply(request, '')
  })

  return {
    host: '127.0.0.1',
    port,
    async answer(tag, body) {
      const invite = await eventually(() => requests.find(({ method }) => method === 'INVITE'), 'INVITE')
      reply(invite, tag, body)
      return invite.body
    },
    byes: () => requests.filter(({ method }) => method === 'BYE').map((bye) => tagOf(headerOf(bye, 'to'))),
    close: () => socket.close(),
  }
}
