import type { Logger } from 'pino'
import { listenForHep } from '../adapters/hep-listener.ts'
import { createSwitchConnector } from '../adapters/switch-connection.ts'
import { type CallControl, createCallControl } from '../features/calls/callcontrol/service.ts'
import { SESSION } from '../features/calls/callcontrol/statements-store.ts'
import { createAnnouncer } from '../features/calls/live-calls/announcer.ts'
import { createTraceRecorder } from '../features/calls/sip-traces/recorder.ts'
import { createTrunkTests } from '../features/catalogue/trunks/tests.ts'
import { createAlerts } from '../features/identity/alerts/service.ts'
import { createBalanceWatch } from '../features/money/balances/balance-watch.ts'
import { createLedger } from '../features/money/ledger/service.ts'
import { parseHostPort } from '../platform/address.ts'
import { type Clock, MINUTE, SECOND } from '../platform/clock.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import type { Metrics } from '../platform/metrics.ts'
import { systemTimers } from '../platform/timers.ts'
import type { Config } from './config.ts'

export type RunningCallControl = { db: Database; status: CallControl['status']; close(): Promise<void> }

/** Starts call control with its own database pool, so a slow report cannot delay a call. */
export async function startCallControl(
  config: Config,
  clock: Clock,
  logger: Logger,
  metrics: Metrics,
): Promise<RunningCallControl> {
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePool,
    settings: SESSION,
    onError: (error) => logger.warn({ err: error }, 'call control database connection lost'),
  })
  const alerts = createAlerts(db, clock)
  const traces = startTraces(config, { db, clock, logger, metrics })
  const control = createCallControl({
    db,
    databaseUrl: config.databaseUrl,
    clock,
    timers: systemTimers,
    logger,
    metrics,
    ledger: createLedger(db, clock, createBalanceWatch(alerts)),
    announcer: createAnnouncer(db, (error) => logger.warn({ err: error }, 'failed to announce live calls')),
    alerts,
    trunkTests: createTrunkTests({ db, databaseUrl: config.databaseUrl, clock, timers: systemTimers }),
    connect: createSwitchConnector({ logger }),
    onAuthorize: (switchId, question) => traces?.recorder.authorized(switchId, question),
    settings: {
      ...config.calls,
      callerIds: config.callerIds,
      realm: config.sip.realm,
      deadAfterMs: MINUTE,
    },
  })
  await control.start()
  const stopTicking = systemTimers.every(SECOND, () => control.tick())
  return {
    db,
    status: control.status,
    async close() {
      stopTicking()
      await control.close()
      await traces?.close()
      await db.destroy()
    },
  }
}

type TraceDeps = Pick<Parameters<typeof createTraceRecorder>[0], 'db' | 'clock' | 'logger' | 'metrics'>

/** Receives and stores the SIP messages of calls. Failures only cost messages. Null if the capture is off. */
function startTraces({ sipTrace }: Config, deps: TraceDeps) {
  const address = sipTrace.days > 0 && sipTrace.address ? parseHostPort(sipTrace.address) : null
  if (!address) return null
  const recorder = createTraceRecorder(deps)
  const failed = (error: unknown) => deps.logger.warn({ err: error }, 'failed to store SIP messages')
  recorder.recover().catch(failed)
  const listener = listenForHep({ ...address, logger: deps.logger, onCapture: recorder.receive })
  deps.metrics.counted(
    {
      name: 'trunkline_sip_messages_lost_total',
      help: 'Datagrams with SIP messages that the kernel dropped because this process was too slow.',
    },
    listener.lost,
  )
  const stopFlushing = systemTimers.every(SECOND, () => recorder.flush().catch(failed))
  return {
    recorder,
    async close(): Promise<void> {
      stopFlushing()
      await listener.close()
      await recorder.close().catch(failed)
    },
  }
}
