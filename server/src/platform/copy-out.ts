import { Readable } from 'node:stream'
import type pg from 'pg'
import { createClient } from './primary.ts'

/** Internals of pg's connection that its types do not declare. */
type Connection = pg.Connection & { query(text: string): void }

const CHUNK = 64 * 1024
/** Batching window: how long a row can wait for more rows. */
const MAX_WAIT_MS = 20

export type Copy = {
  statement: string
  /** Sent before the first row. */
  header: string
  timeoutMs: number
}

/**
 * A COPY ... TO STDOUT as a readable stream and pg query object. Backpressure reaches the database, so memory stays small for any
 * number of rows.
 */
class CopyOut extends Readable implements pg.Submittable {
  readonly #copy: Pick<Copy, 'statement' | 'header'>
  readonly #begun: (error: Error | null) => void
  #connection: Connection | null = null
  /** Bytes before `#sent` are pushed, bytes up to `#used` are waiting. */
  #batch = Buffer.allocUnsafeSlow(CHUNK)
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

  /** Copies each row into a batch, because one push per row is slow. pg reuses the memory of `chunk`. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.destroyed) return
    if (this.#used + chunk.length > this.#batch.length) {
      this.#flush()
      this.#batch = Buffer.allocUnsafeSlow(Math.max(CHUNK, chunk.length))
      this.#sent = this.#used = 0
    }
    chunk.copy(this.#batch, this.#used)
    this.#used += chunk.length
    this.#flushing ??= setTimeout(() => this.#flush(), MAX_WAIT_MS)
  }

  #flush(): void {
    clearTimeout(this.#flushing)
    this.#flushing = undefined
    if (this.#used === this.#sent) return
    const wantsMore = this.push(this.#batch.subarray(this.#sent, this.#used))
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
    // A paused socket would block the answer of the next statement.
    this.#connection?.stream.resume()
  }

  handleReadyForQuery(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#flushing)
    // Discards the remaining rows, so that the connection can roll back after its reader failed.
    this.#connection?.stream.resume()
    done(error)
  }
}

/**
 * Runs a COPY on a separate connection, so a slow reader does not occupy the pool. Resolves when the database starts to send and
 * rejects on earlier errors. The connection closes when the stream ends or its reader disconnects, which also stops the query.
 */
export async function copyOut(url: string, copy: Copy): Promise<Readable> {
  const client = createClient(url, {
    application_name: 'trunkline export',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  await client.connect()
  await client.query(`set statement_timeout = ${copy.timeoutMs}`)
  // Lets the server cancel a query that sends nothing when the client is gone. Not supported on every platform.
  await client.query(`set client_connection_check_interval = '2s'`).catch(() => {})
  const rows = await copyOutOn(client, copy)
  // pg reports a lost connection to the query. `end` during a running query closes the socket.
  rows.once('close', () => client.end().catch(() => {}))
  return rows
}

/** Runs a COPY on an existing connection, which is busy until the stream ends. */
export function copyOutOn(client: pg.Client, copy: Pick<Copy, 'statement' | 'header'>): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const rows = new CopyOut(copy, (error) => (error ? reject(error) : resolve(rows)))
    rows.once('error', () => {})
    client.query(rows)
  })
}
