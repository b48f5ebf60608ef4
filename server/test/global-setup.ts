import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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

/** Nothing here has to outlive the run; what must survive a kill is tried on whole portals (launcher tests). */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** One real PostgreSQL for the run, with a migrated template that each test clones in a few milliseconds. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-server-test-'))
  const postgres = await startEmbeddedPostgres(folder, { settings: NOT_DURABLE })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = withDatabaseName(postgres.url, TEMPLATE)
  await migrate(template)
  const jobs = await openJobs(template, () => {}) // so that clones find the job tables made
  await jobs.close()
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.close()
    await rm(folder, { recursive: true, force: true })
  }
}
