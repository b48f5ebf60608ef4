import pg from 'pg'
import { every } from './every.ts'

export type Listener = {
  /** Everything said before has been heard, if there is a connection: the database tells it before it answers. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export type ListenOptions = {
  url: string
  /** What to do with a notification, by channel. */
  channels: Readonly<Record<string, (payload: string) => void>>
  /** Called once listening has begun, and again after every gap: whatever was said meanwhile was not heard. */
  onListening: () => void
  onError: (error: Error) => void
  /** How often the connection has to prove that it is one. */
  checkEveryMs?: number
  /** A connection that has not answered by then is none. */
  answerWithinMs?: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Hears the database's notifications on a connection of its own, and comes back when that is lost. */
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

  /** What is done with the news must not cost the connection, let alone the process. */
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
    const opened = new pg.Client({
      connectionString: url,
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
    // A listener only waits: without a question now and then, a connection that has died would look like silence.
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
