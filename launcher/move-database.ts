import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeBooks } from '@trunkline/server/features/calls/books/check-books'
import { checkBooks } from '@trunkline/server/main/check-books'
import { moveDatabase as copyAll } from '@trunkline/server/main/transfer'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import type { Loaded } from '@trunkline/server/platform/transfer/load'
import { claimDataFolder, dataFolderOf } from './data-folder.ts'
import { hasEmbeddedDatabase } from './database.ts'
import { explain, refuseDatabaseUrl, UserError, withoutPassword } from './user-error.ts'

const USAGE = 'Usage: ./trunkline move-database --to postgres://USER:PASSWORD@HOST:PORT/NAME [--data DIR]'

/** `move-database`: from the data folder to a PostgreSQL of the operator's own. What is in the folder stays as it is. */
export async function moveDatabase(args: string[]): Promise<void> {
  const { to, data } = readOptions(args)
  if (!hasEmbeddedDatabase(data)) throw new UserError(`There is no Trunkline database in ${data}.`)
  const release = await claimDataFolder(data)
  try {
    const embedded = await startEmbeddedPostgres(join(data, 'database'))
    try {
      await finish(await copyAll(embedded.url, to, tellTable), to)
    } finally {
      await embedded.close()
    }
  } catch (error) {
    throw explain(error, { port: 0, databaseUrl: to })
  } finally {
    await release()
  }
  process.stdout.write(
    [
      `From now on start Trunkline with DATABASE_URL set to the address of ${withoutPassword(to)}.`,
      `The database in ${join(data, 'database')} was left as it was; without DATABASE_URL a start would still use it.`,
      '',
    ].join('\n'),
  )
}

export const tellTable = (table: string, rows: number): void => {
  if (rows > 0) process.stdout.write(`  ${table}: ${rows} rows\n`)
}

/** The rows are there, proved one by one; now whether they make sense together. */
export async function finish({ tables, rows, leftOut, profile }: Loaded, url: string): Promise<void> {
  process.stdout.write(`${rows} rows of ${tables} tables were copied; each table holds what it held.\n`)
  for (const table of leftOut)
    process.stdout.write(
      table.startsWith('pgboss.')
        ? `Left out: ${table}, which is of another version of the job queue. Mails that waited there are not sent.\n`
        : `Left out: ${table}, which is no table of Trunkline.\n`,
    )
  const report = await checkBooks(url)
  process.stdout.write(`${describeBooks(report).join('\n')}\n`)
  if (!report.isSound) throw new UserError('Do not use it before you know why.')
  if (profile === 'demo')
    process.stdout.write(
      'It is the database of a demo, with accounts whose passwords everybody knows. Production refuses it until you run "./trunkline leave-demo" on it.\n',
    )
}

function readOptions(args: string[]): { to: string; data: string } {
  let values: { to?: string; data?: string }
  try {
    values = parseArgs({ args, options: { to: { type: 'string' }, data: { type: 'string' } } }).values
  } catch {
    throw new UserError(USAGE)
  }
  if (!/^postgres(ql)?:\/\//.test(values.to ?? '')) throw new UserError(USAGE)
  refuseDatabaseUrl('--to', values.to)
  return { to: values.to ?? '', data: dataFolderOf(values.data) }
}
