import { createHash, randomBytes } from 'node:crypto'
import { headersOf, type SipMessage } from '../../sandbox/carriers/sip-message.ts'

export type Account = { user: string; password: string }

type Challenge = { realm: string; nonce: string; algorithm: string }

/** The first challenge in the response. */
export function challengeOf(answer: SipMessage): Challenge | null {
  const [offer] = [...headersOf(answer, 'www-authenticate'), ...headersOf(answer, 'proxy-authenticate')]
  const field = (name: string) => new RegExp(`${name}="?([^",]*)"?`).exec(offer ?? '')?.[1] ?? ''
  return offer ? { realm: field('realm'), nonce: field('nonce'), algorithm: field('algorithm') } : null
}

export const hash = (algorithm: string, text: string): string =>
  createHash(algorithm === 'SHA-256' ? 'sha256' : 'md5')
    .update(text)
    .digest('hex')

/** Overrides of digest fields; `qop: null` omits qop, as old phones do. */
export type DigestFields = {
  username?: string
  uri?: string
  nc?: string
  cnonce?: string
  qop?: string | null
  /** Appended to the nonce. */
  tail?: string
}

export function digestFor(
  account: Account,
  challenge: Challenge,
  method: string,
  asked: string,
  fields: DigestFields = {},
): string {
  const { realm, algorithm } = challenge
  const { username = account.user, uri = asked, nc = '00000001', qop = 'auth', tail = '' } = fields
  const { cnonce = randomBytes(4).toString('hex') } = fields
  const nonce = challenge.nonce + tail
  const h = (text: string) => hash(algorithm, text)
  const ha1 = h(`${account.user}:${realm}:${account.password}`)
  const middle = qop === null ? nonce : `${nonce}:${nc}:${cnonce}:${qop}`
  const response = h(`${ha1}:${middle}:${h(`${method}:${uri}`)}`)
  const count = qop === null ? '' : `, cnonce="${cnonce}", qop=${qop}, nc=${nc}`
  return `Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=${algorithm}${count}`
}
