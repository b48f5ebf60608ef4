import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

export const TEMPLATE = 'template_trunkline'

export function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Uses a separate connection. */
export async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

let owners: pg.Pool | undefined

/** Runs statements as the superuser of the test server, on connections that all tests of the worker share. */
export async function asServerOwner(statement: string): Promise<void> {
  owners ??= new pg.Pool({ connectionString: inject('postgresUrl'), allowExitOnIdle: true }).on(
    'error',
    () => {},
  )
  await owners.query(statement)
}

export type TestDatabase = { url: string; name: string; drop(): Promise<void> }

/** A database for one test: a clone of the migrated template, or empty. */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // FILE_COPY takes half the time of WAL_LOG, and tests need no crash recovery.
  await asServerOwner(`create database ${name}${migrated ? ` template ${TEMPLATE} strategy file_copy` : ''}`)
  return {
    name,
    url: withDatabaseName(inject('postgresUrl'), name),
    drop: () => asServerOwner(`drop database if exists ${name} with (force)`),
  }
}

/** An empty database and a connection to it, until the end of the test. */
export async function openEmptyDatabase(): Promise<{ url: string; client: pg.Client }> {
  const database = await createTestDatabase({ migrated: false })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  return { url: database.url, client }
}
