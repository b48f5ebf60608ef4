import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { alawAsWav } from '../../../platform/alaw.ts'
import { type Clock, DAY, earlier } from '../../../platform/clock.ts'
import { allowSlowSending, type Database } from '../../../platform/database.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { Mail, Mailer } from '../../../platform/mailer.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { mailboxOf } from '../../identity/users/mailbox.ts'
import { findUserById } from '../../identity/users/store.ts'
import { voicemailMail } from './mail.ts'
import { readVoicemailSettings } from './settings-store.ts'
import { findUnmailed, setMailDone, takeUnmailed, type VoicemailRow } from './store.ts'

export const mailVoicemail = defineJob<Record<string, never>>('mail-voicemail')

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  mailer: Mailer
  sounds: SoundFiles
  publicUrl: string
  siteName: string
}

/** Mails are abandoned after this time. */
const TRIED_FOR = DAY

/**
 * Mails messages, each once. While a mail is sent, a lock that customers do not wait for keeps it from other workers. The mail is
 * marked beside that transaction, which the database may end while a slow mail server answers. If a worker crashes before the mark,
 * the mail is sent again with the same Message-ID, which mail clients recognize as a duplicate.
 */
export function createVoicemailMailing({ db, clock, logger, mailer, sounds, publicUrl, siteName }: Deps) {
  const scope = system('mailing voicemail')

  /** Null if the customer wants no mail, or has no verified address. */
  async function mailOf(tx: Database, row: VoicemailRow): Promise<Mail | null> {
    const { mails, attaches } = await readVoicemailSettings(tx, row.user_id)
    const user = mails ? await findUserById(tx, scope, row.user_id) : undefined
    const to = user && user.disabled_at === null ? mailboxOf(user) : null
    if (!user || !to) return null
    const sound = attaches ? await sounds.read(row) : null
    return voicemailMail(row, sound && alawAsWav(sound.samples, sound.channels), {
      to,
      username: user.username,
      siteName,
      publicUrl,
    })
  }

  const mailOnce = (id: number): Promise<void> =>
    db.transaction().execute(async (tx) => {
      const row = await takeUnmailed(tx, scope, id)
      if (!row) return
      await allowSlowSending(tx)
      const mail = row.started_at > earlier(clock.now(), TRIED_FOR) ? await mailOf(tx, row) : null
      if (mail) await mailer.send(mail)
      await setMailDone(db, row.user_id, id, clock.now())
    })

  /** Id of the message that was handled, or null. */
  async function mailNext(after: number): Promise<number | null> {
    const next = await findUnmailed(db, scope, after)
    if (!next) return null
    await mailOnce(next.id).catch((error) =>
      logger.warn({ err: error, message: next.id }, 'failed to mail a voicemail message'),
    )
    return next.id
  }

  return {
    /** Job handler. A message that fails is tried again by the next run. */
    async run(): Promise<void> {
      for (let id: number | null = 0; id !== null; ) id = await mailNext(id)
    },
  }
}
