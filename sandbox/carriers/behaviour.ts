import { createHash } from 'node:crypto'
import { headerOf, type SipMessage } from './sip-message.ts'

/** What a test carrier does with a call. */
export type Behaviour =
  | {
      kind: 'echo' | 'tone'
      /** Before the first word. */
      silentMs?: number
      ringMs?: number
      hangUpAfterMs?: number
      hasEarlyMedia?: boolean
      /** The answer to a BYE in place of 200; null says nothing. The call goes on. */
      byeStatus?: number | null
    }
  | { kind: 'refuse'; code: number; reason: string }
  /** It rings for ever. */
  | { kind: 'rings'; hasEarlyMedia?: boolean }
  /** Not a word, as if nobody were there. */
  | { kind: 'silent' }
  /** Wants a name and a password first. */
  | { kind: 'challenge'; username: string; password: string; behaviour: Behaviour }

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

export function answerTo(behaviour: Behaviour, invite: SipMessage): Answer {
  switch (behaviour.kind) {
    case 'silent':
      return { kind: 'nothing' }
    case 'refuse':
      return behaviour
    case 'rings':
      return ring({ sound: 'echo', afterMs: null, hasEarlyMedia: behaviour.hasEarlyMedia ?? false })
    case 'challenge':
      return isRightDigest(invite, behaviour.username, behaviour.password)
        ? answerTo(behaviour.behaviour, invite)
        : {
            kind: 'refuse',
            code: 407,
            reason: 'Proxy Authentication Required',
            headers: [['Proxy-Authenticate', `Digest realm="${REALM}", nonce="${NONCE}", algorithm=MD5`]],
          }
    default:
      return ring({
        sound: behaviour.kind,
        silentMs: behaviour.silentMs ?? 0,
        afterMs: behaviour.ringMs ?? RING_MS,
        hangUpAfterMs: behaviour.hangUpAfterMs ?? null,
        byeStatus: behaviour.byeStatus === undefined ? 200 : behaviour.byeStatus,
        hasEarlyMedia: behaviour.hasEarlyMedia ?? false,
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
