import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findRunningPostgres, startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'

export type ReachedDatabase = { url: string; close(): Promise<void> }

/** The database of the portal, running or not: a command must not care. */
export async function reachDatabase(data: string): Promise<ReachedDatabase> {
  const folder = join(data, 'database')
  const url = process.env.DATABASE_URL || (await findRunningPostgres(folder))
  return url ? { url, close: async () => {} } : startEmbeddedPostgres(folder)
}

/** Is there a database at all? `reachDatabase` would make an empty one. */
export const hasDatabase = (data: string): boolean =>
  Boolean(process.env.DATABASE_URL) || hasEmbeddedDatabase(data)

export const hasEmbeddedDatabase = (data: string): boolean =>
  existsSync(join(data, 'database', 'postgres', 'PG_VERSION'))
