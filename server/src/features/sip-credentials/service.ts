import { type ErrorCode, Refusal } from '@trunkline/contract/errors'
import type { MadeSipPassword, SipConnection } from '@trunkline/contract/sip-credentials'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { newPassword, sipDigest } from '../../platform/tokens.ts'
import { findUserById } from '../accounts/store.ts'
import type { Audit } from '../audit/service.ts'
import { findSipCredentials, saveSipCredentials } from './store.ts'

export type SipCredentials = ReturnType<typeof createSipCredentials>

type Parts = {
  db: Database
  clock: Clock
  audit: Audit
  sip: { realm: string; port: number; tlsPort: number }
}

/** The passwords of phones: made by us, shown once, replaced at will, and never the one of the portal. */
export function createSipCredentials({ db, clock, audit, sip }: Parts) {
  async function make(handle: Database, owner: Owner, userId: number): Promise<MadeSipPassword> {
    const user = await findUserById(handle, owner, userId)
    if (!user) throw new Refusal('not_found')
    const { username } = user
    const { realm } = sip
    const password = newPassword()
    await saveSipCredentials(handle, owner, {
      user_id: userId,
      realm,
      ha1_md5: sipDigest('md5', username, realm, password),
      ha1_sha256: sipDigest('sha256', username, realm, password),
      made_at: clock.now(),
    })
    return { username, realm, password }
  }

  async function connect(owner: Owner, userId: number, gone: ErrorCode): Promise<SipConnection> {
    const user = await findUserById(db, owner, userId)
    if (!user) throw new Refusal(gone)
    const kept = await findSipCredentials(db, owner, userId)
    // Made for another realm, they open nothing any more.
    const password = kept?.realm === sip.realm ? kept : undefined
    return {
      username: user.username,
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

    renew: (caller: Caller): Promise<MadeSipPassword> => make(db, ownDataOf(caller), caller.userId),

    renewFor: (caller: Caller, userId: number): Promise<MadeSipPassword> =>
      db.transaction().execute(async (tx) => {
        const made = await make(tx, everyonesData(caller), userId)
        await audit.write(tx, caller, {
          ...{ action: 'sip_password.renew', subject: `user ${userId}`, userId },
          ...{ before: null, after: null, reason: null },
        })
        return made
      }),
  }
}
