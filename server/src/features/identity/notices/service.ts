import { system } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { defineJob, type Jobs } from '../../../platform/jobs.ts'
import type { Mailer } from '../../../platform/mailer.ts'
import { mailboxOf } from '../users/mailbox.ts'
import { findUserById } from '../users/store.ts'
import { type NoticeKind, noticeMail } from './mails.ts'

type NoticeJob = {
  userId: number
  kind: NoticeKind
  /** When it happened, in milliseconds. */
  at: number
  /** The device, the address: what the owner recognizes it by. */
  detail: string
  /** Set where the mail must not go to the account's present address. */
  to?: string
}

export const sendNotice = defineJob<NoticeJob>('send-account-notice')

export type Notices = ReturnType<typeof createNotices>

type Deps = {
  db: Database
  clock: Clock
  jobs: Jobs
  mailer: Mailer
  publicUrl: string
  siteName: string
}

/** Mails that tell the owner of an account what was changed about it. */
export function createNotices({ db, clock, jobs, mailer, publicUrl, siteName }: Deps) {
  const owner = system('account notices')
  const at = () => clock.now().getTime()

  return {
    tell: (userId: number, kind: NoticeKind, detail = ''): Promise<void> =>
      jobs.send(sendNotice, { userId, kind, at: at(), detail }),

    tellFormerMailbox: (userId: number, to: string, newAddress: string): Promise<void> =>
      jobs.send(sendNotice, { userId, kind: 'email', at: at(), detail: newAddress, to }),

    /** The job. Nothing is sent to an address that nobody has verified. */
    async mail({ userId, kind, at: happenedAt, detail, to }: NoticeJob): Promise<void> {
      const user = await findUserById(db, owner, userId)
      const mailbox = user && (to ?? mailboxOf(user))
      if (!mailbox) return
      await mailer.send(
        noticeMail(kind, {
          to: mailbox,
          username: user.username,
          siteName,
          publicUrl,
          detail,
          at: new Date(happenedAt),
        }),
      )
    },
  }
}
