import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import { migrate, readMigrations } from '@trunkline/server/platform/migrate'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { root } from '../paths.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    preparedDatabase: string
  }
}

const run = promisify(execFile)
const CACHE = join(root, 'node_modules/.cache/test-databases')

/**
 * Puts a migrated, empty database into the folder of an embedded PostgreSQL, because creating one takes seconds of processor time.
 * Tests of the first start create their own.
 */
export async function putDatabase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run('cp', ['-a', `${inject('preparedDatabase')}/.`, folder])
}

/** Vitest calls this before the tests of a project. It creates the database if the migrations have changed. */
export default async function prepareDatabase(project: TestProject): Promise<void> {
  const key = await currentKey()
  const prepared = join(CACHE, key)
  project.provide('preparedDatabase', prepared)
  if (existsSync(prepared)) return
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
}

async function currentKey(): Promise<string> {
  const packages = await readFile(join(root, 'package-lock.json'), 'utf8')
  const checksums = (await readMigrations()).map(({ checksum }) => checksum)
  return createHash('sha256')
    .update(JSON.stringify([packages, checksums, process.getuid?.()]))
    .digest('hex')
    .slice(0, 16)
}
