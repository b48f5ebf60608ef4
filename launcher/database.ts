import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findRunningPostgres, startEmbeddedPostgres } from '@trunkline/server/platform/embedded-postgres'
import type { Profile } from '@trunkline/server/platform/profile'
import { refuseDatabaseUrl, UserError } from './user-error.ts'

export type DatabaseConnection = { url: string; close(): Promise<void> }

export const profileOfEnvironment = (): Profile =>
  process.env.NODE_ENV === 'production' ? 'production' : 'demo'

/** Connects to the portal's database; starts the embedded one if it is not running. */
export async function connectDatabase(data: string): Promise<DatabaseConnection> {
  requireDatabaseUrl()
  refuseDatabaseUrl('DATABASE_URL', process.env.DATABASE_URL)
  const folder = join(data, 'database')
  const url = process.env.DATABASE_URL || (await findRunningPostgres(folder))
  return url ? { url, close: async () => {} } : startEmbeddedPostgres(folder)
}

/** Production never uses a database in the data folder, so a missing DATABASE_URL is an error. */
export function requireDatabaseUrl(): void {
  if (profileOfEnvironment() === 'production' && !process.env.DATABASE_URL)
    throw new UserError(
      'DATABASE_URL is missing. In production, set it for every command, to the same value as for ./trunkline start.',
    )
}

/** Call this before `connectDatabase`, which creates an empty database if there is none. */
export function hasDatabase(data: string): boolean {
  requireDatabaseUrl()
  return Boolean(process.env.DATABASE_URL) || hasEmbeddedDatabase(data)
}

export const noDatabaseIn = (data: string): string =>
  `There is no Trunkline database in ${data}. Choose another folder with --data, or set DATABASE_URL.`

export const hasEmbeddedDatabase = (data: string): boolean =>
  existsSync(join(data, 'database', 'postgres', 'PG_VERSION'))
