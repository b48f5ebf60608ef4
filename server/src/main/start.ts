import { dirname } from 'node:path'
import { sql } from 'kysely'
import { createApi } from '../app/api.ts'
import { type RunningCallControl, startCallControl } from '../app/call-control.ts'
import { type Config, loadConfig } from '../app/config.ts'
import { ensureDemo } from '../app/demo.ts'
import { openWatching, type Watching, watchDatabase } from '../app/health-server.ts'
import { type LogFile, openLogFile } from '../app/log-file.ts'
import { createLogger } from '../app/logger.ts'
import { createServices } from '../app/services.ts'
import { builtWeb } from '../app/web.ts'
import { startWorker } from '../app/worker.ts'
import { systemClock } from '../platform/clock.ts'
import { databaseAnswers } from '../platform/database.ts'
import { measureDisks } from '../platform/disk-metrics.ts'
import type { Metrics } from '../platform/metrics.ts'
import { migrate } from '../platform/migrate.ts'
import { isTransactionPooled, TransactionPooling } from '../platform/pooler.ts'

/** The parts of the server. They can share a process; each can run in processes of its own. */
export const roles = ['api', 'worker', 'callcontrol'] as const
export type Role = (typeof roles)[number]

export type RunningServer = { config: Config; close(): Promise<void> }

export async function startServer(
  environment: Record<string, string | undefined>,
  wanted: readonly Role[] = roles,
  /** Where call control is watched that runs as a process beside this one. */
  callControlBeside?: () => number | null,
): Promise<RunningServer> {
  const config = loadConfig(environment)
  const logFile = openLogFile(config.log.file)
  const logger = createLogger(config.log, logFile)
  // Log rotation moves the file away and says so.
  const reopenLog = () => logFile.reopen()
  process.on('SIGHUP', reopenLog)
  // A promise that a library lets go of must not take the calls and requests of others down with it.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))
  await migrate(config.databaseUrl, { profile: config.profile })
  const isPooled = await isTransactionPooled(config.databaseUrl)
  if (isPooled && wanted.some((role) => role !== 'worker')) throw new TransactionPooling()
  const services = await createServices(config, systemClock, logger, undefined, { prepares: !isPooled })
  const { db, replica, metrics } = services
  let callControl: RunningCallControl | null = null
  let watching: Watching | null = null
  try {
    if (config.watching) watching = await openWatching({ ...config.watching, metrics, logger })
    // Only who has reached it may say to be ready. What the pool is refused for, jobs may be allowed.
    await sql`select 1`.execute(db)
    if (config.profile === 'demo' && wanted.includes('api'))
      await ensureDemo(services, systemClock, config.sandboxCarrier)
    if (wanted.includes('worker')) await startWorker(services, config)
    if (wanted.includes('callcontrol'))
      callControl = await startCallControl(config, systemClock, logger, metrics)
    const api = wanted.includes('api') ? createApi(config, services, logger, builtWeb) : null
    if (api) services.liveStreams.keepTime()
    await api?.listen({ port: config.port, host: config.host })
    watchDatabase(metrics, {
      portal: db,
      ...(replica && api && { replica }),
      ...(callControl && { callcontrol: callControl.db }),
    })
    watchLog(metrics, config, logFile)
    watching?.require('database', () => databaseAnswers(db))
    if (callControlBeside) watching?.include(callControlBeside)
    if (callControl) requireCallControl(watching, callControl)
    watching?.become('running')
    return {
      config,
      /** Stops taking requests, lets those under way finish, then lets go of everything. */
      async close() {
        watching?.become('stopping')
        await api?.close()
        await callControl?.close()
        await services.close()
        await watching?.close()
        process.off('SIGHUP', reopenLog)
        logFile.flush()
      },
    }
  } catch (error) {
    await callControl?.close().catch(() => {})
    await services.close().catch(() => {})
    await watching?.close().catch(() => {})
    process.off('SIGHUP', reopenLog)
    throw error
  }
}

/** Where the disk is full, lines are lost and the embedded database stops: both are seen from outside. */
function watchLog(metrics: Metrics, { dataFolder, log, archive }: Config, logFile: LogFile): void {
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

/** It may decide, and every switch it should be connected to has told its calls. */
function requireCallControl(watching: Watching | null, { status }: RunningCallControl): void {
  watching?.require('catalogue', () => status().isTrusted)
  watching?.require('switches', () => {
    const { switches, configuredSwitches } = status()
    return switches.filter(({ isReady }) => isReady).length >= configuredSwitches
  })
}
