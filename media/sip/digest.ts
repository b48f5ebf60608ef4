import { createHash, randomBytes } from 'node:crypto'
import { type Header, headersOf, type SipResponse } from './message.ts'

export type Credentials = { readonly username: string; readonly password: string }

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')

/** Answers the first MD5 challenge of a 401 or 407. Null if there is none. */
export function answerChallenge(
  response: SipResponse,
  { username, password }: Credentials,
  method: string,
  uri: string,
): Header | null {
  const isProxy = response.status === 407
  const challenges = headersOf(response, isProxy ? 'proxy-authenticate' : 'www-authenticate').map(parameters)
  const challenge = challenges.find((found) => /^md5$/i.test(found.get('algorithm') ?? 'MD5'))
  const realm = challenge?.get('realm')
  const nonce = challenge?.get('nonce')
  if (challenge === undefined || realm === undefined || nonce === undefined) return null
  const hash = md5(`${username}:${realm}:${password}`)
  const request = md5(`${method}:${uri}`)
  const fields = [`username="${escaped(username)}"`, `realm="${realm}"`, `nonce="${nonce}"`, `uri="${uri}"`]
  if ((challenge.get('qop') ?? '').split(/\s*,\s*/).includes('auth')) {
    const cnonce = randomBytes(8).toString('hex')
    const digest = md5(`${hash}:${nonce}:00000001:${cnonce}:auth:${request}`)
    fields.push(`response="${digest}"`, 'qop=auth', 'nc=00000001', `cnonce="${cnonce}"`)
  } else fields.push(`response="${md5(`${hash}:${nonce}:${request}`)}"`)
  fields.push('algorithm=MD5')
  const opaque = challenge.get('opaque')
  if (opaque !== undefined) fields.push(`opaque="${opaque}"`)
  return [isProxy ? 'proxy-authorization' : 'authorization', `Digest ${fields.join(', ')}`]
}

const escaped = (text: string): string => text.replace(/["\\\r\n]/g, '')

function parameters(challenge: string): Map<string, string> {
  if (!/^digest\s/i.test(challenge)) return new Map()
  const pairs = challenge.slice(7).matchAll(/([a-z]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/gi)
  return new Map([...pairs].map((pair) => [(pair[1] ?? '').toLowerCase(), pair[2] ?? pair[3] ?? '']))
}
