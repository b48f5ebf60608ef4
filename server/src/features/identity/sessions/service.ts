import type { User } from '@trunkline/contract/accounts'
import { Refusal } from '@trunkline/contract/errors'
import { PROOF_MINUTES } from '@trunkline/contract/limits'
import type { OpenSession } from '@trunkline/contract/sessions'
import { type Caller, everyonesData, type Owner, ownDataOf, system } from '@trunkline/domain/access'
import { type Clock, DAY, earlier, later, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Client } from '../../../platform/handler.ts'
import type { PasswordHasher } from '../../../platform/password-hasher.ts'
import { hashToken, newToken } from '../../../platform/tokens.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import { deleteEmailChangeOf } from '../emails/store.ts'
import type { Notices } from '../notices/service.ts'
import type { SipAccess } from '../sip-access/service.ts'
import { findUserById, findUserByName, lockPassword } from '../users/store.ts'
import { viewUser } from '../users/view.ts'
import { deviceOf } from './device.ts'
import type { SignInAlerts } from './sign-in-alerts.ts'
import { signInLimits } from './sign-in-limits.ts'
import {
  deleteDeadSessions,
  deleteOldAddresses,
  deleteOldDevices,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  findLiveSessions,
  insertSession,
  isKnownAddress,
  listDevices,
  listLiveSessions,
  rememberAddress,
  rememberDevice,
  setSessionProven,
  touchSession,
} from './store.ts'

export type Sessions = ReturnType<typeof createSessions>

type Deps = {
  db: Database
  clock: Clock
  hasher: PasswordHasher
  attempts: AttemptLimits
  signInFailed: SignInAlerts
  notices: Notices
  sipAccess: SipAccess
  idleMs: number
  absoluteMs: number
}

const ADDRESS_KNOWN_FOR = 90 * DAY
/** Once a minute is enough, because the idle limit is days. */
const TOUCH_EVERY = MINUTE

