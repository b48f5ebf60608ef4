import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorCode, Refusal } from '@trunkline/contract/errors'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { NoPrimary, primaryClient } from './primary.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

// Amounts are int8 and become bigint. Ids are int4 and become numbers.
const INT8 = 20
pg.types.setTypeParser(INT8, BigInt)

/**
 * A statement with a name in a leading comment is prepared under that name once per connection. Kysely does not
 * support named statements.
 */
const NAMED_STATEMENT = /^\/\* (\w+) \*\//

const preparing = (Client: typeof pg.Client): typeof pg.Client =>
  class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg has many overloads of `query`. Only the named form is changed.
    override query(...args: any): any {
      const [text, values] = args
      const name = typeof text === 'string' ? NAMED_STATEMENT.exec(text)?.[1] : undefined
      return name ? super.query({ name, text, values }) : super.query.apply(this, args)
    }
  }

/**
 * Closes the connection if the server does not answer. Without it, a query to a frozen or disconnected machine would wait
 * for many minutes.
 */
const withTimeout = (Client: typeof pg.Client, queryTimeoutMs: number): typeof pg.Client =>
  class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    override query(...args: any): any {
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      const result: any = super.query.apply(this, args)
      if (!(result instanceof Promise)) return result
      const timer = setTimeout(() => this.connection.stream.destroy(), queryTimeoutMs)
      return result.finally(() => clearTimeout(timer))
    }
  }

export const STATEMENT_TIMEOUT_MS = 10_000

/**
 * Settings of every connection. The server cancels a statement when the client stops waiting for it. Sent after connecting, because
 * PgBouncer refuses them as startup parameters.
 */
const SESSION = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  // Debian's PostgreSQL compiles statements with a high estimated cost. That takes seconds on a busy machine.
  jit: 'off',
  idle_in_transaction_session_timeout: '30000',
}

type DatabaseOptions = {
  url: string
  poolSize: number
  onError: (error: Error) => void
  /** PostgreSQL settings for every connection of this pool. */
  settings?: Readonly<Record<string, string>>
  /** False behind a pooler in transaction mode, which does not support prepared statements. */
  prepares?: boolean
  /** Time without an answer until the connection is closed. Longer than the statement timeout of the server. */
  queryTimeoutMs?: number
  /** Time to wait for a connection of the pool, free or new. */
  connectTimeoutMs?: number
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, onError, queryTimeoutMs, prepares = true, connectTimeoutMs = 5_000 } = options
  const settings = { ...SESSION, ...options.settings }
  const plain = primaryClient(url)
  const usual = prepares ? preparing(plain) : plain
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    Client: queryTimeoutMs ? withTimeout(preparing(plain), queryTimeoutMs) : usual,
    application_name: 'trunkline',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  // The pool reports lost idle connections here. Without a handler the process would exit.
  pool.on('error', onError)
  // A connection that is lost during a query emits an error too. Without a handler the process would exit.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Runs before the first query of the connection.
    const words = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`)
    client.query(words.join('; ')).catch(() => {})
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/** Kysely does not expose its pool. */
const pools = new WeakMap<Database, pg.Pool>()

export function poolOf(db: Database): { size: number; busy: number; idle: number; waiting: number } {
  const pool = pools.get(db)
  if (!pool) return { size: 0, busy: 0, idle: 0, waiting: 0 }
  const { totalCount, idleCount, waitingCount } = pool
  return { size: pool.options.max ?? 0, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

const CHECK_TIMEOUT_MS = 1_500
/** An unanswered check keeps its connection. After this time, a new check uses another one. */
const RECHECK_AFTER_MS = 10_000

type Question = { askedAt: number; answer: Promise<boolean> }
const questions = new WeakMap<Database, Question>()

/** Checks whether the database answers in time. Never throws. Concurrent callers share one check. */
export async function databaseAnswers(db: Database): Promise<boolean> {
  const enough = new AbortController()
  const tooLate = pause(CHECK_TIMEOUT_MS, false, { signal: enough.signal }).catch(() => false)
  const isThere = await Promise.race([questionTo(db).answer, tooLate])
  enough.abort()
  return isThere
}

function questionTo(db: Database): Question {
  const open = questions.get(db)
  if (open && performance.now() - open.askedAt < RECHECK_AFTER_MS) return open
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  const question = { askedAt: performance.now(), answer }
  questions.set(db, question)
  answer.finally(() => questions.get(db) === question && questions.delete(db))
  return question
}

/** Reads from one snapshot without a statement timeout, for jobs that read whole tables. */
export const readSnapshot = <Found>(
  db: Database,
  read: (snapshot: Database) => Promise<Found>,
): Promise<Found> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`set local statement_timeout = 0`.execute(snapshot)
      await sql`set local work_mem = '64MB'`.execute(snapshot)
      return read(snapshot)
    })

/** The transaction waits for the mail server, which can take longer than a transaction may usually pause. */
export async function allowSlowSending(tx: Database): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(tx)
}

const UNIQUE_VIOLATION = '23505'

export const isDuplicate = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint

/** For `catch`: maps a duplicate to an error of the form field. */
export const refuseDuplicate =
  (index: string, code: ErrorCode, field = 'name') =>
  (error: unknown): never => {
    if (!isDuplicate(error, index)) throw error
    const { message } = new Refusal(code)
    throw new Refusal(code, message, [{ field, message }])
  }

const INVALID_PARAMETER = '22023'
const CANCELED = '57014'

/** True for an invalid value in a query, such as an unknown time zone. */
export const isInvalidParameter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === INVALID_PARAMETER

/** True if the database is unreachable or shutting down. False for errors of a statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    error instanceof NoPrimary ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/.test(code) ||
    // 08 connection exceptions, 57P operator intervention (shutting down, starting up), 53300 too many connections,
    // 25006 write on a replica: the primary has changed.
    /^(08|57P|53300|25006)/.test(code) ||
    // A replica cancels queries that conflict with recovery.
    /conflict with recovery/.test(error.message) ||
    /Connection terminated|timeout exceeded when trying to connect|timeout expired|not currently accepting connections/.test(
      error.message,
    )
  )
}

/** Whether a statement took longer than its timeout. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === CANCELED
