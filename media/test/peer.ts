import { createHash, randomBytes } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createFramer } from '../sip/framing.ts'
import {
  formatMessage,
  type Header,
  headerOf,
  isRequest,
  replyTo,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  tagOf,
} from '../sip/message.ts'
import { HOST } from './support.ts'

/** A SIP peer that does only what the test says, on TCP connections of either side. */
export async function startPeer() {
  const arrived: SipMessage[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  let current: Socket | null = null

  function serve(socket: Socket): void {
    sockets.add(socket)
    current = socket
    const framer = createFramer(
      (message) => {
        current = socket
        arrived.push(message)
        for (const look of [...waiting]) look()
      },
      () => {},
    )
    socket.on('data', (chunk) => framer.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  /** Takes the first message that fits, waiting for it if needed. */
  function take(fits: (message: SipMessage) => boolean): Promise<SipMessage> {
    return new Promise((resolve) => {
      const look = () => {
        const at = arrived.findIndex(fits)
        const [message] = at < 0 ? [] : arrived.splice(at, 1)
        if (!message) return
        waiting.delete(look)
        resolve(message)
      }
      waiting.add(look)
      look()
    })
  }

  return {
    port,
    arrived,
    connections: () => sockets.size,
    connectTo: (toPort: number) =>
      new Promise<Socket>((resolve) => {
        const socket = connect(toPort, HOST, () => resolve(socket))
        serve(socket)
      }),
    /** Closes all connections, as a restarted switch does. */
    dropConnections() {
      for (const socket of sockets) socket.destroy()
      current = null
    },
    send(message: SipMessage) {
      current?.write(formatMessage(message), 'latin1')
    },
    request: async (method: string): Promise<SipRequest> =>
      (await take((message) => isRequest(message) && message.method === method)) as SipRequest,
    response: async (status: number, method = 'INVITE'): Promise<SipResponse> =>
      (await take(
        (message) =>
          !isRequest(message) && message.status === status && headerOf(message, 'cseq').endsWith(method),
      )) as SipResponse,
    reply(
      request: SipRequest,
      status: number,
      reason: string,
      options: { headers?: readonly Header[]; body?: string } = {},
    ) {
      const contact: Header = ['contact', `<sip:peer@${HOST}:${port};transport=tcp>`]
      this.send(
        replyTo(request, status, reason, {
          tag: 'peer',
          ...options,
          headers: [contact, ...(options.headers ?? [])],
        }),
      )
    },
  }
}

export type Peer = Awaited<ReturnType<typeof startPeer>>

/** An RTP socket of the test. */
export async function openAudio(): Promise<UdpSocket & { readonly own: number }> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve))
  onTestFinished(() => {
    socket.close()
  })
  return Object.assign(socket, { own: socket.address().port })
}

export const sdp = (port: number, { types = '8 0 101', direction = 'sendrecv' } = {}): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${HOST}`,
    's=-',
    `c=IN IP4 ${HOST}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${types}`,
    ...(types.includes('101') ? ['a=rtpmap:101 telephone-event/8000'] : []),
    `a=${direction}`,
    '',
  ].join('\r\n')

export const portIn = (body: string): number => Number(/m=audio (\d+)/.exec(body)?.[1])

/** A request of a caller. The dialog's To tag is added after the answer. */
export function callerRequest(
  peer: Peer,
  method: string,
  cseq: number,
  {
    callId,
    toTag,
    body = '',
    headers = [],
  }: { callId: string; toTag?: string; body?: string; headers?: readonly Header[] },
): SipRequest {
  return {
    method,
    uri: `sip:flow@${HOST}`,
    headers: [
      [
        'via',
        `SIP/2.0/TCP ${HOST}:${peer.port};branch=z9hG4bK${method === 'CANCEL' ? 'INVITE' : method}${cseq}${callId}`,
      ],
      ['from', `"${Buffer.from('Jürgen').toString('latin1')} \\"J\\"" <sip:+4930@${HOST}>;tag=caller`],
      ['to', `<sip:flow@${HOST}>${toTag ? `;tag=${toTag}` : ''}`],
      ['call-id', callId],
      ['cseq', `${cseq} ${method}`],
      ['contact', `<sip:peer@${HOST}:${peer.port};transport=tcp>`],
      ['record-route', `<sip:${HOST}:${peer.port};transport=tcp;lr;x=1>`],
      ['max-forwards', '70'],
      ...(body && !headers.some(([name]) => name === 'content-type')
        ? ([['content-type', 'application/sdp']] as const)
        : []),
      ...headers,
    ],
    body,
  }
}

export const newCallId = (): string => randomBytes(8).toString('hex')

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** Calls an endpoint. The call is answered when this resolves. */
export async function answeredCall(peer: Peer, port: number, body: string) {
  await peer.connectTo(port)
  const callId = newCallId()
  peer.send(callerRequest(peer, 'INVITE', 1, { callId, body }))
  const ok = await peer.response(200)
  const toTag = tagOf(headerOf(ok, 'to'))
  const within = (method: string, cseq: number, body = '') =>
    callerRequest(peer, method, cseq, { callId, toTag, body })
  peer.send(within('ACK', 1))
  return { ok, within }
}