export function createSessions({
  db,
  clock,
  hasher,
  attempts,
  signInFailed,
  notices,
  sipAccess,
  idleMs,
  absoluteMs,
}: Deps) {
  const owner = system('sessions')
  const idleSince = () => earlier(clock.now(), idleMs)

  const isKnown = (userId: number, address: string): Promise<boolean> =>
    isKnownAddress(db, userId, address, earlier(clock.now(), ADDRESS_KNOWN_FOR))

  /** True if the owner gets a notice: a new device or network, but not the first one. */
  async function noteDevice(userId: number, device: string, address: string): Promise<boolean> {
    const since = earlier(clock.now(), ADDRESS_KNOWN_FOR)
    const [devices, isKnownPlace] = await Promise.all([
      listDevices(db, userId, since),
      isKnown(userId, address),
    ])
    await rememberDevice(db, userId, device, clock.now())
    return devices.length > 0 && !(devices.includes(device) && isKnownPlace)
  }

  /** Opens a session in the caller's transaction. */
  async function open(handle: Database, userId: number, client: Client): Promise<string> {
    const token = newToken()
    const now = clock.now()
    await insertSession(
      handle,
      { tokenHash: hashToken(token), userId, ...client, expiresAt: later(now, absoluteMs) },
      now,
    )
    await rememberAddress(handle, userId, client.address, now)
    return token
  }

  /**
   * Ends all sessions of the caller except that of `token` and returns their number. A pending email address is dropped, because one of
   * the ended sessions may have entered it.
   */
  async function signOutElsewhere(caller: Caller, token: string, handle: Database = db): Promise<number> {
    const ended = await deleteOtherSessions(handle, ownDataOf(caller), caller.userId, hashToken(token))
    await deleteEmailChangeOf(handle, caller.userId)
    return ended
  }

  async function list(whose: Owner, userId: number, token: string): Promise<OpenSession[]> {
    const [current, now] = [hashToken(token), clock.now()]
    const rows = await listLiveSessions(db, whose, userId, now, idleSince())
    return rows.map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent),
      address: row.address,
      since: row.created_at.toISOString(),
      last_used: row.last_used_at.toISOString(),
      is_current: row.token_hash.equals(current),
    }))
  }

  return {
    open,

    /** Sessions not used since this time are expired. */
    idleSince,

    async signIn(username: string, password: string, client: Client): Promise<{ user: User; token: string }> {
      const limits = signInLimits(attempts, username, client.address)
      const user = await findUserByName(db, owner, username)
      const failed = (code: 'too_many_logins' | 'invalid_credentials') =>
        signInFailed({ userId: user?.id ?? null, address: client.address, ...limits.failures() }).then(() => {
          throw new Refusal(code)
        })
      const isHere = async () => user !== undefined && isKnown(user.id, client.address)
      if (!(await limits.allows(isHere))) return failed('too_many_logins')

      const isRight = await hasher.matches(password, user?.password_hash)
      if (!isRight || !user || user.disabled_at) return failed('invalid_credentials')
      await limits.succeeded()
      const device = deviceOf(client.userAgent)
      const isNewDevice = await noteDevice(user.id, device, client.address)
      // A password change that has committed meanwhile has ended all sessions, and this one must not survive it.
      const token = await db.transaction().execute(async (tx) => {
        const isCurrent = await lockPassword(tx, owner, user.id, user.password_hash)
        return isCurrent ? open(tx, user.id, client) : null
      })
      if (token === null) throw new Refusal('invalid_credentials')
      if (isNewDevice) await notices.send(user.id, 'device', `${device}, ${client.address}`)
      return { user: viewUser(user), token }
    },

    /** The caller of a token. Null if it is unknown, expired, idle for too long or its account is disabled. */
    async identify(token: string): Promise<{ caller: Caller; isProven: boolean } | null> {
      const now = clock.now()
      const tokenHash = hashToken(token)
      const [session] = await findLiveSessions(db, owner, [tokenHash], now, idleSince())
      if (!session) return null
      if (session.lastUsedAt < earlier(now, TOUCH_EVERY)) await touchSession(db, owner, tokenHash, now)
      return {
        caller: { userId: session.userId, isAdmin: session.isAdmin },
        isProven: session.provenAt !== null && session.provenAt > earlier(now, PROOF_MINUTES * MINUTE),
      }
    },

    /** Confirms the password. Failures count as failed sign-ins. */
    async prove(caller: Caller, token: string, password: string, client: Client): Promise<void> {
      const user = await findUserById(db, ownDataOf(caller), caller.userId)
      if (!user) throw new Refusal('session_expired')
      const limits = signInLimits(attempts, user.username, client.address)
      const failed = (code: 'too_many_requests' | 'current_password_incorrect') =>
        signInFailed({ userId: user.id, address: client.address, ...limits.failures() }).then(() => {
          throw new Refusal(code)
        })
      if (!(await limits.allows(() => isKnown(user.id, client.address)))) return failed('too_many_requests')
      if (!(await hasher.matches(password, user.password_hash))) return failed('current_password_incorrect')
      await limits.succeeded()
      await setSessionProven(db, ownDataOf(caller), hashToken(token), clock.now())
    },

    /** The callers of valid tokens. Does not update the time of last use. */
    async identifyAll(tokens: readonly string[]): Promise<Map<string, Caller>> {
      const byHash = new Map(tokens.map((token) => [hashToken(token).toString('hex'), token]))
      const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
      const live = await findLiveSessions(db, owner, hashes, clock.now(), idleSince())
      return new Map(
        live.map(({ tokenHash, userId, isAdmin }) => [
          byHash.get(tokenHash.toString('hex')) ?? '',
          { userId, isAdmin },
        ]),
      )
    },

    async currentUser(caller: Caller): Promise<User> {
      const user = await findUserById(db, ownDataOf(caller), caller.userId)
      if (!user) throw new Refusal('session_expired')
      return viewUser(user)
    },

    signOut: (caller: Caller, token: string): Promise<void> =>
      deleteSession(db, ownDataOf(caller), hashToken(token)),

    /** Sessions of the caller. `token` marks the current one. */
    own: (caller: Caller, token: string): Promise<OpenSession[]> =>
      list(ownDataOf(caller), caller.userId, token),

    ofUser: (caller: Caller, userId: number, token: string): Promise<OpenSession[]> =>
      list(everyonesData(caller), userId, token),

    async end(caller: Caller, id: number): Promise<void> {
      if (!(await deleteSessionById(db, ownDataOf(caller), id))) throw new Refusal('not_found')
      await deleteEmailChangeOf(db, caller.userId)
    },

    signOutElsewhere,

    /** Like `signOutElsewhere`, and also revokes SIP access. */
    signOutElsewhereAndEndSip: (caller: Caller, token: string): Promise<number> =>
      db.transaction().execute(async (tx) => {
        await sipAccess.end(tx, caller.userId)
        return signOutElsewhere(caller, token, tx)
      }),

    /** Returns the number of ended sessions. */
    async signOutEverywhere(handle: Database, userId: number): Promise<number> {
      const ended = await deleteSessionsOf(handle, userId)
      await deleteEmailChangeOf(handle, userId)
      return ended
    },

    trustAddress: (handle: Database, userId: number, address: string): Promise<void> =>
      rememberAddress(handle, userId, address, clock.now()),

    async forgetDead(): Promise<void> {
      await deleteDeadSessions(db, owner, clock.now(), idleSince())
      await deleteOldAddresses(db, owner, earlier(clock.now(), ADDRESS_KNOWN_FOR))
      await deleteOldDevices(db, owner, earlier(clock.now(), ADDRESS_KNOWN_FOR))
    },
  }
}
