import { join } from 'node:path'
import { digestOf } from '../../../platform/archive-file.ts'
import { connect } from '../../../platform/transfer/dump.ts'
import { archiveMonth, findMonths, listArchives, type Source, sources } from './archive-store.ts'

export type Archived = { source: Source; month: string; file: string; rows: number }

/** Newer months are not archived, because disconnected switches report calls late and payments may be disputed. */
export const MIN_MONTHS_KEPT = 2

/** The start of the month `count` months before the current one. */
export const monthsBefore = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))

/** Archives every month before the given time and yields each when done. */
export async function* archiveBefore(url: string, before: Date, folder: string): AsyncGenerator<Archived> {
  const client = await connect(url)
  try {
    for (const source of sources)
      for (const month of await findMonths(client, source, before)) {
        const { file, rows } = await archiveMonth(client, source, month, folder)
        yield { source, month: month.begins.toISOString().slice(0, 7), file, rows }
      }
  } finally {
    await client.end()
  }
}

/** Checks that every archived file exists and is unchanged; returns the faults as text. */
export async function verifyArchives(
  url: string,
  folder: string,
): Promise<{ count: number; faults: string[] }> {
  const client = await connect(url)
  try {
    const archives = await listArchives(client)
    const faults: string[] = []
    for (const { file, sha256 } of archives) {
      const found = await digestOf(join(folder, file))
      if (found === null) faults.push(`${file} is missing or cannot be read`)
      else if (found !== sha256) faults.push(`${file} is not the file that was written`)
    }
    return { count: archives.length, faults }
  } finally {
    await client.end()
  }
}
