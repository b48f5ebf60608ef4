import { archiveBefore, monthsBefore } from '../features/calls/archive/service.ts'
import { EVERY_HOUR, keepCdrMonths } from '../features/calls/cdr/months.ts'
import { addCallFigures } from '../features/calls/figures/service.ts'
import { sendFlowMail } from '../features/calls/media-calls/mailing.ts'
import { bookRecordings } from '../features/calls/recordings/booking.ts'
import { EVERY_HOUR_AT_37, keepTraceDays } from '../features/calls/sip-traces/days.ts'
import { judgeTrunks } from '../features/calls/trunk-quality/service.ts'
import { EVERY_TEN_MINUTES, findUnusualSpend } from '../features/calls/unusual-spend/service.ts'
import { mailVoicemail } from '../features/calls/voicemail/mailing.ts'
import { renewNumbers, sendRentalMail } from '../features/catalogue/numbers/renewals.ts'
import { applyRateDecks } from '../features/catalogue/rate-decks/service.ts'
import { sendWeeklyReport } from '../features/desk/analysis/weekly-report.ts'
import { measureSystem } from '../features/desk/monitoring/service.ts'
import { mailAlerts } from '../features/identity/alerts/mailing.ts'
import { sendEmailLink } from '../features/identity/emails/service.ts'
import { sendNotice } from '../features/identity/notices/service.ts'
import { sendResetMail } from '../features/identity/passwords/service.ts'
import { EVERY_MINUTE, reconcilePayments } from '../features/money/payments/reconciler.ts'
import { defineJob } from '../platform/jobs.ts'
import { systemTimers } from '../platform/timers.ts'
import type { Config } from './config.ts'
import type { Services } from './services.ts'

const checkBooks = defineJob<Record<string, never>>('check-books')
const userFigures = defineJob<Record<string, never>>('user-figures')
const tidyUp = defineJob<Record<string, never>>('tidy-up')

const keepSounds = defineJob<Record<string, never>>('keep-sounds')
const deleteSounds = defineJob<Record<string, never>>('delete-sounds')

const archiveMonths = defineJob<Record<string, never>>('archive-months')

/** Starts the job handlers. Several workers can run; each job runs on one of them. */
export async function startWorker(services: Services, config?: Config): Promise<void> {
  await takeUpJobs(services)
  await takeUpSounds(services, config?.sounds.s3 != null)
  await takeUpArchiving(services, config)
}

/** Sends the mails of flows and messages, books recordings, and stores both until their retention ends. */
async function takeUpSounds(
  { jobs, mailer, voicemail, voicemailMailing, recordings, recordingBooking }: Services,
  hasObjectStore: boolean,
): Promise<void> {
  await jobs.work(sendFlowMail, (mail) => mailer.send(mail))
  await jobs.work(mailVoicemail, () => voicemailMailing.run())
  await jobs.schedule(mailVoicemail, EVERY_MINUTE, {})
  await jobs.work(bookRecordings, () => recordingBooking.run())
  await jobs.schedule(bookRecordings, EVERY_MINUTE, {})
  await jobs.work(deleteSounds, async () => {
    await voicemail.deleteExpired()
    await recordings.deleteExpired()
  })
  await jobs.schedule(deleteSounds, '47 * * * *', {})
  await jobs.work(keepSounds, async () => {
    if (!hasObjectStore) return
    await voicemail.moveToStore()
    await recordings.moveToStore()
  })
  await jobs.schedule(keepSounds, EVERY_MINUTE, {})
}

/**
 * Archives expired months every night. A worker without the setting leaves the job to the others: it fails, and is tried again. If none
 * has the setting any more, it fails for good, because the schedule outlives the setting in the database.
 */
async function takeUpArchiving({ jobs, clock, logger }: Services, config?: Config): Promise<void> {
  await jobs.work(archiveMonths, async () => {
    if (!config?.archive?.months) throw new Error('this worker has no RETENTION_MONTHS')
    const { months, folder } = config.archive
    for await (const archived of archiveBefore(config.databaseUrl, monthsBefore(clock.now(), months), folder))
      logger.info(archived, 'month archived')
  })
  await jobs.schedule(archiveMonths, '41 2 * * *', {})
}

