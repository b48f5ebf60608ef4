import { once } from 'node:events'
import type { Socket } from 'node:net'
import type pg from 'pg'

/** Internals of pg's connection that its types do not declare. */
type Connection = pg.Connection & {
  stream: Socket
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** A COPY ... FROM STDIN as a pg query object. pg calls its handlers for each message of the server. */
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
        if (this.#failure) return // the server has already reported an error
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      if (!this.#failure) connection.endCopyFrom()
    } catch (error) {
      // The source failed, so the server must discard the rows sent so far.
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

/** Runs a COPY ... FROM STDIN with backpressure. */
export function copyInOn(client: pg.Client, statement: string, rows: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, rows, (error) => (error ? reject(error) : resolve())))
  })
}
