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
  /** Milliseconds since 1970. */
  at: number
  /** Device and address, for the owner to recognize. */
  detail: string
  /** Overrides the current address of the account. */
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

/** Sends mails about changes of an account to its owner. */
export function createNotices({ db, clock, jobs, mailer, publicUrl, siteName }: Deps) {
  const owner = system('account notices')
  const at = () => clock.now().getTime()

  return {
    send: (userId: number, kind: NoticeKind, detail = ''): Promise<void> =>
      jobs.send(sendNotice, { userId, kind, at: at(), detail }),

    tellFormerMailbox: (userId: number, to: string, newAddress: string): Promise<void> =>
      jobs.send(sendNotice, { userId, kind: 'email', at: at(), detail: newAddress, to }),

    /** Job handler. Sends only to verified addresses. */
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
