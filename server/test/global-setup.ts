import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { openJobs } from '../src/platform/jobs.ts'
import { migrate } from '../src/platform/migrate.ts'
import { TEMPLATE, withDatabaseName } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** No durability is needed here; the launcher tests cover crashes. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
/** Small buffers, because creating and dropping a database scans all of them. */
const SMALL = { shared_buffers: '64MB', max_wal_size: '256MB' }

/** Each test opens several connections, and checking a password takes longer than many queries. */
const ACCESS = 'host all trunkline 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 3 * 2 ** 30
const NAME = 'trunkline-server-test-'

/** Starts one PostgreSQL for the run, with a migrated template that each test clones in a few milliseconds. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makeFolder()
  const access = join(folder, 'access')
  await writeFile(access, ACCESS)
  const settings = { ...NOT_DURABLE, ...SMALL, hba_file: access }
  const postgres = await startEmbeddedPostgres(folder, { settings })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = withDatabaseName(postgres.url, TEMPLATE)
  await migrate(template)
  const jobs = await openJobs(template, () => {}) // creates the job tables in the template
  await jobs.close()
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Uses memory if there is enough: on a disk, creating and deleting files takes half the run. */
async function makeFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  const isPlenty = Math.min(bavail * bsize, freemem()) > ENOUGH_BYTES
  if (isPlenty) await clearMemory()
  return mkdtemp(join(isPlenty ? MEMORY : tmpdir(), `${NAME}${process.pid}-`))
}

/** Removes the files of killed runs, which would occupy memory until the next boot. */
async function clearMemory(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]
    if (pid && !existsSync(`/proc/${pid}`)) await rm(join(MEMORY, name), { recursive: true, force: true })
  }
}
