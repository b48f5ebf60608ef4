import { Refusal } from '@trunkline/contract/errors'
import { type BrowserPhone, PHONE_SOCKET_PATH } from '@trunkline/contract/phone'
import { WEB_PHONE_PREFIX } from '@trunkline/contract/phone-names'
import { type Caller, ownDataOf, system } from '@trunkline/domain/access'
import { type Clock, later, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { hashToken, newPassword, newToken, sipDigest } from '../../../platform/tokens.ts'
import type { Sessions } from '../sessions/service.ts'
import {
  deleteExpiredPhones,
  deletePhone,
  findPhoneByToken,
  findPhoneOfSession,
  insertPhone,
  keepPhones,
  listLivePhones,
  lockSession,
} from './store.ts'

export type Phones = ReturnType<typeof createPhones>

type Deps = {
  db: Database
  clock: Clock
  sessions: Pick<Sessions, 'idleSince'>
  realm: string
  /** True if a switch accepts browsers. */
  isServed: boolean
}

/** Number of the echo test; see sip/route/echo.cfg. */
const ECHO = 'echo'
/** Long enough to connect, or to reconnect after a restart of the portal. */
const KEPT_FOR = 45 * SECOND

/**
 * Phones in browsers. Their credentials belong to a session and work only over its connection, which keeps the phone alive.
 * When a phone ends, call control ends its calls (features/calls/callcontrol/hangups.ts).
 */
export function createPhones({ db, clock, sessions, realm, isServed }: Deps) {
  const systemOwner = system('phones in browsers')
  const liveSince = () => ({ now: clock.now(), idleSince: sessions.idleSince() })

  return {
    /** `token` belongs to the caller's session. */
    open: (caller: Caller, token: string, takeOver: boolean): Promise<BrowserPhone> =>
      db.transaction().execute(async (tx) => {
        if (!isServed) throw new Refusal('no_phone')
        const owner = ownDataOf(caller)
        const session = await lockSession(tx, owner, hashToken(token))
        if (!session) throw new Refusal('session_expired')
        const now = clock.now()
        const before = await findPhoneOfSession(tx, owner, session.id)
        if (before?.connected_at && before.expires_at > now && !takeOver) throw new Refusal('phone_in_use')
        if (before) await deletePhone(tx, owner, before.name)
        const name = `${WEB_PHONE_PREFIX}${newPassword().slice(0, 10)}`
        const [password, socketToken] = [newPassword(), newToken()]
        await insertPhone(tx, owner, {
          name,
          session_id: session.id,
          user_id: caller.userId,
          token_hash: hashToken(socketToken),
          realm,
          ha1_md5: sipDigest('md5', name, realm, password),
          ha1_sha256: sipDigest('sha256', name, realm, password),
          made_at: now,
          connected_at: null,
          expires_at: later(now, KEPT_FOR),
        })
        return { name, realm, password, socket: PHONE_SOCKET_PATH, socket_token: socketToken, echo: ECHO }
      }),

    /** Name of the phone of this token, or null. */
    async connect(socketToken: string): Promise<string | null> {
      const since = liveSince()
      const phone = await findPhoneByToken(db, systemOwner, hashToken(socketToken), since)
      if (!phone) return null
      await keepPhones(db, systemOwner, [phone.name], since.now, later(since.now, KEPT_FOR))
      return phone.name
    },

    alive: (names: readonly string[]): Promise<string[]> =>
      listLivePhones(db, systemOwner, names, liveSince()),

    /** Extends the lifetime of connected phones, returns those that still exist and deletes expired ones. */
    async keep(names: readonly string[]): Promise<string[]> {
      const since = liveSince()
      const alive = await listLivePhones(db, systemOwner, names, since)
      await keepPhones(db, systemOwner, alive, since.now, later(since.now, KEPT_FOR))
      await deleteExpiredPhones(db, systemOwner, since.now)
      return alive
    },

    end: (name: string): Promise<void> => deletePhone(db, systemOwner, name),
  }
}
