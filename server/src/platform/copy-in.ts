import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** What of pg's connection is used here; its own types keep it to themselves. */
type Connection = pg.Connection & {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** A COPY ... FROM STDIN that is fed with rows. Where pg asks a statement to handle an answer, this is that statement. */
class CopyIn implements pg.Submittable {
  readonly #statement: string
  readonly #rows: AsyncIterable<Buffer>
  readonly #settle: (error: Error | null) => void
  #failure: Error | null = null

  constructor(statement: string, rows: AsyncIterable<Buffer>, settle: (error: Error | null) => void) {
    this.#statement = statement
    this.#rows = rows
    this.#settle = settle
  }

  submit(connection: pg.Connection): void {
    ;(connection as Connection).query(this.#statement)
  }

  async handleCopyInResponse(connection: Connection): Promise<void> {
    try {
      for await (const chunk of this.#rows) {
        if (this.#failure) return // the database has said why it wants no more
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      if (!this.#failure) connection.endCopyFrom()
    } catch (error) {
      // The rows broke off: what was sent must not count.
      this.#failure ??= error as Error
      connection.sendCopyFail(this.#failure.message)
    }
  }

  handleError(error: Error): void {
    this.#failure ??= error
    this.#settle(this.#failure)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#settle(this.#failure)
  }
}

/** Runs a COPY ... FROM STDIN on a connection, no faster than the database takes it. */
export function copyInOn(client: pg.Client, statement: string, rows: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, rows, (error) => (error ? reject(error) : resolve())))
  })
}
