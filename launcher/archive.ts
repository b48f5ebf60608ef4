import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveBefore, MIN_MONTHS_KEPT, monthsBefore, verifyArchives } from '@trunkline/server/main/archive'
import { dataFolderOf } from './data-folder.ts'
import { connectDatabase, hasDatabase, noDatabaseIn } from './database.ts'
import { explain, UserError } from './user-error.ts'

const USAGE = 'Usage: ./trunkline archive --to FOLDER (--before YYYY-MM | --verify) [--data DIR]'

/** `archive` moves old months of call records, audit log, alerts and payment events from the database to files. */
export async function archive(args: string[]): Promise<void> {
  const { folder, before, data } = readOptions(args)
  if (!hasDatabase(data)) throw new UserError(noDatabaseIn(data))
  const database = await connectDatabase(data)
  try {
    if (before) await writeAll(database.url, before, folder)
    else await verify(database.url, folder)
  } catch (error) {
    throw explain(error, { port: 0, databaseUrl: process.env.DATABASE_URL, data: folder })
  } finally {
    await database.close()
  }
}

async function writeAll(url: string, before: Date, folder: string): Promise<void> {
  let count = 0
  for await (const { file, rows } of archiveBefore(url, before, folder)) {
    process.stdout.write(`  ${file}: ${rows} rows\n`)
    count++
  }
  process.stdout.write(count === 0 ? 'Nothing to archive.\n' : `Wrote ${fileCount(count)} to ${folder}.\n`)
}

const fileCount = (count: number, kind = ''): string => `${count} ${kind}${count === 1 ? 'file' : 'files'}`

async function verify(url: string, folder: string): Promise<void> {
  const { count, faults } = await verifyArchives(url, folder)
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(`${fileCount(count, 'archive ')} checked, ${faults.length} damaged or missing.\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}

function readOptions(args: string[]): { folder: string; before: Date | null; data: string } {
  let values: { to?: string; before?: string; verify?: boolean; data?: string }
  try {
    const text = { type: 'string' } as const
    values = parseArgs({
      args,
      options: { to: text, before: text, verify: { type: 'boolean' }, data: text },
    }).values
  } catch {
    throw new UserError(USAGE)
  }
  const folder = values.to ?? process.env.ARCHIVE_FOLDER
  if (!folder || (values.before === undefined) !== (values.verify === true)) throw new UserError(USAGE)
  return {
    folder: resolve(folder),
    before: values.before === undefined ? null : monthFrom(values.before),
    data: dataFolderOf(values.data),
  }
}

function monthFrom(text: string): Date {
  const month = new Date(`${text}-01T00:00:00Z`)
  if (!/^\d{4}-\d\d$/.test(text) || Number.isNaN(month.getTime())) throw new UserError(USAGE)
  const latest = monthsBefore(new Date(), MIN_MONTHS_KEPT)
  if (month > latest)
    throw new UserError(
      `The last ${MIN_MONTHS_KEPT} months stay in the database. Use --before ${latest.toISOString().slice(0, 7)} or earlier.`,
    )
  return month
}
