import { createAccounts, type NewAccount } from '../features/identity/accounts/service.ts'
import { createAttemptLimits } from '../features/identity/attempts/service.ts'
import { refuseGuessable } from '../features/identity/passwords/guessable.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/database.ts'
import { migrate } from '../platform/migrate.ts'
import { createPasswordHasher } from '../platform/password-hasher.ts'
import type { Profile } from '../platform/profile.ts'

/** Creates an administrator. Works on an empty database and without a running server. */
export async function createAdministrator(url: string, account: NewAccount, profile: Profile): Promise<void> {
  refuseGuessable(account.password, [account.username, account.email], 'password')
  await migrate(url, { profile })
  const db = openDatabase({ url, poolSize: 1, onError: () => {} })
  try {
    const accounts = createAccounts({
      db,
      clock: systemClock,
      hasher: createPasswordHasher(),
      attempts: createAttemptLimits(db, systemClock),
      registrationsPerHour: 1,
    })
    await accounts.create({ ...account, isAdmin: true })
  } finally {
    await db.destroy()
  }
}
