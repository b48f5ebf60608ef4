import type { Logger } from 'pino'
import { createSmtpMailer } from '../adapters/smtp-mailer.ts'
import { createBooks } from '../features/calls/books/check-books.ts'
import { holdsOfLiveCalls } from '../features/calls/books/live-holds-store.ts'
import { createCallFlows } from '../features/calls/call-flows/service.ts'
import { createCallQuality } from '../features/calls/call-quality/service.ts'
import { createCarrierInvoices } from '../features/calls/carrier-invoices/service.ts'
import { createCdrMonths } from '../features/calls/cdr/months.ts'
import { createCallRecords } from '../features/calls/cdr/service.ts'
import { createCallFigures } from '../features/calls/figures/service.ts'
import { createAnnouncer } from '../features/calls/live-calls/announcer.ts'
import { createLiveCalls } from '../features/calls/live-calls/service.ts'
import { requestPhoneHangUps } from '../features/calls/live-calls/store.ts'
import { createLiveStreams } from '../features/calls/live-calls/streams.ts'
import { createRoutingSimulations } from '../features/calls/routing-simulation/service.ts'
import { createTraceDays } from '../features/calls/sip-traces/days.ts'
import { createSipTraces } from '../features/calls/sip-traces/service.ts'
import { createTestCalls } from '../features/calls/test-calls/service.ts'
import { createTrunkQuality } from '../features/calls/trunk-quality/service.ts'
import { createUnusualSpend } from '../features/calls/unusual-spend/service.ts'
import { createUserAdministration } from '../features/desk/admin-users/service.ts'
import { createAnalysis } from '../features/desk/analysis/service.ts'
import { createWeeklyReport } from '../features/desk/analysis/weekly-report.ts'
import { createContactAdministration } from '../features/desk/contact/administration.ts'
import { createContact } from '../features/desk/contact/service.ts'
import { createDashboard } from '../features/desk/dashboard/service.ts'
import { createMerges } from '../features/desk/merges/service.ts'
import { createSearch } from '../features/desk/search/service.ts'
import { createProfiles } from '../features/identity/accounts/profiles.ts'
import { createAccounts } from '../features/identity/accounts/service.ts'
import { createAlertMailing } from '../features/identity/alerts/mailing.ts'
import { createAlerts } from '../features/identity/alerts/service.ts'
import { createAttemptLimits } from '../features/identity/attempts/service.ts'
import { createEmails } from '../features/identity/emails/service.ts'
import { createNotices } from '../features/identity/notices/service.ts'
import { createPasswords } from '../features/identity/passwords/service.ts'
import { createPhones } from '../features/identity/phones/service.ts'
import { createSavedViews } from '../features/identity/saved-views/service.ts'
import { createSessions } from '../features/identity/sessions/service.ts'
import { createSignInAlerts } from '../features/identity/sessions/sign-in-alerts.ts'
import { createSipAccess } from '../features/identity/sip-access/service.ts'
import { createSipCredentials } from '../features/identity/sip-credentials/service.ts'
import { createBalanceWatch } from '../features/money/balances/balance-watch.ts'
import { createLedger } from '../features/money/ledger/service.ts'
import type { Clock } from '../platform/clock.ts'
import { createExports } from '../platform/csv.ts'
import { type Database, openDatabase, STATEMENT_TIMEOUT_MS } from '../platform/database.ts'
import { type Jobs, openJobs } from '../platform/jobs.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createPasswordHasher, type PasswordCost } from '../platform/password-hasher.ts'
import { createCatalogueServices } from './catalogue-services.ts'
import type { Config } from './config.ts'
import { createPaymentServices } from './payment-services.ts'
import { createSoundServices } from './sound-services.ts'
import { createSounds } from './sounds.ts'

const REPLICA_PATIENCE_MS = STATEMENT_TIMEOUT_MS + 2_000

export type Services = Awaited<ReturnType<typeof createServices>>