async function takeUpJobs({
  db,
  jobs,
  clock,
  metrics,
  logger,
  passwords,
  emails,
  notices,
  sessions,
  attempts,
  books,
  reconciler,
  cdrMonths,
  callFigures,
  trunkQuality,
  weeklyReport,
  keepTraces,
  userStats,
  userAdministration,
  unusualSpend,
  alertMailing,
  rateDecks,
  renewals,
  speech,
}: Services): Promise<void> {
  measureSystem({ db, jobs, clock, timers: systemTimers, metrics })
  // Runs before the first call. The job retries failures.
  await cdrMonths
    .makeAhead()
    .catch((error) => logger.error({ err: error }, 'failed to create partitions for call records'))
  await jobs.work(keepCdrMonths, async () => {
    await cdrMonths.makeAhead()
    await cdrMonths.tidy()
  })
  await jobs.schedule(keepCdrMonths, EVERY_HOUR, {})
  await jobs.work(addCallFigures, () => callFigures.addQueued())
  await jobs.schedule(addCallFigures, EVERY_MINUTE, {})
  await jobs.work(judgeTrunks, () => trunkQuality.judge())
  await jobs.schedule(judgeTrunks, EVERY_MINUTE, {})
  await jobs.work(keepTraceDays, keepTraces)
  await jobs.schedule(keepTraceDays, EVERY_HOUR_AT_37, {})
  await jobs.send(keepTraceDays, {})
  await jobs.work(sendResetMail, ({ email }) => passwords.mailResetLinks(email))
  await jobs.work(sendNotice, (notice) => notices.mail(notice))
  await jobs.work(sendEmailLink, ({ userId, email }) => emails.mailLink(userId, email))
  await jobs.work(tidyUp, async () => {
    await speech.forgetUnused()
    await sessions.forgetDead()
    await passwords.forgetExpired()
    await emails.forgetExpired()
    await attempts.forgetEnded()
    await alertMailing.forgetOld()
  })
  await jobs.schedule(tidyUp, '17 * * * *', {})
  await jobs.work(userFigures, async () => {
    await userAdministration.refreshBalanceOrder()
    await userStats.refresh()
  })
  await jobs.schedule(userFigures, EVERY_MINUTE, {})
  await jobs.work(checkBooks, async () => {
    const { checks, isSound } = await books.prove()
    for (const { name, faults, faultCount } of checks)
      if (faultCount > 0) logger.error({ check: name, faultCount, faults }, 'consistency check failed')
    if (isSound) logger.info('consistency check passed')
  })
  await jobs.schedule(checkBooks, '23 3 * * *', {})
  await jobs.work(findUnusualSpend, () => unusualSpend.look())
  await jobs.schedule(findUnusualSpend, EVERY_TEN_MINUTES, {})
  await jobs.work(sendWeeklyReport, () => weeklyReport.run())
  await jobs.schedule(sendWeeklyReport, EVERY_HOUR, {})
  await jobs.work(applyRateDecks, () => rateDecks.applyDue())
  await jobs.schedule(applyRateDecks, EVERY_MINUTE, {})
  await jobs.work(sendRentalMail, (mail) => renewals.mail(mail))
  await jobs.work(renewNumbers, () => renewals.run())
  await jobs.schedule(renewNumbers, EVERY_MINUTE, {})
  await jobs.work(mailAlerts, () => alertMailing.run())
  await jobs.schedule(mailAlerts, EVERY_MINUTE, {})
  await jobs.work(reconcilePayments, () => reconciler.run())
  await jobs.schedule(reconcilePayments, EVERY_MINUTE, {})
  // Catches up on payments immediately after a start, instead of after a minute.
  await jobs.send(reconcilePayments, {})
}
