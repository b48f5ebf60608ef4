import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { claimForProfile, type Profile, refuseOtherProfile } from './profile.ts'

const migrationsFolder = new URL('../../../db/', import.meta.url)
/** Any number will do as long as every server of the product takes the same one. */
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
      throw new Error(`Migration ${migration.name} has a number that another one has`)
  })
  return migrations
}

/** An older release must not work on what it does not know. */
export class DatabaseTooNew extends Error {}

type Options = {
  /** The database becomes this profile's, unless it is the other's: then it is refused as it is. */
  profile?: Profile
  folder?: URL
}

/**
 * Brings the database up to date: each file in a transaction of its own, in order, one server at a time.
 * A file that was applied before must not have changed since.
 */
export async function migrate(url: string, { profile, folder }: Options = {}): Promise<number> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    if (profile) await refuseOtherProfile(client, profile)
    await client.query(MIGRATIONS_TABLE)
    const applied = new Map(
      (await client.query('select number, checksum from migrations')).rows.map((row) => [
        row.number,
        row.checksum,
      ]),
    )
    const known = new Set(migrations.map(({ number }) => number))
    if ([...applied.keys()].some((number) => !known.has(number)))
      throw new DatabaseTooNew('The database was made by a newer Trunkline than this one')
    let count = 0
    for (const migration of migrations) {
      const checksum = applied.get(migration.number)
      if (checksum === migration.checksum) continue
      if (checksum !== undefined)
        throw new Error(`Migration ${migration.name} was changed after it was applied`)
      await client.query('begin')
      await client.query(migration.sql)
      await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
        migration.number,
        migration.name,
        migration.checksum,
      ])
      await client.query('commit')
      count++
    }
    if (profile) await claimForProfile(client, profile)
    return count
  } finally {
    await client.end()
  }
}
