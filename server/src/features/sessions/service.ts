import type { User } from '@trunkline/contract/accounts'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, ownDataOf, theHouse } from '@trunkline/domain/access'
import { type Clock, DAY, earlier, later, MINUTE } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Client } from '../../platform/handler.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { findUserById, findUserByName } from '../accounts/store.ts'
import { viewUser } from '../accounts/user-view.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import type { PasswordHasher } from '../passwords/hasher.ts'
import { signInLimits } from './sign-in-limits.ts'
import {
  deleteDeadSessions,
  deleteOldAddresses,
  deleteSession,
  deleteSessionsOf,
  findLiveSession,
  insertSession,
  isKnownAddress,
  rememberAddress,
  touchSession,
} from './store.ts'

export type Sessions = ReturnType<typeof createSessions>

type Dependencies = {
  db: Database
  clock: Clock
  hasher: PasswordHasher
  attempts: AttemptLimits
  idleMs: number
  absoluteMs: number
}

const ADDRESS_KNOWN_FOR = 90 * DAY
/** Idle time is measured in days: writing it down once a minute is plenty. */
const TOUCH_EVERY = MINUTE

export function createSessions({ db, clock, hasher, attempts, idleMs, absoluteMs }: Dependencies) {
  const owner = theHouse('sessions')
  const idleSince = () => earlier(clock.now(), idleMs)

  /** Opens a session; takes the database handle so that it can be part of a larger change. */
  async function open(handle: Database, userId: number, client: Client): Promise<string> {
    const token = newToken()
    const now = clock.now()
    await insertSession(
      handle,
      owner,
      { tokenHash: hashToken(token), userId, ...client, expiresAt: later(now, absoluteMs) },
      now,
    )
    await rememberAddress(handle, owner, userId, client.address, now)
    return token
  }

  return {
    open,

    async signIn(username: string, password: string, client: Client): Promise<{ user: User; token: string }> {
      const limits = signInLimits(attempts, username, client.address)
      const user = await findUserByName(db, owner, username)
      const isKnown = async () =>
        user !== undefined &&
        isKnownAddress(db, owner, user.id, client.address, earlier(clock.now(), ADDRESS_KNOWN_FOR))
      if (!(await limits.allows(isKnown))) throw new Refusal('too_many_logins')

      const isRight = await hasher.matches(password, user?.password_hash)
      if (!isRight || !user || user.disabled_at) throw new Refusal('invalid_credentials')
      await limits.succeeded()
      return { user: viewUser(user), token: await open(db, user.id, client) }
    },

    /** Whose token is it? Null for one that is unknown, expired, idle for too long or of a disabled account. */
    async identify(token: string): Promise<Caller | null> {
      const now = clock.now()
      const tokenHash = hashToken(token)
      const session = await findLiveSession(db, owner, tokenHash, now, idleSince())
      if (!session) return null
      if (session.lastUsedAt < earlier(now, TOUCH_EVERY)) await touchSession(db, owner, tokenHash, now)
      return { userId: session.userId, isAdmin: session.isAdmin }
    },

    async currentUser(caller: Caller): Promise<User> {
      const user = await findUserById(db, ownDataOf(caller), caller.userId)
      if (!user) throw new Refusal('session_expired')
      return viewUser(user)
    },

    signOut: (caller: Caller, token: string): Promise<void> =>
      deleteSession(db, ownDataOf(caller), hashToken(token)),

    signOutEverywhere: (handle: Database, userId: number): Promise<void> =>
      deleteSessionsOf(handle, owner, userId),

    trustAddress: (handle: Database, userId: number, address: string): Promise<void> =>
      rememberAddress(handle, owner, userId, address, clock.now()),

    async forgetDead(): Promise<void> {
      await deleteDeadSessions(db, owner, clock.now(), idleSince())
      await deleteOldAddresses(db, owner, earlier(clock.now(), ADDRESS_KNOWN_FOR))
    },
  }
}
