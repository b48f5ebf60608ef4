import { createHash } from 'node:crypto'
import { headerOf, type SipMessage } from './sip-message.ts'

/** How a test carrier handles a call. */
export type Behavior =
  | {
      kind: 'echo' | 'tone'
      ringMs?: number
      hangUpAfterMs?: number
      hasEarlyMedia?: boolean
      /** Reply to a BYE instead of 200, or null for none. The call then continues. */
      byeStatus?: number | null
    }
  | { kind: 'refuse'; code: number; reason: string }
  /** Rings forever. */
  | { kind: 'rings'; hasEarlyMedia?: boolean }
  /** Sends no reply. */
  | { kind: 'silent' }
  /** Requires digest authentication. */
  | {
      kind: 'challenge'
      username: string
      password: string
      behavior: Behavior
      /** Challenges each BYE too: 407 without qop, 401 with it. */
      byeChallenge?: 401 | 407
    }

export type Answer =
  | { kind: 'nothing' }
  | { kind: 'refuse'; code: number; reason: string; headers?: [string, string][] }
  | {
      kind: 'ring'
      sound: 'echo' | 'tone'
      hasEarlyMedia: boolean
      afterMs: number | null
      hangUpAfterMs: number | null
      byeStatus: number | null
    }

const RING_MS = 1_500
const REALM = 'test-carrier'
const NONCE = 'c0ffee'

export function answerTo(behavior: Behavior, invite: SipMessage): Answer {
  switch (behavior.kind) {
    case 'silent':
      return { kind: 'nothing' }
    case 'refuse':
      return behavior
    case 'rings':
      return ring({ sound: 'echo', afterMs: null, hasEarlyMedia: behavior.hasEarlyMedia ?? false })
    case 'challenge':
      return isRightDigest(invite, behavior) ? answerTo(behavior.behavior, invite) : challenge(407)
    default:
      return ring({
        sound: behavior.kind,
        afterMs: behavior.ringMs ?? RING_MS,
        hangUpAfterMs: behavior.hangUpAfterMs ?? null,
        byeStatus: behavior.byeStatus === undefined ? 200 : behavior.byeStatus,
        hasEarlyMedia: behavior.hasEarlyMedia ?? false,
      })
  }
}

type Ring = Extract<Answer, { kind: 'ring' }>

const ring = (given: Partial<Ring> & Pick<Ring, 'sound'>): Ring => ({
  kind: 'ring',
  hasEarlyMedia: false,
  afterMs: null,
  hangUpAfterMs: null,
  byeStatus: 200,
  ...given,
})

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

type Credentials = { username: string; password: string }

/** The challenge of a BYE without valid credentials; null lets it through. */
export function byeChallengeOf(behavior: Behavior, bye: SipMessage): Refusal | null {
  if (behavior.kind !== 'challenge' || behavior.byeChallenge === undefined) return null
  return isRightDigest(bye, behavior) ? null : challenge(behavior.byeChallenge)
}

type Refusal = Extract<Answer, { kind: 'refuse' }>

function challenge(code: 401 | 407): Refusal {
  const value = `Digest realm="${REALM}", nonce="${NONCE}", algorithm=MD5`
  return code === 407
    ? {
        kind: 'refuse',
        code,
        reason: 'Proxy Authentication Required',
        headers: [['Proxy-Authenticate', value]],
      }
    : {
        kind: 'refuse',
        code,
        reason: 'Unauthorized',
        headers: [['WWW-Authenticate', `${value}, opaque="5ca1e", qop="auth,auth-int"`]],
      }
}

function isRightDigest(request: SipMessage, { username, password }: Credentials): boolean {
  const given = headerOf(request, 'proxy-authorization') || headerOf(request, 'authorization')
  const field = (name: string) => new RegExp(`\\b${name}="?([^",]*)"?`).exec(given)?.[1] ?? ''
  const counted = field('qop') ? `${field('nc')}:${field('cnonce')}:${field('qop')}:` : ''
  const ha1 = md5(`${username}:${REALM}:${password}`)
  const ha2 = md5(`${request.method}:${field('uri')}`)
  const expected = md5(`${ha1}:${NONCE}:${counted}${ha2}`)
  return field('username') === username && field('uri') === request.uri && field('response') === expected
}
