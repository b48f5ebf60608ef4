import { topicOfKind } from '@trunkline/contract/alert-topics'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import { allowSlowSending, type Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { Mailer } from '../../../platform/mailer.ts'
import { alertMail } from './alert-mail.ts'
import { deleteMailsBefore, insertMails, lockUnsentMail, markMailSent, takeNewAlerts } from './mail-store.ts'
import { readAlertSettings } from './settings-store.ts'

export const mailAlerts = defineJob<Record<string, never>>('mail-alerts')

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  mailer: Mailer
  publicUrl: string
  siteName: string
}

/** Combines many alerts in few mails. */
const MAX_IN_A_MAIL = 50
/** Mails are abandoned after this time. */
const TRIED_FOR = DAY
const KEPT_FOR = 90 * DAY

/**
 * Alerts by email, in two steps. The first decides once per alert and stores the mails. The second sends each mail under a lock
 * and marks it in the same transaction, so two workers never send the same mail. If a worker crashes between sending and commit,
 * the mail is sent again with the same Message-ID, which mail clients recognize as a duplicate.
 */
export function createAlertMailing({ db, clock, logger, mailer, publicUrl, siteName }: Deps) {
  const owner = system('mailing alerts')

  /** False if there were no new alerts. */
  const decide = (): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const opened = await takeNewAlerts(tx, owner, MAX_IN_A_MAIL, clock.now())
      const { mail_to, mail_topics } = await readAlertSettings(tx)
      const topics: ReadonlySet<string> = new Set(mail_topics)
      const wanted = opened.filter(({ kind }) => topics.has(topicOfKind(kind) ?? ''))
      if (wanted.length > 0 && mail_to.length > 0) {
        const { subject, text } = alertMail(wanted, { publicUrl, siteName })
        const mails = mail_to.map((recipient) => ({ recipient, subject, body: text }))
        await insertMails(tx, mails, clock.now())
      }
      return opened.length > 0
    })

  /** Id of the mail that was attempted, or null. */
  const sendNext = (afterId: number): Promise<number | null> =>
    db.transaction().execute(async (tx) => {
      const mail = await lockUnsentMail(tx, afterId, earlier(clock.now(), TRIED_FOR))
      if (!mail) return null
      await allowSlowSending(tx)
      const { id, recipient: to, subject, body: text } = mail
      try {
        await mailer.send({
          to,
          subject,
          text,
          messageId: `<alert-mail-${id}@${new URL(publicUrl).hostname}>`,
        })
        await markMailSent(tx, id, clock.now())
      } catch (error) {
        logger.warn({ err: error, mail: id }, 'failed to send alert mail')
      }
      return id
    })

  return {
    async run(): Promise<void> {
      while (await decide());
      for (let id: number | null = 0; id !== null; ) id = await sendNext(id)
    },
    forgetOld: (): Promise<void> => deleteMailsBefore(db, earlier(clock.now(), KEPT_FOR)),
  }
}
