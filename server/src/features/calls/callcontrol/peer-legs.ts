import { isWebPhone } from '@trunkline/contract/phone-names'
import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { hmacSha256, isSameSecret, newToken } from '../../../platform/tokens.ts'
import type { Catalogue } from '../../catalogue/snapshot/catalogue.ts'
import { findOrAddSetting } from '../../identity/service-settings/store.ts'
import { callIdOf, nameOf } from '../live-calls/call.ts'
import { legUser } from '../live-calls/media-address.ts'
import { createRegisteredPhones } from './registered-phones.ts'
import type { Session } from './session.ts'

export type PeerLegs = ReturnType<typeof createPeerLegs>

/** A leg of a call at one switch to the customer's phones at another. */
export type PeerLeg = { userId: number; devices: Devices; parentCallId: string }

type Devices = 'a' | 'b' | 'p'
type Ringing = {
  callId: string
  switchId: string
  userId: number
  accounts: readonly string[]
  /** When these phones start to ring, at the latest. */
  startsBy: number
}

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  catalogue: Catalogue
  sessions: () => Iterable<Session>
}

const SETTING = 'peer_leg_secret'
const VALID_MS = 30 * SECOND
const MAC_LENGTH = 32
const MAX_REMEMBERED = 5_000
/** `peer~<user>~<devices>~<until>~<switch>~<call>~<signature>`: characters that every SIP parser accepts in a user part. */
const PATTERN =
  /^(peer~(\d{1,9})~([abp])~(\d{1,15})~([A-Za-z0-9._-]{1,60})~([A-Za-z0-9._-]{1,120}))~([0-9a-f]{32})$/

/** Calls between switches. A switch has no password at another one: call control signs the address that it calls. */
export function createPeerLegs({ db, clock, logger, catalogue, sessions }: Deps) {
  const registered = createRegisteredPhones({ db, clock, logger, catalogue })
  let secret: string | null = null
  /** Tokens that have been used, and the call of each. */
  const used = new Map<string, string>()

  const signatureOf = (text: string, key: string) => hmacSha256(key, text).slice(0, MAC_LENGTH)

  return {
    registered,
    async tick(): Promise<void> {
      registered.forgetExpired()
      secret ??= await findOrAddSetting(db, SETTING, newToken(), clock.now())
    },

    /** SIP URIs of the other switches that hold registrations of these accounts. */
    urisFor({ callId, switchId, userId, accounts, startsBy }: Ringing): string[] {
      const key = secret
      if (key === null) return []
      const hasBrowsers = accounts.some(isWebPhone)
      const hasPhones = accounts.some((account) => !isWebPhone(account))
      const devices: Devices = hasBrowsers && hasPhones ? 'a' : hasBrowsers ? 'b' : 'p'
      const until = startsBy + VALID_MS
      const text = ['peer', userId, devices, until, switchId, nameOf({ callId, switchId })].join('~')
      const user = legUser(`${text}~${signatureOf(text, key)}`)
      return [...sessions()].flatMap((other) => {
        const isPeer = other.switchId !== switchId && !other.isDemo && other.sip !== undefined
        return isPeer && accounts.some((account) => registered.isAt(account, other.switchId))
          ? `sip:${user}@${other.sip}`
          : []
      })
    },

    /** Null if call control did not sign the token, if it has expired, or if another call has used it at this switch. */
    claim(token: string, { switchId }: Session, callId: string): PeerLeg | null {
      const [, text = '', userId, devices, until, parentSwitch = '', name = '', signature = ''] =
        PATTERN.exec(token) ?? []
      if (secret === null || !isSameSecret(signature, signatureOf(text, secret))) return null
      if (parentSwitch === switchId || Number(until) < clock.now().getTime()) return null
      const use = `${switchId} ${text}`
      if ((used.get(use) ?? callId) !== callId) return null
      if (used.size >= MAX_REMEMBERED) used.clear()
      used.set(use, callId)
      return {
        userId: Number(userId),
        devices: devices as Devices,
        parentCallId: callIdOf(parentSwitch, name),
      }
    },
  }
}

export const isPeerToken = (token: string | null): token is string => token?.startsWith('peer~') ?? false
