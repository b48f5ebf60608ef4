import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeBooks } from '@trunkline/server/features/calls/books/check-books'
import { checkBooks } from '@trunkline/server/main/check-books'
import { moveDatabase as copyAll } from '@trunkline/server/main/transfer'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import type { Loaded } from '@trunkline/server/platform/transfer/load'
import { dataFolderOf, lockDataFolder } from './data-folder.ts'
import { hasEmbeddedDatabase } from './database.ts'
import { explain, refuseDatabaseUrl, UserError, withoutPassword } from './user-error.ts'

const USAGE = 'Usage: ./trunkline move-database --to postgres://USER:PASSWORD@HOST:PORT/NAME [--data DIR]'

/** `move-database` copies the embedded database to the operator's own PostgreSQL. The embedded database stays unchanged. */
export async function moveDatabase(args: string[]): Promise<void> {
  const { to, data } = readOptions(args)
  if (!hasEmbeddedDatabase(data))
    throw new UserError(`There is no Trunkline database in ${data}. Choose another folder with --data.`)
  const release = await lockDataFolder(data)
  try {
    const embedded = await startEmbeddedPostgres(join(data, 'database'))
    try {
      await checkCopy(await copyAll(embedded.url, to, printTable), to)
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
      `From now on, start Trunkline with DATABASE_URL set to the address of ${withoutPassword(to)}.`,
      `The database in ${join(data, 'database')} is unchanged. Without DATABASE_URL, Trunkline still uses it.`,
      '',
    ].join('\n'),
  )
}

export const printTable = (table: string, rows: number): void => {
  if (rows > 0) process.stdout.write(`  ${table}: ${rows} rows\n`)
}

/** Each table has been compared row by row; this checks that the ledger balances. */
export async function checkCopy({ tables, rows, leftOut, profile }: Loaded, url: string): Promise<void> {
  process.stdout.write(`Copied ${rows} rows of ${tables} tables. Every table matches the original.\n`)
  for (const table of leftOut)
    process.stdout.write(
      table.startsWith('pgboss.')
        ? `Skipped: ${table}, which belongs to another version of the job queue. Emails queued there are not sent.\n`
        : `Skipped: ${table}, which is not a Trunkline table.\n`,
    )
  const report = await checkBooks(url)
  process.stdout.write(`${describeBooks(report).join('\n')}\n`)
  if (!report.isSound)
    throw new UserError('The ledger does not balance. Do not use this database until you know why.')
  if (profile === 'demo')
    process.stdout.write(
      'This is a demo database, whose account passwords are public. Production refuses it until you run "./trunkline leave-demo" on it.\n',
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
