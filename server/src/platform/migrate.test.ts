import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { migrate, readMigrations } from './migrate.ts'

async function emptyDatabase(): Promise<{ url: string; query: (text: string) => Promise<pg.QueryResult> }> {
  const { url, client } = await openEmptyDatabase()
  return { url, query: (text) => client.query(text) }
}

async function migrationsOf(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
  return pathToFileURL(`${folder}/`)
}

describe('migrations', () => {
  it('are applied once when several servers start at the same time', async () => {
    const { url, query } = await emptyDatabase()
    const counts = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
    const all = (await readMigrations()).length
    expect(counts.reduce((sum, count) => sum + count)).toBe(all)
    expect((await query('select from migrations')).rowCount).toBe(all)
  })

  it('roll back a failed migration completely', async () => {
    const { url, query } = await emptyDatabase()
    const folder = await migrationsOf({
      '0001_good.sql': 'create table good (id int)',
      '0002_bad.sql': 'create table half (id int); select 1/0',
    })
    await expect(migrate(url, { folder })).rejects.toThrow('division by zero')
    expect((await query(`select to_regclass('good') as good, to_regclass('half') as half`)).rows).toEqual([
      { good: 'good', half: null },
    ])
  })

  it('are refused if a file changed after it was applied', async () => {
    const { url } = await emptyDatabase()
    await migrate(url, { folder: await migrationsOf({ '0001_a.sql': 'create table a (id int)' }) })
    const changed = await migrationsOf({ '0001_a.sql': 'create table a (id bigint)' })
    await expect(migrate(url, { folder: changed })).rejects.toThrow('0001_a.sql was changed')
  })

  it('are refused if the database is from a newer release', async () => {
    const { url } = await emptyDatabase()
    await migrate(url, { folder: await migrationsOf({ '0001_a.sql': 'select 1', '0002_b.sql': 'select 2' }) })
    await expect(migrate(url, { folder: await migrationsOf({ '0001_a.sql': 'select 1' }) })).rejects.toThrow(
      'newer',
    )
    const another = await migrationsOf({ '0001_a.sql': 'select 1', '0003_c.sql': 'select 3' })
    await expect(migrate(url, { folder: another })).rejects.toThrow('newer')
  })

  it('can skip numbers but not repeat them', async () => {
    const { url } = await emptyDatabase()
    const a = { '0001_a.sql': 'create table a (id int)' }
    await migrate(url, { folder: await migrationsOf({ ...a, '0004_d.sql': 'create table d (id int)' }) })
    const filled = await migrationsOf({
      ...a,
      '0003_c.sql': 'select 3',
      '0004_d.sql': 'create table d (id int)',
    })
    expect(await migrate(url, { folder: filled })).toBe(1)
    await expect(migrate(url, { folder: await migrationsOf({ ...a, '0001_b.sql': '' }) })).rejects.toThrow(
      'another',
    )
  })
})

it('declares table types that match the migrated database', async () => {
  const { url, query } = await emptyDatabase()
  await migrate(url)
  const { rows } = await query(`
    select table_name, column_name, is_nullable = 'YES' as nullable from information_schema.columns
    where table_schema = 'public' and table_name <> 'migrations' order by table_name, column_name`)
  const files = (await readdir(new URL('.', import.meta.url))).filter((name) => name.endsWith('tables.ts'))
  const sources = files.map((name) => readFile(new URL(name, import.meta.url), 'utf8'))
  const source = (await Promise.all(sources)).join('\n')
  /** Columns that several tables share. */
  const sharedColumns = new Map(
    [...source.matchAll(/^type (\w+) = \{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => [name, body]),
  )
  const declared = [...source.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\}(?: & (\w+))?$/gm)].flatMap(
    ([, table, body = '', shared]) =>
      [...`${body}${sharedColumns.get(shared) ?? ''}`.matchAll(/^ {2,4}(\w+): (.+)$/gm)].map(
        ([, column, type = '']) => ({
          table_name: table,
          column_name: column,
          nullable: type.includes('null'),
        }),
      ),
  )
  const order = (row: { table_name?: string; column_name?: string }) => `${row.table_name}.${row.column_name}`
  const sorted = (list: typeof declared) => [...list].sort((a, b) => (order(a) < order(b) ? -1 : 1))
  expect(sorted(declared)).toEqual(sorted(rows))
})

it('reads every migration file in numeric order', async () => {
  const names = await readdir(new URL('../../../db/', import.meta.url))
  expect((await readMigrations()).map(({ name }) => name)).toEqual(
    names.filter((name) => name.endsWith('.sql')).sort(),
  )
})
