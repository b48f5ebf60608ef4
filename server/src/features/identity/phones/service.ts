import { Refusal } from '@trunkline/contract/errors'
import { type BrowserPhone, PHONE_SOCKET_PATH, type Relays } from '@trunkline/contract/phone'
import { WEB_PHONE_PREFIX } from '@trunkline/contract/phone-names'
import { type Caller, type Owner, ownDataOf, system } from '@trunkline/domain/access'
import { type Clock, HOUR, later, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { hashToken, newPassword, newToken, sipDigest } from '../../../platform/tokens.ts'
import type { Sessions } from '../sessions/service.ts'
import {
  deleteExpiredPhones,
  deletePhone,
  findPhoneByToken,
  insertPhone,
  keepPhones,
  listLivePhones,
  listPhonesOfSession,
  lockSession,
} from './store.ts'
import { type TurnServer, turnCredentials } from './turn.ts'

export type Phones = ReturnType<typeof createPhones>

type Wish = { take_over: boolean; receives: boolean }

type Deps = {
  db: Database
  clock: Clock
  sessions: Pick<Sessions, 'idleSince'>
  realm: string
  /** True if a switch accepts browsers. */
  isServed: boolean
  turn: TurnServer | null
}

/** Number of the echo test; see sip/route/echo.cfg. */
const ECHO = 'echo'
/** Tabs of one session that receive calls. */
const MAX_RECEIVING = 8
const TURN_CREDENTIALS_FOR = 24 * HOUR
/** Long enough to connect, or to reconnect after a restart of the portal. */
const KEPT_FOR = 45 * SECOND

/**
 * Phones in browsers. Their credentials belong to a session and work only over its connection, which keeps the phone alive.
 * When a phone ends, call control ends its calls (features/calls/callcontrol/hangups.ts).
 */
export function createPhones({ db, clock, sessions, realm, isServed, turn }: Deps) {
  const systemOwner = system('phones in browsers')
  const liveSince = () => ({ now: clock.now(), idleSince: sessions.idleSince() })

  function relays({ userId }: Pick<Caller, 'userId'>): Relays {
    const expiresAt = later(clock.now(), TURN_CREDENTIALS_FOR)
    return {
      servers: turn ? [{ urls: turn.urls, ...turnCredentials(turn.secret, String(userId), expiresAt) }] : [],
      only: turn?.isOnly ?? false,
      expires_at: expiresAt.toISOString(),
    }
  }

  /**
   * Deletes the phones that a new one replaces. A phone that was never connected belongs to a page that was closed or reloaded.
   * Phones that receive calls do not replace each other.
   */
  async function makeRoom(
    tx: Database,
    owner: Owner,
    sessionId: number,
    { take_over, receives }: Wish,
  ): Promise<void> {
    const now = clock.now()
    const before = (await listPhonesOfSession(tx, owner, sessionId)).filter(
      (one) => one.receives === receives,
    )
    const connected = before.filter((one) => one.connected_at && one.expires_at > now)
    if (!take_over && connected.length >= (receives ? MAX_RECEIVING : 1)) throw new Refusal('phone_in_use')
    const isReplaced = (one: (typeof before)[number]) => take_over || !connected.includes(one)
    const others = receives && !take_over && before.length < MAX_RECEIVING ? [] : before.filter(isReplaced)
    for (const { name } of others) await deletePhone(tx, owner, name)
  }

  return {
    relays,

    /** `token` belongs to the caller's session. */
    open: (caller: Caller, token: string, wish: Wish): Promise<BrowserPhone> =>
      db.transaction().execute(async (tx) => {
        if (!isServed) throw new Refusal('no_phone')
        const owner = ownDataOf(caller)
        const session = await lockSession(tx, owner, hashToken(token))
        if (!session) throw new Refusal('session_expired')
        const now = clock.now()
        await makeRoom(tx, owner, session.id, wish)
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
          receives: wish.receives,
        })
        return {
          name,
          realm,
          password,
          socket: PHONE_SOCKET_PATH,
          socket_token: socketToken,
          echo: ECHO,
          relays: relays(caller),
        }
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
