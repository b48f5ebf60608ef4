import { Refusal } from '@trunkline/contract/errors'
import { type Caller, ownDataOf, system } from '@trunkline/domain/access'
import { type Clock, HOUR, later, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Client } from '../../../platform/handler.ts'
import { defineJob, type Jobs } from '../../../platform/jobs.ts'
import type { Mailer } from '../../../platform/mailer.ts'
import type { PasswordHasher } from '../../../platform/password-hasher.ts'
import { hashToken, newToken } from '../../../platform/tokens.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import { deleteExpiredLinks, lockUserOfLink } from '../mailed-links/store.ts'
import type { Notices } from '../notices/service.ts'
import type { Sessions } from '../sessions/service.ts'
import type { SipAccess } from '../sip-access/service.ts'
import { findActiveUsersByEmail, findUserById, setPasswordHash } from '../users/store.ts'
import { refuseGuessable } from './guessable.ts'
import { resetMail } from './mails.ts'
import { consumeReset, insertReset } from './store.ts'

/** The address as entered. The job looks it up, so known and unknown addresses take the same time. */
export const sendResetMail = defineJob<{ email: string }>('send-reset-mail')

export type Passwords = ReturnType<typeof createPasswords>

type Deps = {
  db: Database
  clock: Clock
  hasher: PasswordHasher
  sessions: Sessions
  attempts: AttemptLimits
  jobs: Jobs
  mailer: Mailer
  notices: Notices
  sipAccess: SipAccess
  publicUrl: string
  siteName: string
}

const RESET_LIVES_FOR = 30 * MINUTE
const MAX_CHANGES = 10
const MAX_REQUESTS_PER_ADDRESS = 20
const MAX_MAILS_PER_MAILBOX = 3

export function createPasswords(deps: Deps) {
  const { db, clock, hasher, sessions, attempts, jobs, mailer, notices, sipAccess, publicUrl, siteName } =
    deps
  const owner = system('password reset')

  return {
    /** Ends all sessions of the account and returns the token of a new one. */
    async change(caller: Caller, current: string, next: string, client: Client): Promise<string> {
      const limit = { key: `change-password ${caller.userId}`, max: MAX_CHANGES, windowMs: HOUR }
      await attempts.require([limit])
      const user = await findUserById(db, ownDataOf(caller), caller.userId)
      if (!(await hasher.matches(current, user?.password_hash)))
        throw new Refusal('current_password_incorrect')
      refuseGuessable(next, [user?.username, user?.email], 'newPassword')
      const hash = await hasher.hash(next)
      const token = await db.transaction().execute(async (tx) => {
        await setPasswordHash(tx, ownDataOf(caller), caller.userId, hash)
        await sessions.signOutEverywhere(tx, caller.userId)
        return sessions.open(tx, caller.userId, client)
      })
      await notices.send(caller.userId, 'password')
      return token
    },

    /** Reveals neither whether the address is known nor whether a mail was suppressed. */
    async requestReset(email: string, client: Client): Promise<void> {
      const byAddress = {
        key: `forgot from ${client.address}`,
        max: MAX_REQUESTS_PER_ADDRESS,
        windowMs: HOUR,
      }
      await attempts.require([byAddress])
      const toMailbox = { key: `forgot to ${email}`, max: MAX_MAILS_PER_MAILBOX, windowMs: HOUR }
      if (await attempts.take([toMailbox])) await jobs.send(sendResetMail, { email })
    },

    /** Job handler. Generates the token and stores only its hash. A retry generates a new one. */
    async mailResetLinks(email: string): Promise<void> {
      for (const user of await findActiveUsersByEmail(db, owner, email)) {
        const token = newToken()
        const now = clock.now()
        const reset = {
          tokenHash: hashToken(token),
          userId: user.id,
          expiresAt: later(now, RESET_LIVES_FOR),
        }
        await insertReset(db, reset, now)
        // The fragment does not appear in server logs and referrers.
        const link = `${publicUrl}/reset-password#token=${token}`
        await mailer.send(
          resetMail({
            to: email,
            username: user.username,
            link,
            siteName,
            minutes: RESET_LIVES_FOR / MINUTE,
          }),
        )
      }
    },

    async reset(
      token: string,
      next: string,
      client: Client,
      { endsSipAccess }: { endsSipAccess: boolean },
    ): Promise<void> {
      const limit = { key: `reset from ${client.address}`, max: MAX_REQUESTS_PER_ADDRESS, windowMs: HOUR }
      await attempts.require([limit])
      refuseGuessable(next, [], 'newPassword')
      const hash = await hasher.hash(next)
      const userId = await db.transaction().execute(async (tx) => {
        await lockUserOfLink(tx, owner, 'password_resets', hashToken(token))
        const userId = await consumeReset(tx, owner, hashToken(token), clock.now())
        if (userId === undefined) throw new Refusal('reset_link_dead')
        const user = await findUserById(tx, owner, userId)
        refuseGuessable(next, [user?.username, user?.email], 'newPassword')
        await setPasswordHash(tx, owner, userId, hash)
        await sessions.signOutEverywhere(tx, userId)
        if (endsSipAccess) await sipAccess.end(tx, userId)
        // Access to the mailbox proves ownership, so this address is exempt from the limit per account.
        await sessions.trustAddress(tx, userId, client.address)
        return userId
      })
      await notices.send(userId, 'password')
    },

    forgetExpired: (): Promise<void> => deleteExpiredLinks(db, owner, 'password_resets', clock.now()),
  }
}
