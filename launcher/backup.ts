import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restore as loadBackup, backUp as writeBackup } from '@trunkline/server/main/transfer'
import { claimDataFolder, dataFolderOf } from './data-folder.ts'
import {
  hasDatabase,
  profileOfEnvironment,
  type ReachedDatabase,
  reachDatabase,
  refuseNoDatabase,
} from './database.ts'
import { finish, tellTable } from './move-database.ts'
import { explain, UserError } from './user-error.ts'

/** `backup FILE`: everything the database holds, as of one moment. */
export async function backUp(args: string[]): Promise<void> {
  const { file, data } = readOptions('backup', args)
  if (!hasDatabase(data)) throw new UserError(`There is no Trunkline database in ${data}.`)
  await using(await reachDatabase(data), async ({ url }) => {
    const { tables, rows } = await writeBackup(url, file)
    process.stdout.write(`${rows} rows of ${tables} tables are kept in ${file}.\n`)
  })
}

/** `restore FILE`: into the database that DATABASE_URL names, or into a new one in the data folder. */
export async function restore(args: string[]): Promise<void> {
  const { file, data } = readOptions('restore', args)
  if (!existsSync(file)) throw new UserError(`There is no file ${file}.`)
  refuseNoDatabase()
  const profile = profileOfEnvironment() === 'production' ? 'production' : undefined
  const release = process.env.DATABASE_URL ? async () => {} : await claimDataFolder(data)
  try {
    await using(await reachDatabase(data), async ({ url }) =>
      finish(await loadBackup(file, url, tellTable, profile), url),
    )
  } finally {
    await release()
  }
}

async function using(
  database: ReachedDatabase,
  use: (database: ReachedDatabase) => Promise<void>,
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
