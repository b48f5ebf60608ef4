import type { Logger } from 'pino'
import { createSmtpMailer } from '../adapters/smtp-mailer.ts'
import { createAccounts } from '../features/accounts/service.ts'
import { createAttemptLimits } from '../features/attempts/service.ts'
import { createContact } from '../features/contact/service.ts'
import { createBooks } from '../features/ledger/check-books.ts'
import { createLedger } from '../features/ledger/service.ts'
import { createPasswordHasher } from '../features/passwords/hasher.ts'
import { createPasswords } from '../features/passwords/service.ts'
import { createSessions } from '../features/sessions/service.ts'
import type { Clock } from '../platform/clock.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { type Jobs, openJobs } from '../platform/jobs.ts'
import type { Config } from './config.ts'
import { createPaymentServices } from './payment-services.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

/** Builds everything the entry points share, once, and hands each part what it needs. */
export async function createServices(config: Config, clock: Clock, logger: Logger) {
  const db: Database = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePool,
    onError: (error) => logger.warn({ err: error }, 'a database connection was lost'),
  })
  const jobs: Jobs = await openJobs(config.databaseUrl, (error) => logger.error({ err: error }, 'jobs'))
  const mailer = createSmtpMailer(config.mail.smtpUrl, config.mail.from)
  const hasher = createPasswordHasher()
  const attempts = createAttemptLimits(db, clock)
  const accounts = createAccounts({
    db,
    clock,
    hasher,
    attempts,
    registrationsPerHour: config.registrationsPerHour,
  })
  const sessions = createSessions({ db, clock, hasher, attempts, ...config.sessions })
  const passwords = createPasswords({
    ...{ db, clock, hasher, sessions, attempts, jobs, mailer },
    publicUrl: config.publicUrl,
    siteName: config.site.name,
  })
  const ledger = createLedger(db, clock)
  const books = createBooks(db, clock)
  const paymentServices = createPaymentServices(config, { db, clock, logger, ledger, attempts })
  const contact = createContact(db, clock, attempts)

  return {
    ...{ db, jobs, logger, attempts, accounts, sessions, passwords, contact, ledger, books },
    ...paymentServices,
    async close() {
      await jobs.close()
      mailer.close()
      await db.destroy()
    },
  }
}
