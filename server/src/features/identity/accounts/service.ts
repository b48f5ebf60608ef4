import { Refusal } from '@trunkline/contract/errors'
import { EmailAddress } from '@trunkline/contract/fields'
import { system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import { HOUR } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import type { PasswordHasher } from '../../../platform/password-hasher.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import { refuseGuessable } from '../passwords/guessable.ts'
import { findUserByName, insertUser, type NewUser, USERNAME_INDEX, type UserRow } from '../users/store.ts'

export type Accounts = ReturnType<typeof createAccounts>

type Deps = {
  db: Database
  clock: Clock
  hasher: PasswordHasher
  attempts: AttemptLimits
  registrationsPerHour: number
}

export type NewAccount = Omit<NewUser, 'passwordHash' | 'email'> & { password: string; email?: string }

type Registration = { username: string; password: string; email?: string | undefined }
type Registered = { user: UserRow; claimedEmail: string | null }

export function createAccounts({ db, clock, hasher, attempts, registrationsPerHour }: Deps) {
  const owner = system('accounts')

  /** Creates an account. Usernames are unique regardless of letter case. */
  async function create({ password, ...account }: NewAccount): Promise<UserRow> {
    const passwordHash = await hasher.hash(password)
    const { email = null } = account
    try {
      return await insertUser(db, { ...account, passwordHash, email, isEmailVerified: true }, clock.now())
    } catch (error) {
      if (isDuplicate(error, USERNAME_INDEX)) throw new Refusal('username_taken')
      throw error
    }
  }

  return {
    create,

    /** Returns the address to verify. The caller sends the link. */
    async register({ email, ...account }: Registration, address: string): Promise<Registered> {
      const limit = { key: `register ${address}`, max: registrationsPerHour, windowMs: HOUR }
      await attempts.require([limit])
      // Avoids hashing for a taken username. The unique index decides concurrent requests.
      if (await findUserByName(db, owner, account.username)) throw new Refusal('username_taken')
      refuseGuessable(account.password, [account.username, email], 'password')
      const user = await create(account)
      return { user, claimedEmail: email ?? emailFromUsername(account.username) }
    },

    async ensure(account: NewAccount): Promise<void> {
      if (await findUserByName(db, owner, account.username)) return
      await create(account).catch((error) => {
        // Another process created the account at the same time.
        if (!(error instanceof Refusal) || error.code !== 'username_taken') throw error
      })
    },
  }
}

/** A username that is an email address is used as address. */
function emailFromUsername(username: string): string | null {
  const parsed = EmailAddress.safeParse(username)
  return parsed.success ? parsed.data : null
}
