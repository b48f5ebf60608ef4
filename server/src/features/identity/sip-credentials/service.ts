import { type ErrorCode, Refusal } from '@trunkline/contract/errors'
import {
  type MadeSipPassword,
  SHA256_NAME,
  type SipAlgorithm,
  type SipConnection,
} from '@trunkline/contract/sip-credentials'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { newPassword, sipDigest } from '../../../platform/tokens.ts'
import type { Audit } from '../audit/service.ts'
import type { Notices } from '../notices/service.ts'
import { findUserById } from '../users/store.ts'
import { findSipCredentials, type SipCredentials as Kept, saveSipCredentials } from './store.ts'

export type SipCredentials = ReturnType<typeof createSipCredentials>

type Deps = {
  db: Database
  clock: Clock
  audit: Audit
  notices: Notices
  sip: { realm: string; port: number; tlsPort: number }
}

/** Generated SIP passwords. They are shown once and differ from the portal password. */
export function createSipCredentials({ db, clock, audit, notices, sip }: Deps) {
  async function make(
    handle: Database,
    owner: Owner,
    userId: number,
    wanted: SipAlgorithm | undefined,
  ): Promise<MadeSipPassword> {
    const user = requireFound(await findUserById(handle, owner, userId))
    const algorithm = wanted ?? algorithmOf(await findSipCredentials(handle, owner, userId))
    const username = sipNameOf(user.username, algorithm)
    const { realm } = sip
    const password = newPassword()
    const isSha256 = algorithm === 'SHA-256'
    await saveSipCredentials(handle, owner, {
      user_id: userId,
      realm,
      ha1_md5: isSha256 ? null : sipDigest('md5', username, realm, password),
      ha1_sha256: isSha256 ? sipDigest('sha256', username, realm, password) : null,
      made_at: clock.now(),
    })
    return { username, realm, password }
  }

  async function connect(owner: Owner, userId: number, gone: ErrorCode): Promise<SipConnection> {
    const user = await findUserById(db, owner, userId)
    if (!user) throw new Refusal(gone)
    const kept = await findSipCredentials(db, owner, userId)
    // Credentials for another realm are invalid.
    const password = kept?.realm === sip.realm ? kept : undefined
    const algorithm = algorithmOf(password)
    return {
      username: sipNameOf(user.username, algorithm),
      algorithm,
      realm: sip.realm,
      server: user.shown_websiteip,
      port: sip.port,
      transports: ['udp', 'tcp', 'tls'],
      tls_port: sip.tlsPort,
      has_password: password !== undefined,
      password_since: password?.made_at.toISOString() ?? null,
    }
  }

  return {
    connection: (caller: Caller): Promise<SipConnection> =>
      connect(ownDataOf(caller), caller.userId, 'session_expired'),

    connectionOf: (caller: Caller, userId: number): Promise<SipConnection> =>
      connect(everyonesData(caller), userId, 'not_found'),

    async renew(caller: Caller, algorithm?: SipAlgorithm): Promise<MadeSipPassword> {
      const made = await make(db, ownDataOf(caller), caller.userId, algorithm)
      await notices.send(caller.userId, 'sip_password')
      return made
    },

    async renewFor(caller: Caller, userId: number, algorithm?: SipAlgorithm): Promise<MadeSipPassword> {
      const made = await db.transaction().execute(async (tx) => {
        const made = await make(tx, everyonesData(caller), userId, algorithm)
        await audit.write(tx, caller, {
          action: 'sip_password.renew',
          subject: `user ${userId}`,
          userId,
          before: null,
          after: null,
        })
        return made
      })
      await notices.send(userId, 'sip_password')
      return made
    },
  }
}

const algorithmOf = (kept: Kept | undefined): SipAlgorithm =>
  kept && kept.ha1_md5 === null ? 'SHA-256' : 'MD5'

const sipNameOf = (username: string, algorithm: SipAlgorithm): string =>
  algorithm === 'SHA-256' ? `${SHA256_NAME}${username}` : username
