import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { createClient } from './primary.ts'
import { claimForProfile, type Profile, refuseOtherProfile } from './profile.ts'

const migrationsFolder = new URL('../../../db/', import.meta.url)
/** Arbitrary, but the same in every process and release. */
export const MIGRATION_LOCK = 7_302_001

export const MIGRATIONS_TABLE = `create table if not exists migrations (
  number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`

type Migration = { number: number; name: string; sql: string; checksum: string }

export async function readMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return {
        number: Number(name.slice(0, 4)),
        name,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
  migrations.forEach((migration, index) => {
    if (migration.number === migrations[index - 1]?.number)
      throw new Error(`Migration ${migration.name} has the same number as another one`)
  })
  return migrations
}

/** The database has migrations that this release does not know. */
export class DatabaseTooNew extends Error {}

type Options = {
  /** Assigns the database to this profile. A database of the other profile is refused. */
  profile?: Profile
  folder?: URL
}

/**
 * Applies pending migrations in order, each in its own transaction, one server at a time. The lock belongs to the transaction, because
 * a session lock would leak behind a pooler. Applied files must not change.
 */
export async function migrate(url: string, { profile, folder }: Options = {}): Promise<number> {
  const migrations = await readMigrations(folder)
  const client = createClient(url, { connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let count = 0; ; count++) {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
      if (profile) await refuseOtherProfile(client, profile)
      await client.query(MIGRATIONS_TABLE)
      const next = await firstUnapplied(client, migrations)
      if (next) {
        await client.query(next.sql)
        await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
          next.number,
          next.name,
          next.checksum,
        ])
      } else if (profile) await claimForProfile(client, profile)
      await client.query('commit')
      if (!next) return count
    }
  } finally {
    await client.end()
  }
}

async function firstUnapplied(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  const { rows } = await client.query('select number, checksum from migrations')
  const applied = new Map(rows.map((row) => [row.number, row.checksum]))
  const known = new Set(migrations.map(({ number }) => number))
  if ([...applied.keys()].some((number) => !known.has(number)))
    throw new DatabaseTooNew('The database was made by a newer Trunkline than this one')
  for (const { number, name, checksum } of migrations)
    if (applied.has(number) && applied.get(number) !== checksum)
      throw new Error(`Migration ${name} was changed after it was applied`)
  return migrations.find(({ number }) => !applied.has(number))
}
