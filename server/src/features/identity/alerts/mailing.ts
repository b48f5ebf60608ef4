import { topicOfKind } from '@trunkline/contract/alert-topics'
import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
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

/** In one mail; a flood of alerts becomes few mails. */
const MAX_IN_A_MAIL = 50
/** News of yesterday is none: what the mail server would not take until then stays unsent. */
const TRIED_FOR = DAY
const KEPT_FOR = 90 * DAY

/**
 * Alerts by e-mail, in two steps. First it is decided, once for each alert, and the mails are written down with the decision.
 * Then each is handed to the mail server, under a lock, and marked in the same transaction: two workers never send the same one.
 * Only a worker that dies between the server's yes and the commit leaves a mail that goes out again; it then bears the same
 * Message-ID, by which mailboxes tell that it is no new one.
 */
export function createAlertMailing({ db, clock, logger, mailer, publicUrl, siteName }: Deps) {
  const owner = system('mailing alerts')

  /** False when there were none left. */
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

  /** The id of the mail that was tried, or null when there was none. */
  const sendNext = (afterId: number): Promise<number | null> =>
    db.transaction().execute(async (tx) => {
      const mail = await lockUnsentMail(tx, afterId, earlier(clock.now(), TRIED_FOR))
      if (!mail) return null
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
        logger.warn({ err: error, mail: id }, 'a mail about alerts waits to be sent')
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
