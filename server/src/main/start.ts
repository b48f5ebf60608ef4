import { dirname } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type RunningCallControl, startCallControl } from '../app/call-control.ts'
import { type Config, loadConfig } from '../app/config.ts'
import { ensureDemo } from '../app/demo.ts'
import { type HealthServer, measureDatabase, startHealthServer } from '../app/health-server.ts'
import { type LogFile, openLogFile } from '../app/log-file.ts'
import { createLogger } from '../app/logger.ts'
import { type RunningMedia, startMedia } from '../app/media.ts'
import { createServices, type Services } from '../app/services.ts'
import { startWorker } from '../app/worker.ts'
import { systemClock } from '../platform/clock.ts'
import { databaseAnswers } from '../platform/database.ts'
import { measureDisks } from '../platform/disk-metrics.ts'
import type { Metrics } from '../platform/metrics.ts'
import { migrate } from '../platform/migrate.ts'
import { isTransactionPooled, TransactionPooling } from '../platform/pooler.ts'
import { unreachableHosts } from '../platform/primary.ts'

/** The roles of a server process. A process can have several roles. */
export const roles = ['api', 'worker', 'callcontrol', 'media'] as const
export type Role = (typeof roles)[number]

export type RunningServer = { config: Config; close(): Promise<void> }

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
  const services = await createServices(config, systemClock, logger, undefined, {
    prepares: !isPooled,
    isWorker: wanted.includes('worker'),
  })
  const { db, replica, metrics } = services
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
    if (config.profile === 'demo' && wanted.includes('api'))
      await ensureDemo(services, systemClock, config.sandboxCarrier, config.sandboxNetwork)
    if (wanted.includes('worker')) await startWorker(services, config)
    if (wanted.includes('callcontrol'))
      callControl = await startCallControl(config, systemClock, logger, metrics)
    if (wanted.includes('media')) media = await startMedia(config, services)
    const api = wanted.includes('api') ? await openApi(config, services, logger) : null
    if (api) services.liveStreams.keepTime()
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
        await services.close()
        await healthServer?.close()
        process.off('SIGHUP', reopenLog)
        logFile.flush()
      },
    }
  } catch (error) {
    await callControl?.close().catch(() => {})
    await media?.close().catch(() => {})
    await services.close().catch(() => {})
    await healthServer?.close().catch(() => {})
    process.off('SIGHUP', reopenLog)
    throw error
  }
}

/** Loaded on demand: call control and media start faster without the modules of the API. */
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
