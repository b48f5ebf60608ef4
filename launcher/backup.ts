import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restore as loadBackup, backUp as writeBackup } from '@trunkline/server/main/transfer'
import { dataFolderOf, lockDataFolder } from './data-folder.ts'
import {
  connectDatabase,
  type DatabaseConnection,
  hasDatabase,
  noDatabaseIn,
  profileOfEnvironment,
  requireDatabaseUrl,
} from './database.ts'
import { checkCopy, printTable } from './move-database.ts'
import { explain, UserError } from './user-error.ts'

/** `backup FILE` writes a consistent snapshot of the database. */
export async function backUp(args: string[]): Promise<void> {
  const { file, data } = readOptions('backup', args)
  if (!hasDatabase(data)) throw new UserError(noDatabaseIn(data))
  await using(await connectDatabase(data), async ({ url }) => {
    const { tables, rows } = await writeBackup(url, file)
    process.stdout.write(`Backed up ${rows} rows of ${tables} tables to ${file}.\n`)
  })
}

/** `restore FILE` loads a backup into the database at DATABASE_URL, or into a new one in the data folder. */
export async function restore(args: string[]): Promise<void> {
  const { file, data } = readOptions('restore', args)
  if (!existsSync(file)) throw new UserError(`The file ${file} does not exist.`)
  requireDatabaseUrl()
  const profile = profileOfEnvironment() === 'production' ? 'production' : undefined
  const release = process.env.DATABASE_URL ? async () => {} : await lockDataFolder(data)
  try {
    await using(await connectDatabase(data), async ({ url }) =>
      checkCopy(await loadBackup(file, url, printTable, profile), url),
    )
  } finally {
    await release()
  }
}

async function using(
  database: DatabaseConnection,
  use: (database: DatabaseConnection) => Promise<void>,
): Promise<void> {
  try {
    await use(database)
  } catch (error) {
    throw explain(error, { port: 0, databaseUrl: process.env.DATABASE_URL })
  } finally {
    await database.close()
  }
}

function readOptions(command: string, args: string[]): { file: string; data: string } {
  const usage = `Usage: ./trunkline ${command} FILE [--data DIR]`
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { data: { type: 'string' } },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) throw new UserError(usage)
    return { file: resolve(file), data: dataFolderOf(values.data) }
  } catch {
    throw new UserError(usage)
  }
}
