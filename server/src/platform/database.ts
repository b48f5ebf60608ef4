import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

// Money is int8 and stays exact; ids are int4 and stay ordinary numbers.
const INT8 = 20
pg.types.setTypeParser(INT8, BigInt)

/**
 * A statement that begins with a name in a comment is prepared once per connection under that name and planned
 * once, not each time. Kysely has no word for it.
 */
const NAMED_STATEMENT = /^\/\* (\w+) \*\//

class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg overloads `query` many times over; all but the named form pass through.
  override query(...args: any): any {
    const [text, values] = args
    const name = typeof text === 'string' ? NAMED_STATEMENT.exec(text)?.[1] : undefined
    return name ? super.query({ name, text, values }) : super.query.apply(this, args)
  }
}

/**
 * Hangs up on a server that does not answer at all: a machine that froze or lost its network says no goodbye, and whoever
 * asked it would wait for many minutes.
 */
const impatientClient = (patienceMs: number) =>
  class extends PreparingClient {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    override query(...args: any): any {
      const result = super.query(...args)
      if (!(result instanceof Promise)) return result
      const timer = setTimeout(() => this.connection.stream.destroy(), patienceMs)
      return result.finally(() => clearTimeout(timer))
    }
  }

export const STATEMENT_TIMEOUT_MS = 10_000

/**
 * Of every connection. A statement that waits longer than the client does only keeps a connection from somebody else. Set once a
 * connection is there: PgBouncer refuses to be told at its start.
 */
const SESSION = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: '30000',
}

type DatabaseOptions = {
  url: string
  poolSize: number
  onError: (error: Error) => void
  /** Of PostgreSQL, for every connection of this pool. */
  settings?: Readonly<Record<string, string>>
  /** False behind a pooler in transaction mode, where a prepared statement is not found again. */
  prepares?: boolean
  /** A server that takes longer to answer a statement is away; it has ended those that are merely slow before. */
  patienceMs?: number
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, onError, patienceMs, prepares = true } = options
  const settings = { ...SESSION, ...options.settings }
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    Client: patienceMs ? impatientClient(patienceMs) : prepares ? PreparingClient : pg.Client,
    application_name: 'trunkline',
    connectionTimeoutMillis: 5_000,
  })
  // An idle connection that the server drops is reported here and replaced by the pool; unheard it would end the process.
  pool.on('error', onError)
  // One that is dropped while a statement uses it fails that statement, and besides says so here: unheard, it would end the
  // process as well.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // Goes out before whatever the connection was opened for.
    const words = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`)
    client.query(words.join('; ')).catch(() => {})
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/** Kysely does not show the pool it works on. */
const pools = new WeakMap<Database, pg.Pool>()

/** How many connections there are at most, are busy and are idle, and how many wait for one. */
export function poolOf(db: Database): { most: number; busy: number; idle: number; waiting: number } {
  const pool = pools.get(db)
  if (!pool) return { most: 0, busy: 0, idle: 0, waiting: 0 }
  const { totalCount, idleCount, waitingCount } = pool
  return { most: pool.options.max ?? 0, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** A database that has not answered by then is away, as far as anybody is concerned who asks. */
const ANSWER_WITHIN_MS = 1_500
/** A question that was not answered keeps its connection. After so long another is put, on another one. */
const ASK_AGAIN_AFTER_MS = 10_000

type Question = { askedAt: number; answer: Promise<boolean> }
const questions = new WeakMap<Database, Question>()

/** Does the database answer, and soon? Never throws. Many who ask at once share one question. */
export async function databaseAnswers(db: Database): Promise<boolean> {
  const enough = new AbortController()
  const tooLate = pause(ANSWER_WITHIN_MS, false, { signal: enough.signal }).catch(() => false)
  const isThere = await Promise.race([questionTo(db).answer, tooLate])
  enough.abort()
  return isThere
}

function questionTo(db: Database): Question {
  const open = questions.get(db)
  if (open && performance.now() - open.askedAt < ASK_AGAIN_AFTER_MS) return open
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  const question = { askedAt: performance.now(), answer }
  questions.set(db, question)
  answer.finally(() => questions.get(db) === question && questions.delete(db))
  return question
}

/** Reads on one and the same moment and with no limit of time, for who reads everything there is. */
export const readOneMoment = <Found>(
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

const UNIQUE_VIOLATION = '23505'

export const isDuplicate = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint

const INVALID_PARAMETER = '22023'

/** What was asked for is nothing the database knows, such as a time zone. */
export const isInvalidParameter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === INVALID_PARAMETER

/** The database is away or going away, as opposed to disagreeing with a statement. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/.test(code) ||
    // 08 connection exceptions, 57P operator intervention (shutting down, starting up), 53300 too many connections.
    /^(08|57P|53300)/.test(code) ||
    // A replica that has to catch up ends what is in its way.
    /conflict with recovery/.test(error.message) ||
    /Connection terminated|timeout exceeded when trying to connect|timeout expired|not currently accepting connections/.test(
      error.message,
    )
  )
}
