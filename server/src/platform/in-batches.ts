type Work<Row> = {
  /** The next rows after this id, in the order of their ids. */
  read: (page: { after: number; limit: number }) => Promise<readonly Row[]>
  each: (row: Row) => Promise<unknown>
  /** A row that fails does not stop the others. */
  onError: (error: unknown, row: Row) => void
}

const BATCH = 100

/** Works through all rows, a batch at a time. */
export async function inBatches<Row extends { id: number }>({
  read,
  each,
  onError,
}: Work<Row>): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await read({ after, limit: BATCH })
    for (const row of rows)
      try {
        await each(row)
      } catch (error) {
        onError(error, row)
      }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
