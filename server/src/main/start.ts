import { createApi } from '../app/api.ts'
import { type RunningCallControl, startCallControl } from '../app/call-control.ts'
import { type Config, loadConfig } from '../app/config.ts'
import { ensureDemo } from '../app/demo.ts'
import { createLogger } from '../app/logger.ts'
import { createServices } from '../app/services.ts'
import { builtWeb } from '../app/web.ts'
import { startWorker } from '../app/worker.ts'
import { systemClock } from '../platform/clock.ts'
import { migrate } from '../platform/migrate.ts'

/** The parts of the server. All run in one process by default; each can run in processes of its own. */
export const roles = ['api', 'worker', 'callcontrol'] as const
export type Role = (typeof roles)[number]

export type RunningServer = { config: Config; close(): Promise<void> }

export async function startServer(
  environment: Record<string, string | undefined>,
  wanted: readonly Role[] = roles,
): Promise<RunningServer> {
  const config = loadConfig(environment)
  const logger = createLogger(config.log)
  // A promise that a library lets go of must not take the calls and requests of others down with it.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'))
  await migrate(config.databaseUrl)
  const services = await createServices(config, systemClock, logger)
  let callControl: RunningCallControl | null = null
  try {
    if (config.profile === 'demo') await ensureDemo(services, systemClock, config.sandboxCarrier)
    if (wanted.includes('worker')) await startWorker(services)
    if (wanted.includes('callcontrol')) callControl = await startCallControl(config, systemClock, logger)
    const api = wanted.includes('api') ? createApi(config, services, logger, builtWeb) : null
    if (api) services.liveStreams.keepTime()
    await api?.listen({ port: config.port, host: config.host })
    return {
      config,
      /** Stops taking requests, lets those under way finish, then lets go of everything. */
      async close() {
        await api?.close()
        await callControl?.close()
        await services.close()
        logger.flush()
      },
    }
  } catch (error) {
    await callControl?.close().catch(() => {})
    await services.close().catch(() => {})
    throw error
  }
}
