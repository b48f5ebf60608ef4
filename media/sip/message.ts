/** SIP messages as text. Bytes are read and written as latin1, so that a header is echoed exactly as it came. */

/** Names are lowercase, and compact names are expanded. */
export type Header = readonly [name: string, value: string]

export type SipRequest = {
  readonly method: string
  readonly uri: string
  readonly headers: readonly Header[]
  readonly body: string
}

export type SipResponse = {
  readonly status: number
  readonly reason: string
  readonly headers: readonly Header[]
  readonly body: string
}

export type SipMessage = SipRequest | SipResponse

const COMPACT: ReadonlyMap<string, string> = new Map([
  ['v', 'via'],
  ['f', 'from'],
  ['t', 'to'],
  ['i', 'call-id'],
  ['m', 'contact'],
  ['l', 'content-length'],
  ['c', 'content-type'],
  ['k', 'supported'],
  ['s', 'subject'],
  ['e', 'content-encoding'],
])

export const isRequest = (message: SipMessage): message is SipRequest => 'method' in message

/** Joins the lines of a header that continues on the next line. */
export const unfold = (head: string): string => head.replace(/\r?\n[ \t]+/g, ' ')

/** Returns null for a malformed head. A line ends with CRLF or LF. */
export function parseMessage(head: string, body: string): SipMessage | null {
  const [first = '', ...lines] = unfold(head).split(/\r?\n/)
  const headers: Header[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon <= 0) return null
    const name = line.slice(0, colon).trim().toLowerCase()
    headers.push([COMPACT.get(name) ?? name, line.slice(colon + 1).trim()])
  }
  const response = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/.exec(first)
  if (response) return { status: Number(response[1]), reason: response[2] ?? '', headers, body }
  const request = /^([A-Z]{1,20}) (\S+) SIP\/2\.0$/.exec(first)
  return request ? { method: request[1] ?? '', uri: request[2] ?? '', headers, body } : null
}

export function formatMessage(message: SipMessage): string {
  const first = isRequest(message)
    ? `${message.method} ${message.uri} SIP/2.0`
    : `SIP/2.0 ${message.status} ${message.reason}`
  const lines = message.headers.map(([name, value]) => `${shownName(name)}: ${value}`)
  return [first, ...lines, `Content-Length: ${message.body.length}`, '', message.body].join('\r\n')
}

/** `call-id` becomes `Call-ID`, as most implementations write it. */
function shownName(name: string): string {
  if (name === 'call-id') return 'Call-ID'
  if (name === 'cseq') return 'CSeq'
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

export const headersOf = (message: SipMessage, name: string): string[] =>
  message.headers.flatMap(([own, value]) => (own === name ? [value] : []))

export const headerOf = (message: SipMessage, name: string): string =>
  message.headers.find(([own]) => own === name)?.[1] ?? ''

export const tagOf = (address: string): string => /;\s*tag=([^;>\s]+)/i.exec(address)?.[1] ?? ''

export const branchOf = (message: SipMessage): string =>
  /;\s*branch=([^;,\s]+)/i.exec(headerOf(message, 'via'))?.[1] ?? ''

export function cseqOf(message: SipMessage): { number: number; method: string } | null {
  const match = /^(\d{1,10})\s+([A-Z]+)$/.exec(headerOf(message, 'cseq'))
  return match ? { number: Number(match[1]), method: match[2] ?? '' } : null
}

/** The URI without display name and brackets. */
export const uriOf = (address: string): string =>
  /<([^>]*)>/.exec(address)?.[1] ?? address.split(';')[0]?.trim() ?? ''

export function userOf(uri: string): string {
  const user = /^(?:sips?|tel):([^@;?]*)/i.exec(uri)?.[1] ?? ''
  if (!/^tel:/i.test(uri) && !uri.includes('@')) return ''
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

export function displayNameOf(address: string): string {
  const name = /^\s*(?:"((?:[^"\\]|\\.)*)"|([^<"]*?))\s*</.exec(address)
  const text = name?.[1]?.replace(/\\(.)/g, '$1') ?? name?.[2] ?? ''
  const decoded = Buffer.from(text, 'latin1').toString('utf8')
  // Some phones send latin1.
  return decoded.includes('\ufffd') ? text : decoded
}

/** Host and port of a SIP URI. IPv6 addresses lose their brackets. */
export function hostOf(uri: string): { host: string; port: number } | null {
  const match = /^sips?:(?:[^@]*@)?(\[[^\]]+\]|[^:;?>]+)(?::(\d{1,5}))?/i.exec(uri)
  if (!match) return null
  return { host: (match[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(match[2] ?? 5060) }
}

/** Values of headers such as Record-Route, which may hold several addresses. */
export const addressesOf = (message: SipMessage, name: string): string[] =>
  headersOf(message, name).flatMap((line) => line.split(/,\s*(?=[^<>]*<)/))

/** An IPv6 address in brackets, everything else as it is. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The reply to a request: its Via, From, To, Call-ID, CSeq and Record-Route. */
export function replyTo(
  request: SipRequest,
  status: number,
  reason: string,
  { tag, headers = [], body = '' }: { tag?: string; headers?: readonly Header[]; body?: string } = {},
): SipResponse {
  const kept = request.headers.filter(
    ([name]) =>
      name === 'via' || name === 'from' || name === 'call-id' || name === 'cseq' || name === 'record-route',
  )
  const to = headerOf(request, 'to')
  const toTag = status > 100 && tag && tagOf(to) === '' ? `;tag=${tag}` : ''
  return { status, reason, headers: [...kept, ['to', `${to}${toTag}`], ...headers], body }
}
