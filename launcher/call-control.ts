import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@trunkline/server/platform/free-port'
import { root } from './paths.ts'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5_000
/** After so long a life the next restart is without delay again. */
const STABLE_AFTER_MS = 30_000
/** Call control ends within a second; the switch keeps what it could not tell. */
const STOP_WITHIN_MS = 10_000

export type CallControlProcess = {
  /** The port of its health and metrics; null until it has one. */
  watchedAt(): number | null
  close(): Promise<void>
}

/**
 * Runs call control as a process of its own: whatever users can make slow in the API must not delay the decision about a call. It is
 * started again when it dies, and it ends with the launcher, because its channel closes then.
 */
export async function startCallControlProcess(
  environment: Record<string, string | undefined>,
): Promise<CallControlProcess> {
  const isWatched = Boolean(environment.METRICS_PORT)
  let child: ChildProcess | null = null
  let watchedAt: number | null = null
  let isStopping = false
  let isUp = false

  /** Answers once it runs. */
  async function begin(): Promise<ChildProcess> {
    const port = isWatched ? await freePort() : null
    const begun = fork(join(root, 'server/src/main/callcontrol.ts'), [], {
      detached: true, // Ctrl-C reaches the launcher alone, which stops what it started in order
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...environment,
        METRICS_HOST: '127.0.0.1',
        ...(port === null ? {} : { METRICS_PORT: String(port) }),
      },
    })
    child = begun
    await new Promise<void>((resolve, reject) => {
      begun.once('message', () => resolve())
      begun.once('error', reject)
      begun.once('exit', () => reject(new Error('Call control ended while starting.')))
    })
    watchedAt = port
    isUp = true
    return begun
  }

  async function keepRunning(running: ChildProcess): Promise<void> {
    let current: ChildProcess | null = running
    let wait = FIRST_PAUSE_MS
    while (!isStopping) {
      const since = performance.now()
      if (current) await ended(current)
      watchedAt = null
      isUp = false
      if (isStopping) return
      if (performance.now() - since > STABLE_AFTER_MS) wait = FIRST_PAUSE_MS
      process.stderr.write('Call control ended and is started again.\n')
      await pause(wait)
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS)
      if (isStopping) return
      current = await begin().catch(() => null)
    }
  }

  const first = await begin().catch((error) => {
    child?.kill('SIGKILL')
    throw error
  })
  void keepRunning(first)
  // Log rotation tells the launcher alone.
  const reopenLog = () => void (isUp && child?.kill('SIGHUP'))
  process.on('SIGHUP', reopenLog)
  return {
    watchedAt: () => watchedAt,
    async close() {
      isStopping = true
      process.off('SIGHUP', reopenLog)
      const last = child
      if (!last) return
      last.kill('SIGTERM')
      const timer = setTimeout(() => last.kill('SIGKILL'), STOP_WITHIN_MS)
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