/** Creates the services that the entry points share. */
export async function createServices(
  config: Config,
  clock: Clock,
  logger: Logger,
  passwordCost?: PasswordCost,
  {
    prepares = true,
    connectTimeoutMs,
    isWorker = true,
  }: { prepares?: boolean; connectTimeoutMs?: number; isWorker?: boolean } = {},
) {
  const open = (url: string, queryTimeoutMs?: number): Database =>
    openDatabase({
      url,
      poolSize: config.databasePool,
      prepares,
      ...(queryTimeoutMs && { queryTimeoutMs }),
      ...(connectTimeoutMs && { connectTimeoutMs }),
      onError: (error) => logger.warn({ err: error }, 'database connection lost'),
    })
  const db = open(config.databaseUrl)
  const { databaseReplicaUrl } = config
  const replica = databaseReplicaUrl ? open(databaseReplicaUrl, REPLICA_PATIENCE_MS) : null
  const metrics = createMetrics()
  const jobs: Jobs = await openJobs(
    config.databaseUrl,
    (error) => logger.error({ err: error }, 'job queue error'),
    { isWorker },
  )
  const mailer = createSmtpMailer(config.mail.smtpUrl, config.mail.from)
  const hasher = createPasswordHasher(passwordCost)
  const attempts = createAttemptLimits(db, clock)
  const alerts = createAlerts(db, clock)
  const accounts = createAccounts({
    db,
    clock,
    hasher,
    attempts,
    registrationsPerHour: config.registrationsPerHour,
  })
  const signInFailed = createSignInAlerts(db, alerts)
  const names = { publicUrl: config.publicUrl, siteName: config.site.name }
  const notices = createNotices({ db, clock, jobs, mailer, ...names })
  const sipAccess = createSipAccess({ clock, endPhoneCalls: requestPhoneHangUps })
  const sessions = createSessions({
    db,
    clock,
    hasher,
    attempts,
    signInFailed,
    notices,
    sipAccess,
    ...config.sessions,
  })
  const passwords = createPasswords({
    db,
    clock,
    hasher,
    sessions,
    attempts,
    jobs,
    mailer,
    notices,
    sipAccess,
    ...names,
  })
  const emails = createEmails({ db, clock, attempts, jobs, mailer, notices, ...names })
  const profiles = createProfiles({
    db,
    hasher,
    attempts,
    sessions,
    onPasswordChanged: (userId) => notices.send(userId, 'password'),
  })
  const ledger = createLedger(db, clock, createBalanceWatch(alerts))
  const books = createBooks(db, clock, holdsOfLiveCalls)
  const exports = createExports(config.databaseUrl)
  const reportExports = databaseReplicaUrl ? createExports(databaseReplicaUrl) : exports
  const callRecords = createCallRecords(db, clock, reportExports, replica ?? db)
  const paymentServices = createPaymentServices(config, {
    db,
    clock,
    logger,
    ledger,
    attempts,
    exports,
    alerts,
    findChargedCalls: callRecords.findCharged,
  })
  const { audit } = paymentServices
  const { databaseUrl } = config
  const callFigures = createCallFigures(db)
  const catalogueServices = createCatalogueServices({
    db,
    databaseUrl,
    clock,
    ledger,
    attempts,
    audit,
    alerts,
    notices,
    ownHosts: config.ownHosts,
    callerIds: config.callerIds,
    realm: config.sip.realm,
    jobs,
    exports,
    figures: callFigures,
    logger,
    mailer,
    ...names,
  })
  const unusualSpend = createUnusualSpend(db, clock, alerts)
  const alertMailing = createAlertMailing({
    db,
    clock,
    logger,
    mailer,
    publicUrl: config.publicUrl,
    siteName: config.site.name,
  })
  const contact = createContact(db, clock, attempts)
  const contactAdministration = createContactAdministration(db, clock, audit)
  const sipCredentials = createSipCredentials({ db, clock, audit, notices, sip: config.sip })
  const phones = createPhones({
    db,
    clock,
    sessions,
    realm: config.sip.realm,
    isServed: config.phoneSwitch !== null,
    turn: config.turn,
  })
  const userAdministration = createUserAdministration({
    db,
    clock,
    hasher,
    audit,
    sessions,
    sipCredentials,
    notices,
    sipAccess,
    balances: paymentServices.balances,
    registrations: catalogueServices.registrations,
    trustedAddresses: catalogueServices.trustedAddresses,
    health: catalogueServices.customerHealth,
  })
  const merges = createMerges({ db, clock, audit, sessions, sipAccess, balances: paymentServices.balances })
  const soundServices = createSoundServices({
    db,
    clock,
    logger,
    jobs,
    mailer,
    ledger,
    audit,
    sounds: createSounds(config.sounds),
    records: callRecords,
    ...names,
  })
  const testCalls = createTestCalls({ db, clock, attempts })
  const carrierInvoices = createCarrierInvoices({ db, clock, audit, exports, reports: replica ?? db })
  const cdrMonths = createCdrMonths(db, clock, logger)
  const { days } = config.sipTrace
  const callFlows = createCallFlows(db, callRecords)
  const sipTraces = createSipTraces({ db, clock, records: callRecords, days })
  const keepTraces = createTraceDays({ db, clock, logger, days })
  const callQuality = createCallQuality({ figures: callFigures, reports: replica ?? db })
  const dashboard = createDashboard({ db, clock, figures: callFigures, reports: replica ?? db })
  const savedViews = createSavedViews(db, clock)
  const trunkQuality = createTrunkQuality({ db, clock, logger, figures: callFigures, alerts, audit })
  const routingSimulations = createRoutingSimulations({
    db,
    clock,
    figures: callFigures,
    rules: catalogueServices.routingRules,
    reports: replica ?? db,
  })
  const weeklyReport = createWeeklyReport({ db, clock, figures: callFigures, ...names })
  const analysis = createAnalysis({
    db,
    clock,
    figures: callFigures,
    exports: reportExports,
    reports: replica ?? db,
  })
  const search = createSearch(db, clock, replica ?? db)
  const announcer = createAnnouncer(db, (error) =>
    logger.warn({ err: error }, 'failed to announce live calls'),
  )
  const liveCalls = createLiveCalls({ db, clock, audit: paymentServices.audit, announcer })
  const liveStreams = createLiveStreams({
    db,
    clock,
    sessions,
    databaseUrl: config.databaseUrl,
    onError: (error) => logger.warn({ err: error }, 'failed to update live calls'),
  })

  return {
    db,
    replica,
    jobs,
    mailer,
    clock,
    logger,
    metrics,
    attempts,
    accounts,
    profiles,
    sessions,
    passwords,
    emails,
    notices,
    contact,
    ledger,
    books,
    contactAdministration,
    unusualSpend,
    alertMailing,
    ...paymentServices,
    ...catalogueServices,
    ...soundServices,
    sipCredentials,
    phones,
    userAdministration,
    merges,
    callRecords,
    testCalls,
    carrierInvoices,
    cdrMonths,
    savedViews,
    callFigures,
    trunkQuality,
    routingSimulations,
    weeklyReport,
    analysis,
    sipTraces,
    callFlows,
    callQuality,
    keepTraces,
    dashboard,
    search,
    announcer,
    liveCalls,
    liveStreams,
    async close() {
      await liveStreams.close()
      await jobs.close()
      mailer.close()
      await replica?.destroy()
      await db.destroy()
    },
  }
}
