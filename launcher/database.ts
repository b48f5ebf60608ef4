import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findRunningPostgres, startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import type { Profile } from '@trunkline/server/platform/profile'
import { refuseDatabaseUrl, UserError } from './user-error.ts'

export type ReachedDatabase = { url: string; close(): Promise<void> }

export const profileOfEnvironment = (): Profile =>
  process.env.NODE_ENV === 'production' ? 'production' : 'demo'

/** The database of the portal, running or not: a command must not care. */
export async function reachDatabase(data: string): Promise<ReachedDatabase> {
  refuseNoDatabase()
  refuseDatabaseUrl('DATABASE_URL', process.env.DATABASE_URL)
  const folder = join(data, 'database')
  const url = process.env.DATABASE_URL || (await findRunningPostgres(folder))
  return url ? { url, close: async () => {} } : startEmbeddedPostgres(folder)
}

/** Production has no database in the data folder: a command that forgot which one it is for must not use or make one there. */
export function refuseNoDatabase(): void {
  if (profileOfEnvironment() === 'production' && !process.env.DATABASE_URL)
    throw new UserError(
      'DATABASE_URL is missing. In production every command needs it, with the same value as ./trunkline start.',
    )
}

/** Is there a database at all? `reachDatabase` would make an empty one. */
export function hasDatabase(data: string): boolean {
  refuseNoDatabase()
  return Boolean(process.env.DATABASE_URL) || hasEmbeddedDatabase(data)
}

export const hasEmbeddedDatabase = (data: string): boolean =>
  existsSync(join(data, 'database', 'postgres', 'PG_VERSION'))
