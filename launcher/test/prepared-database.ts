import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate, readMigrations } from '@trunkline/server/platform/migrate'
import { root } from '../paths.ts'

const run = promisify(execFile)
const CACHE = join(root, 'node_modules/.cache/test-databases')

let prepared: Promise<string> | undefined

/**
 * Puts a migrated, empty database into the folder of an embedded PostgreSQL, because creating one takes seconds of processor time.
 * Tests of the first start create their own.
 */
export async function putDatabase(folder: string): Promise<void> {
  prepared ??= prepareDatabase()
  await mkdir(folder, { recursive: true })
  await run('cp', ['-a', `${await prepared}/.`, folder])
}

/** Vitest calls this before the tests of a project. */
export default async function prepare(): Promise<void> {
  await prepareDatabase()
}

/** Creates the database if the migrations have changed. Returns its folder. */
async function prepareDatabase(): Promise<string> {
  const key = await currentKey()
  const prepared = join(CACHE, key)
  if (existsSync(prepared)) return prepared
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, `${key}-`))
  const { url, close } = await startEmbeddedPostgres(folder)
  try {
    await migrate(url)
  } finally {
    await close()
  }
  await rm(join(folder, 'postgres.log'), { force: true })
  // Another project may have prepared the same database in the meantime.
  await rename(folder, prepared).catch(() => rm(folder, { recursive: true, force: true }))
  for (const name of await readdir(CACHE))
    if (!name.startsWith(key)) await rm(join(CACHE, name), { recursive: true, force: true })
  return prepared
}

async function currentKey(): Promise<string> {
  const packages = await readFile(join(root, 'package-lock.json'), 'utf8')
  const checksums = (await readMigrations()).map(({ checksum }) => checksum)
  return createHash('sha256')
    .update(JSON.stringify([packages, checksums, process.getuid?.()]))
    .digest('hex')
    .slice(0, 16)
}
