import { Readable } from 'node:stream'
import pg from 'pg'

/** What of pg's connection is used here; its own types keep it to themselves. */
type Connection = pg.Connection & { query(text: string): void }

const CHUNK = 64 * 1024
/** So long may a row wait for others. */
const LONGEST_WAIT_MS = 20

export type Copy = {
  statement: string
  /** Goes before the rows, at once. */
  header: string
  timeoutMs: number
}

/**
 * The rows of a COPY ... TO STDOUT as they flow. Reads no faster than it is read from, so any number of rows passes through
 * little memory. Where pg asks a statement to handle an answer, this is that statement.
 */
class CopyOut extends Readable implements pg.Submittable {
  readonly #copy: Pick<Copy, 'statement' | 'header'>
  readonly #begun: (error: Error | null) => void
  #connection: Connection | null = null
  /** Filled from front to back: what lies before `#sent` is handed on, what lies before `#used` is gathered. */
  #gathered = Buffer.allocUnsafeSlow(CHUNK)
  #sent = 0
  #used = 0
  #flushing: NodeJS.Timeout | undefined

  constructor(copy: Pick<Copy, 'statement' | 'header'>, begun: (error: Error | null) => void) {
    super({ highWaterMark: 4 * CHUNK })
    this.#copy = copy
    this.#begun = begun
  }

  submit(connection: Connection): void {
    this.#connection = connection
    connection.once('copyOutResponse', () => {
      this.push(this.#copy.header)
      this.#begun(null)
    })
    connection.query(this.#copy.statement)
  }

  /** One row each. They are gathered: a push for each would cost more than the row. pg uses the memory of `chunk` again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#used + chunk.length > this.#gathered.length) {
      this.#flush()
      this.#gathered = Buffer.allocUnsafeSlow(Math.max(CHUNK, chunk.length))
      this.#sent = this.#used = 0
    }
    chunk.copy(this.#gathered, this.#used)
    this.#used += chunk.length
    this.#flushing ??= setTimeout(() => this.#flush(), LONGEST_WAIT_MS)
  }

  #flush(): void {
    clearTimeout(this.#flushing)
    this.#flushing = undefined
    if (this.#used === this.#sent) return
    const wantsMore = this.push(this.#gathered.subarray(this.#sent, this.#used))
    this.#sent = this.#used
    if (!wantsMore) this.#connection?.stream.pause()
  }

  override _read(): void {
    this.#connection?.stream.resume()
  }

  handleError(error: Error): void {
    this.#begun(error)
    this.destroy(error)
  }

  handleCommandComplete(): void {
    this.#flush()
    this.push(null)
    // Nothing more is read from here that would; the next statement's answer must not wait for it.
    this.#connection?.stream.resume()
  }

  handleReadyForQuery(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#flushing)
    done(error)
  }
}

/**
 * Runs a COPY on a connection of its own, so that a slow reader keeps nobody else from the database. Answers once the
 * database has begun; whatever goes wrong before that is thrown. The connection ends with the stream, by its end or because its reader has
 * gone, and the database stops with it.
 */
export async function copyOut(url: string, copy: Copy): Promise<Readable> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'trunkline export',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  await client.connect()
  await client.query(`set statement_timeout = ${copy.timeoutMs}`)
  // Without it a statement that finds nothing to send would not notice that nobody waits. Not every platform has it.
  await client.query(`set client_connection_check_interval = '2s'`).catch(() => {})
  const rows = await copyOutOn(client, copy)
  // The client hears of a connection lost in mid-flow and tells its statement; `end` on a stream that is still open hangs up.
  rows.once('close', () => client.end().catch(() => {}))
  return rows
}

/** The same on a connection that is there, and is busy with it until the stream has ended. */
export function copyOutOn(client: pg.Client, copy: Pick<Copy, 'statement' | 'header'>): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const rows = new CopyOut(copy, (error) => (error ? reject(error) : resolve(rows)))
    rows.once('error', () => {})
    client.query(rows)
  })
}
