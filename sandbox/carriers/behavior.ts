import { createHash } from 'node:crypto'
import { headerOf, type SipMessage } from './sip-message.ts'

/** How a test carrier handles a call. */
export type Behavior =
  | {
      kind: 'echo' | 'tone'
      /** Delay before the first reply. */
      silentMs?: number
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
  | { kind: 'challenge'; username: string; password: string; behavior: Behavior }

export type Answer =
  | { kind: 'nothing' }
  | { kind: 'refuse'; code: number; reason: string; headers?: [string, string][] }
  | {
      kind: 'ring'
      sound: 'echo' | 'tone'
      hasEarlyMedia: boolean
      silentMs: number
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
      return isRightDigest(invite, behavior.username, behavior.password)
        ? answerTo(behavior.behavior, invite)
        : {
            kind: 'refuse',
            code: 407,
            reason: 'Proxy Authentication Required',
            headers: [['Proxy-Authenticate', `Digest realm="${REALM}", nonce="${NONCE}", algorithm=MD5`]],
          }
    default:
      return ring({
        sound: behavior.kind,
        silentMs: behavior.silentMs ?? 0,
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
  silentMs: 0,
  afterMs: null,
  hangUpAfterMs: null,
  byeStatus: 200,
  ...given,
})

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

function isRightDigest(invite: SipMessage, username: string, password: string): boolean {
  const given = headerOf(invite, 'proxy-authorization')
  const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(given)?.[1] ?? ''
  const expected = md5(`${md5(`${username}:${REALM}:${password}`)}:${NONCE}:${md5(`INVITE:${field('uri')}`)}`)
  return field('username') === username && field('response') === expected
}
