import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { RunningCallControl } from '../app/call-control.ts'
import { type Config, loadConfig } from '../app/config.ts'
import { type HealthServer, measureDatabase, startHealthServer } from '../app/health-server.ts'
import { type LogFile, openLogFile } from '../app/log-file.ts'
import { createLogger } from '../app/logger.ts'
import type { RunningMedia } from '../app/media.ts'
import type { Services } from '../app/services.ts'
import { systemClock } from '../platform/clock.ts'
import { databaseAnswers, openDatabase } from '../platform/database.ts'
import { measureDisks } from '../platform/disk-metrics.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { migrate } from '../platform/migrate.ts'
import { isTransactionPooled, TransactionPooling } from '../platform/pooler.ts'
import { unreachableHosts } from '../platform/primary.ts'

/** The roles of a server process. A process can have several roles. */
export const roles = ['api', 'worker', 'callcontrol', 'media'] as const
export type Role = (typeof roles)[number]

export type RunningServer = { config: Config; close(): Promise<void> }

/** A process loads only the modules of its roles, so that call control and media start quickly, also after a crash. */
export async function startServer(
  environment: Record<string, string | undefined>,
  wanted: readonly Role[] = roles,
  /** Ports of the health servers of parts that run in separate processes. */
  besidePorts: Readonly<Record<string, () => number | null>> = {},
): Promise<RunningServer> {
  const config = loadConfig(environment)
  const logFile = openLogFile(config.log.file)
  const logger = createLogger(config.log, logFile)
  // Log rotation moves the file and sends a signal.
  const reopenLog = () => logFile.reopen()
  process.on('SIGHUP', reopenLog)
  // An unhandled rejection in a library must not end calls and requests.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))
  await migrate(config.databaseUrl, { profile: config.profile })
  const isPooled = await isTransactionPooled(config.databaseUrl)
  if (isPooled && wanted.some((role) => role !== 'worker')) throw new TransactionPooling()
  const services = wanted.some((role) => role !== 'callcontrol')
    ? await openServices(config, logger, { prepares: !isPooled, isWorker: wanted.includes('worker') })
    : null
  const { db, replica, metrics, close } = services ?? openBasics(config, logger)
  // A misspelled host would otherwise be noticed only at the failover.
  for (const fault of await unreachableHosts(config.databaseUrl))
    logger.warn(fault, 'database host is unreachable')
  let callControl: RunningCallControl | null = null
  let media: RunningMedia | null = null
  let healthServer: HealthServer | null = null
  try {
    if (config.healthServer)
      healthServer = await startHealthServer({ ...config.healthServer, metrics, logger })
    // Verifies the connection of the pool, because the job queue can connect with other settings.
    await sql`select 1`.execute(db)
    if (services && config.profile === 'demo' && wanted.includes('api')) {
      const { ensureDemo } = await import('../app/demo.ts')
      await ensureDemo(services, systemClock, config.sandboxCarrier, config.sandboxNetwork)
    }
    if (services && wanted.includes('worker')) {
      const { startWorker } = await import('../app/worker.ts')
      await startWorker(services, config)
    }
    if (wanted.includes('callcontrol')) {
      const { startCallControl } = await import('../app/call-control.ts')
      callControl = await startCallControl(config, systemClock, logger, metrics)
    }
    if (services && wanted.includes('media')) {
      const { startMedia } = await import('../app/media.ts')
      media = await startMedia(config, services)
    }
    if (services && media && config.profile === 'demo') await leaveDemoMessages(services, logger)
    const api = services && wanted.includes('api') ? await openApi(config, services, logger) : null
    if (api) services?.liveStreams.keepTime()
    await api?.listen({ port: config.port, host: config.host })
    measureDatabase(metrics, {
      portal: db,
      ...(replica && api && { replica }),
      ...(callControl && { callcontrol: callControl.db }),
      ...(media && { media: media.db }),
    })
    measureLog(metrics, config, logFile)
    healthServer?.require('database', () => databaseAnswers(db))
    for (const [part, portOf] of Object.entries(besidePorts)) healthServer?.include(part, portOf)
    if (callControl) requireCallControl(healthServer, callControl)
    if (media) healthServer?.require('media', media.calls.isReady)
    healthServer?.become('running')
    return {
      config,
      /** Stops accepting requests, waits for pending ones, then closes all connections. */
      async close() {
        healthServer?.become('stopping')
        await api?.close()
        await callControl?.close()
        await media?.close()
        await close()
        await healthServer?.close()
        process.off('SIGHUP', reopenLog)
        logFile.flush()
      },
    }
  } catch (error) {
    await callControl?.close().catch(() => {})
    await media?.close().catch(() => {})
    await close().catch(() => {})
    await healthServer?.close().catch(() => {})
    process.off('SIGHUP', reopenLog)
    throw error
  }
}

/** The messages are optional: the demo works without them. */
async function leaveDemoMessages(services: Services, logger: Logger): Promise<void> {
  const { fillVoicemail } = await import('../app/demo-voicemail.ts')
  await fillVoicemail(services, systemClock).catch((error) =>
    logger.warn({ err: error }, 'could not create the voicemail messages of the demo'),
  )
}

async function openServices(
  config: Config,
  logger: Logger,
  options: { prepares: boolean; isWorker: boolean },
): Promise<Services> {
  const { createServices } = await import('../app/services.ts')
  return createServices(config, systemClock, logger, undefined, options)
}

/** For call control, which has no other services. */
function openBasics(
  { databaseUrl, databasePool }: Config,
  logger: Logger,
): Pick<Services, 'db' | 'replica' | 'metrics' | 'close'> {
  const onError = (error: Error) => logger.warn({ err: error }, 'database connection lost')
  const db = openDatabase({ url: databaseUrl, poolSize: databasePool, onError })
  return { db, replica: null, metrics: createMetrics(), close: () => db.destroy() }
}

async function openApi(config: Config, services: Services, logger: Logger) {
  const [{ createApi }, { builtWeb }] = await Promise.all([import('../app/api.ts'), import('../app/web.ts')])
  return createApi(config, services, logger, builtWeb)
}

/** Metrics for full disks, which drop log lines and stop the embedded database. */
function measureLog(metrics: Metrics, { dataFolder, log, archive }: Config, logFile: LogFile): void {
  measureDisks(metrics, {
    ...(dataFolder && { data: dataFolder }),
    ...(log.file && { log: dirname(log.file) }),
    ...(archive && { archive: archive.folder }),
  })
  metrics.counted(
    { name: 'trunkline_log_lines_lost_total', help: 'Log lines that could not be written.' },
    logFile.lost,
  )
}

/** Ready if call control can admit calls and every configured switch has reported its live calls. */
function requireCallControl(healthServer: HealthServer | null, { status }: RunningCallControl): void {
  healthServer?.require('catalogue', () => status().isTrusted)
  healthServer?.require('switches', () => {
    const { switches, configuredSwitches } = status()
    return switches.filter(({ isReady }) => isReady).length >= configuredSwitches
  })
}
