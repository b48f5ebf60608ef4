import { MINUTE } from '../../../platform/clock.ts'
import type { AttemptLimits, Limit } from '../attempts/service.ts'

/**
 * Three rate limits for failed sign-ins, each within 15 minutes:
 * - one user from one address: password guessing;
 * - one address, any user: one password on many usernames;
 * - one user, any address: a botnet. It does not block addresses that the account signed in from before, so an
 *   attacker cannot lock out the owner.
 */
const WINDOW = 15 * MINUTE
const MAX_PER_USER_AND_ADDRESS = 5
const MAX_PER_ADDRESS = 50
const MAX_PER_USER = 30

export function signInLimits(attempts: AttemptLimits, username: string, address: string) {
  const user = username.toLowerCase()
  const pair: Limit = {
    key: `sign-in ${address} ${user}`,
    max: MAX_PER_USER_AND_ADDRESS,
    windowMs: WINDOW,
  }
  const fromAddress: Limit = { key: `sign-in from ${address}`, max: MAX_PER_ADDRESS, windowMs: WINDOW }
  const toUser: Limit = { key: `sign-in to ${user}`, max: MAX_PER_USER, windowMs: WINDOW }
  const failures = { forAccount: 0, fromAddress: 0 }
  return {
    /** Counts the attempt. False if it is blocked. */
    async allows(isKnownAddress: () => Promise<boolean>): Promise<boolean> {
      // First, so that a blocked address adds no rows for ever new usernames.
      const here = await attempts.count([fromAddress])
      failures.fromAddress = here.counts.get(fromAddress.key) ?? 0
      if (!here.isWithin || !(await attempts.count([pair])).isWithin) return false
      const anywhere = await attempts.count([toUser])
      failures.forAccount = anywhere.counts.get(toUser.key) ?? 0
      return anywhere.isWithin || (await isKnownAddress())
    },
    /** Failures including this attempt, if it fails. */
    failures: () => failures,
    async succeeded(): Promise<void> {
      await attempts.clear(pair)
      await attempts.giveBack([fromAddress, toUser])
    },
  }
}
