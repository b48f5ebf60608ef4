import type { OwnEmail } from '@trunkline/contract/emails'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, ownDataOf, system } from '@trunkline/domain/access'
import { type Clock, HOUR, later } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Client } from '../../../platform/handler.ts'
import { defineJob, type Jobs } from '../../../platform/jobs.ts'
import type { Mailer } from '../../../platform/mailer.ts'
import { hashToken, newToken } from '../../../platform/tokens.ts'
import type { AttemptLimits } from '../attempts/service.ts'
import { deleteExpiredLinks, lockUserOfLink } from '../mailed-links/store.ts'
import type { Notices } from '../notices/service.ts'
import { mailboxOf } from '../users/mailbox.ts'
import { findUserById, setVerifiedEmail } from '../users/store.ts'
import { verifyMail } from './mails.ts'
import { consumeEmailToken, findPendingEmail, saveEmailChange, setEmailToken } from './store.ts'

/** The worker generates the token. Only its hash is stored. */
export const sendEmailLink = defineJob<{ userId: number; email: string }>('send-email-link')

export type Emails = ReturnType<typeof createEmails>

type Deps = {
  db: Database
  clock: Clock
  attempts: AttemptLimits
  jobs: Jobs
  mailer: Mailer
  notices: Notices
  publicUrl: string
  siteName: string
}

const LINK_HOURS = 24
const MAX_REQUESTS = 10
const MAX_MAILS_PER_MAILBOX = 3
const MAX_TRIES_PER_ADDRESS = 20

/** Email addresses of customers, verified by a mailed link. */
export function createEmails(deps: Deps) {
  const { db, clock, attempts, jobs, mailer, notices, publicUrl, siteName } = deps
  const systemOwner = system('email addresses')

  async function claim(userId: number, email: string): Promise<boolean> {
    const toMailbox = { key: `email link to ${email}`, max: MAX_MAILS_PER_MAILBOX, windowMs: HOUR }
    if (!(await attempts.take([toMailbox]))) return false
    const now = clock.now()
    await saveEmailChange(db, systemOwner, { userId, email, expiresAt: later(now, LINK_HOURS * HOUR) }, now)
    await jobs.send(sendEmailLink, { userId, email })
    return true
  }

  async function own(caller: Caller): Promise<OwnEmail> {
    const owner = ownDataOf(caller)
    const user = await findUserById(db, owner, caller.userId)
    if (!user) throw new Refusal('session_expired')
    return {
      email: user.email,
      is_verified: mailboxOf(user) !== null,
      pending: await findPendingEmail(db, owner, caller.userId, clock.now()),
    }
  }

  return {
    own,

    async request(caller: Caller, email: string): Promise<OwnEmail> {
      const limit = { key: `change-email ${caller.userId}`, max: MAX_REQUESTS, windowMs: HOUR }
      if (!(await attempts.take([limit])) || !(await claim(caller.userId, email)))
        throw new Refusal('too_many_requests')
      return own(caller)
    },

    /** Does not fail if the rate limit for links is reached, so the account is still created. */
    async claimAtSignUp(userId: number, email: string): Promise<void> {
      await claim(userId, email)
    },

    /** Job handler. A retry generates a new token. */
    async mailLink(userId: number, email: string): Promise<void> {
      const user = await findUserById(db, systemOwner, userId)
      const token = newToken()
      const isWanted = await setEmailToken(db, { userId, email, tokenHash: hashToken(token) }, clock.now())
      if (!user || !isWanted) return
      // The fragment does not appear in server logs and referrers.
      const link = `${publicUrl}/verify-email#token=${token}`
      await mailer.send(verifyMail({ to: email, username: user.username, link, siteName, hours: LINK_HOURS }))
    },

    async confirm(token: string, client: Client): Promise<string> {
      const limit = {
        key: `verify email from ${client.address}`,
        max: MAX_TRIES_PER_ADDRESS,
        windowMs: HOUR,
      }
      await attempts.require([limit])
      const { userId, email, before } = await db.transaction().execute(async (tx) => {
        await lockUserOfLink(tx, systemOwner, 'email_changes', hashToken(token))
        const change = await consumeEmailToken(tx, systemOwner, hashToken(token), clock.now())
        const user = change && (await findUserById(tx, systemOwner, change.user_id))
        if (!change || !user) throw new Refusal('email_link_dead')
        await setVerifiedEmail(tx, systemOwner, user.id, change.email, clock.now())
        return { userId: user.id, email: change.email, before: mailboxOf(user) }
      })
      if (before !== null && before !== email) await notices.tellFormerMailbox(userId, before, email)
      return email
    },

    forgetExpired: (): Promise<void> => deleteExpiredLinks(db, systemOwner, 'email_changes', clock.now()),
  }
}
