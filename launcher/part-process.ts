import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@trunkline/server/platform/free-port'
import { root } from './paths.ts'

const MIN_BACKOFF_MS = 200
const MAX_BACKOFF_MS = 5_000
/** After this uptime the restart backoff is reset. */
const STABLE_AFTER_MS = 30_000
const STOP_TIMEOUT_MS = 10_000
/** Media ends its calls after MEDIA_STOP_SECONDS. */
const stopTimeoutMs = (environment: Record<string, string | undefined>): number =>
  STOP_TIMEOUT_MS + (Number(environment.MEDIA_STOP_SECONDS) || 0) * 1_000

/** Parts of the server that run in a process of their own. */
type Part = 'callcontrol' | 'media'
const names: Readonly<Record<Part, string>> = { callcontrol: 'Call control', media: 'Media' }

export type PartProcess = {
  /** Port of its health and metrics server; null while it is starting. */
  metricsPort(): number | null
  close(): Promise<void>
}

/**
 * Runs a part in its own process, so that slow API requests delay neither call admission nor audio. The process is restarted when it
 * exits. It ends with the launcher, because its IPC channel closes.
 */
export async function startPartProcess(
  part: Part,
  environment: Record<string, string | undefined>,
): Promise<PartProcess> {
  const hasMetrics = Boolean(environment.METRICS_PORT)
  let child: ChildProcess | null = null
  let metricsPort: number | null = null
  let isStopping = false
  let isUp = false

  /** Resolves once the part is ready. */
  async function spawn(): Promise<ChildProcess> {
    const port = hasMetrics ? await freePort() : null
    const spawned = fork(join(root, `server/src/main/${part}.ts`), [], {
      detached: true, // Ctrl-C reaches only the launcher, which stops its children in order
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...environment,
        METRICS_HOST: '127.0.0.1',
        ...(port === null ? {} : { METRICS_PORT: String(port) }),
      },
    })
    child = spawned
    await new Promise<void>((resolve, reject) => {
      spawned.once('message', () => resolve())
      spawned.once('error', reject)
      spawned.once('exit', () => reject(new Error(`${names[part]} exited during startup`)))
    })
    metricsPort = port
    isUp = true
    return spawned
  }

  async function keepRunning(running: ChildProcess): Promise<void> {
    let current: ChildProcess | null = running
    let backoff = MIN_BACKOFF_MS
    while (!isStopping) {
      const since = performance.now()
      if (current) await ended(current)
      metricsPort = null
      isUp = false
      if (isStopping) return
      if (performance.now() - since > STABLE_AFTER_MS) backoff = MIN_BACKOFF_MS
      process.stderr.write(`${names[part]} exited. Restarting in ${backoff} ms.\n`)
      await pause(backoff)
      backoff = Math.min(backoff * 2, MAX_BACKOFF_MS)
      if (isStopping) return
      current = await spawn().catch(() => null)
    }
  }

  const first = await spawn().catch((error) => {
    child?.kill('SIGKILL')
    throw error
  })
  void keepRunning(first)
  // Log rotation signals only the launcher.
  const reopenLog = () => void (isUp && child?.kill('SIGHUP'))
  process.on('SIGHUP', reopenLog)
  return {
    metricsPort: () => metricsPort,
    async close() {
      isStopping = true
      process.off('SIGHUP', reopenLog)
      const last = child
      if (!last) return
      last.kill('SIGTERM')
      const timer = setTimeout(() => last.kill('SIGKILL'), stopTimeoutMs(environment))
      await ended(last)
      clearTimeout(timer)
    },
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
