import { readHeader, splitMessage } from './message.ts'

/** Stands for a removed secret. */
export const REMOVED = '[removed]'

/** Parameters of a challenge or of credentials that are no secret. All others are removed. */
const OPEN_PARAMETERS = ['username', 'realm', 'algorithm', 'qop', 'stale']

const CREDENTIALS = new Set([
  'authorization',
  'proxy-authorization',
  'www-authenticate',
  'proxy-authenticate',
  'authentication-info',
  'proxy-authentication-info',
])

/** Other headers that may carry a secret, by their name. */
const SECRET_NAME = /auth|token|passw|secret|cookie|credential|api-?key/

/** SDP lines with keys: SDES, ICE, DTLS, MIKEY, ZRTP, and the old `k=`. */
const SECRET_ATTRIBUTE =
  /^(a\s*=\s*(?:crypto|ice-pwd|ice-ufrag|fingerprint|key-mgmt|zrtp-hash|tls-id|identity|3ge2ae)\s*:|k\s*=)/i

/**
 * A SIP message without secrets. Of the body only SDP stays: other bodies can hold digits that the caller has typed, such as a PIN. The
 * result has at most `maxLength` characters.
 */
export function redact(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const { firstLine, headers, body } = splitMessage(text)
  const lines = [firstLine, ...headers.map(redactHeader)].map(withoutUriPasswords)
  const shown = [...lines, '', ...bodyLines(headers, body)].join('\r\n')
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}\r\n[shortened]` : shown
}

/** Removes the password of `sip:user:password@host`. One pass, also for the text of a hostile sender. */
const withoutUriPasswords = (line: string): string =>
  line
    .split(/([\s<>"])/)
    .map((word) => {
      const parts = word.split('@')
      const host = parts.pop()
      return [...parts.map((part) => part.replace(/(\bsips?:[^:?]+):.+$/i, `$1:${REMOVED}`)), host].join('@')
    })
    .join('')

function redactHeader(line: string): string {
  const header = readHeader(line)
  // Kamailio ignores such a line; it may be the rest of a folded header.
  if (!header) return REMOVED
  const name = line.slice(0, line.indexOf(':')).trim()
  if (CREDENTIALS.has(header.name)) return `${name}: ${openParameters(header.value)}`
  return SECRET_NAME.test(header.name) ? `${name}: ${REMOVED}` : line
}

/** `Digest username="alice", realm="trunkline", [removed]` */
function openParameters(value: string): string {
  const digest = /^Digest\s/i.test(value) ? 'Digest ' : ''
  if (digest === '') return REMOVED
  const open = [...value.matchAll(/(?<![a-z0-9-])([a-z0-9-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)/gi)]
    .filter(([, name = '']) => OPEN_PARAMETERS.includes(name.toLowerCase()))
    .map(([, name, given]) => `${name}=${given}`)
  return digest + [...open, REMOVED].join(', ')
}

function bodyLines(headers: readonly string[], body: string): string[] {
  if (body.trim() === '') return ['']
  const type = headers.map(readHeader).find((header) => header?.name === 'content-type')?.value ?? ''
  if (!/^application\/sdp\s*(;|$)/i.test(type)) return [`[body of ${body.length} bytes removed]`, '']
  return body.split(/\r\n|\n|\r/).map(redactSdpLine)
}

function redactSdpLine(line: string): string {
  const secret = SECRET_ATTRIBUTE.exec(line.trimStart())
  return secret ? `${secret[1]?.replace(/\s/g, '')}${REMOVED}` : line
}
