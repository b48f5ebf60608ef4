import pg from 'pg'
import { every } from './every.ts'
import { createClient } from './primary.ts'

export type Listener = {
  /** Resolves when all earlier notifications are handled. PostgreSQL delivers them before the answer to a query. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export type ListenOptions = {
  url: string
  /** Handlers by channel. */
  channels: Readonly<Record<string, (payload: string) => void>>
  /** Called after the first connection and after every reconnection. Notifications in between are lost. */
  onListening: () => void
  onError: (error: Error) => void
  /** Interval of health checks. */
  checkEveryMs?: number
  /** Timeout of a health check. */
  answerWithinMs?: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000

/** Receives notifications of PostgreSQL on a separate connection and reconnects when it is lost. */
export function listen({
  url,
  channels,
  onListening,
  onError,
  checkEveryMs = 10_000,
  answerWithinMs = 5_000,
}: ListenOptions): Listener {
  let client: pg.Client | null = null
  let isClosed = false
  let pauseMs = FIRST_PAUSE_MS
  let retry: NodeJS.Timeout | undefined
  let check: { stop(): void } | undefined

  /** A failing handler must not close the connection or end the process. */
  function safely(step: () => void): void {
    try {
      if (!isClosed) step()
    } catch (error) {
      onError(error as Error)
    }
  }

  function lost(failed: pg.Client, error?: Error): void {
    if (client !== failed) return
    client = null
    check?.stop()
    failed.end().catch(() => {})
    if (isClosed) return
    if (error) onError(error)
    retry = setTimeout(connect, pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  async function connect(): Promise<void> {
    const opened = createClient(url, {
      application_name: 'trunkline listener',
      keepAlive: true,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    })
    client = opened
    opened.on('error', (error) => lost(opened, error))
    opened.on('end', () => lost(opened))
    opened.on('notification', ({ channel, payload }) => safely(() => channels[channel]?.(payload ?? '')))
    try {
      await opened.connect()
      await opened.query(
        Object.keys(channels)
          .map((channel) => `listen ${pg.escapeIdentifier(channel)}`)
          .join('; '),
      )
    } catch (error) {
      return lost(opened, error as Error)
    }
    if (client !== opened) return
    pauseMs = FIRST_PAUSE_MS
    // A listener sends nothing itself, so only a regular query detects a dead connection.
    check = every(
      checkEveryMs,
      async () => void (await opened.query('select 1')),
      (error) => lost(opened, error as Error),
    )
    safely(onListening)
  }
  connect()

  return {
    async caughtUp() {
      await client?.query('select 1').catch(() => {})
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      check?.stop()
      await client?.end().catch(() => {})
    },
  }
}
