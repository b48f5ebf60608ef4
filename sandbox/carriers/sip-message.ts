import { randomBytes } from 'node:crypto'

/** A minimal SIP parser and formatter for the test carrier and the test phone. */

export type SipMessage = {
  /** For requests. */
  method?: string
  uri?: string
  /** For responses. */
  status?: number
  reason?: string
  headers: [name: string, value: string][]
  body: string
}

const COMPACT: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
}

/** Returns null for keep-alives and malformed messages. */
export function parseMessage(text: string): SipMessage | null {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':')
    return colon > 0 ? [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]] : []
  })
  const body = rest.join('\r\n\r\n')
  const response = /^SIP\/2\.0 (\d{3}) ?(.*)$/.exec(first)
  if (response) return { status: Number(response[1]), reason: response[2] ?? '', headers, body }
  const request = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(first)
  return request ? { method: request[1] ?? '', uri: request[2] ?? '', headers, body } : null
}

export function formatMessage({ method, uri, status, reason, headers, body }: SipMessage): string {
  const first = method ? `${method} ${uri} SIP/2.0` : `SIP/2.0 ${status} ${reason}`
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [first, ...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
}

export function headersOf(message: SipMessage, name: string): string[] {
  const wanted = name.toLowerCase()
  return message.headers.flatMap(([own, value]) => {
    const lower = own.toLowerCase()
    return lower === wanted || COMPACT[lower] === wanted ? [value] : []
  })
}

export const headerOf = (message: SipMessage, name: string): string => headersOf(message, name)[0] ?? ''

export const tagOf = (address: string): string => /;\s*tag=([^;>\s]+)/.exec(address)?.[1] ?? ''

export const branchOf = (via: string): string => /;branch=([^;,\s]+)/.exec(via)?.[1] ?? ''
export const cseqOf = (message: SipMessage): number => Number.parseInt(headerOf(message, 'cseq'), 10)

export const newBranch = (): string => `z9hG4bK${randomBytes(8).toString('hex')}`

/** The URI without display name and brackets. */
export const uriOf = (address: string): string =>
  /<([^>]*)>/.exec(address)?.[1] ?? address.split(';')[0]?.trim() ?? ''

export const userOf = (uri: string): string => /^sips?:([^@;]*)@/.exec(uri)?.[1] ?? ''

/** Splits comma-separated header values into addresses. */
export const routesOf = (message: SipMessage, name: string): string[] =>
  headersOf(message, name).flatMap((line) => line.split(/,\s*(?=<)/))

export const SDP: [name: string, value: string] = ['Content-Type', 'application/sdp']

type Reply = { status: number; reason: string; to: string; contact: string; body: string }

/** The response to a request, with the headers that it copies. */
export const replyTo = (
  request: SipMessage,
  { status, reason, to, contact, body }: Reply,
  headers: SipMessage['headers'] = [],
): SipMessage => ({
  status,
  reason,
  headers: [
    ...headersOf(request, 'via').map((value): [string, string] => ['Via', value]),
    ...headersOf(request, 'record-route').map((value): [string, string] => ['Record-Route', value]),
    ['From', headerOf(request, 'from')],
    ['To', to],
    ['Call-ID', headerOf(request, 'call-id')],
    ['CSeq', headerOf(request, 'cseq')],
    ['Contact', contact],
    ...headers,
    ...(body ? [SDP] : []),
  ],
  body,
})

/** The direction that answers an offer; undefined for one in both directions. */
export function answeredDirection(offer: string): string | undefined {
  const direction = /^a=(sendonly|recvonly|inactive)/m.exec(offer)?.[1] ?? ''
  return { sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' }[direction]
}

/** The RTP address and port in an SDP. */
export function mediaTarget(sdp: string): { address: string; port: number } | null {
  const port = Number(/^m=audio (\d+)/m.exec(sdp)?.[1] ?? 0)
  const address = /^c=IN IP[46] (\S+)/m.exec(sdp)?.[1]
  return address && port > 0 ? { address, port } : null
}

export function audioDescription(
  address: string,
  port: number,
  direction = 'sendrecv',
  /** The offered payload type for DTMF events. */
  keys: number | null = null,
): string {
  const family = address.includes(':') ? 'IP6' : 'IP4'
  return `${[
    'v=0',
    `o=- 1 1 IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 8 0${keys === null ? '' : ` ${keys}`}`,
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:0 PCMU/8000',
    ...(keys === null ? [] : [`a=rtpmap:${keys} telephone-event/8000`, `a=fmtp:${keys} 0-15`]),
    `a=${direction}`,
  ].join('\r\n')}\r\n`
}

/** The payload type for DTMF events (RFC 4733) in an SDP, if any. */
export function keysOffered(description: string): number | null {
  const type = /^a=rtpmap:(\d+) telephone-event\/8000/m.exec(description)?.[1]
  return type === undefined ? null : Number(type)
}
