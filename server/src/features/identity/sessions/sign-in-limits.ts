import { MINUTE } from '../../../platform/clock.ts'
import type { AttemptLimits, Limit } from '../attempts/service.ts'

/**
 * Failed sign-ins are counted three ways, each within a quarter of an hour:
 * - one user from one address: a person guessing a password;
 * - one address, any user: somebody trying one password on many names;
 * - one user, any address: a botnet. This one never shuts out an address the account was opened from before,
 *   so a stranger cannot lock the owner out.
 */
const WINDOW = 15 * MINUTE
const MAX_PER_USER_AND_ADDRESS = 5
const MAX_PER_ADDRESS = 50
const MAX_PER_USER = 30

export function signInLimits(attempts: AttemptLimits, username: string, address: string) {
  const user = username.toLowerCase()
  const pair: Limit = {
    key: `sign-in ${address} ${user}`,
    most: MAX_PER_USER_AND_ADDRESS,
    windowMs: WINDOW,
  }
  const fromAddress: Limit = { key: `sign-in from ${address}`, most: MAX_PER_ADDRESS, windowMs: WINDOW }
  const toUser: Limit = { key: `sign-in to ${user}`, most: MAX_PER_USER, windowMs: WINDOW }
  const failures = { forAccount: 0, fromAddress: 0 }
  return {
    /** Counts the attempt; false when it must not be made. */
    async allows(isKnownAddress: () => Promise<boolean>): Promise<boolean> {
      const here = await attempts.count([pair, fromAddress])
      failures.fromAddress = here.counts.get(fromAddress.key) ?? 0
      if (!here.isWithin) return false
      const anywhere = await attempts.count([toUser])
      failures.forAccount = anywhere.counts.get(toUser.key) ?? 0
      return anywhere.isWithin || (await isKnownAddress())
    },
    /** This attempt with those before it, should it fail. */
    failures: () => failures,
    async succeeded(): Promise<void> {
      await attempts.clear(pair)
      await attempts.giveBack([fromAddress, toUser])
    },
  }
}
