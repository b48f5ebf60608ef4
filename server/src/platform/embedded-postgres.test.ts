import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { atEnd, forAll } from '../../test/lifetime.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An initialized data folder, shared by the tests because initdb takes seconds. */
const usedFolder = forAll(async () => {
  const folder = await newFolder()
  await (await startEmbeddedPostgres(folder)).close()
  return folder
})

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

const pidOf = async (folder: string) =>
  Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

it('keeps its data across restarts', async () => {
  const folder = usedFolder()
  const first = await startEmbeddedPostgres(folder)
  await query(first.url, 'create table kept as select 42 as answer')
  expect(await findRunningPostgres(folder)).toBe(first.url)
  await first.close()
  expect(await findRunningPostgres(folder)).toBeNull()
  const second = await startEmbeddedPostgres(folder)
  expect((await query(second.url, 'select answer from kept')).rows).toEqual([{ answer: 42 }])
  await second.close()
})

it('restarts on the same port with all committed data after it is killed', async () => {
  const folder = usedFolder()
  const postgres = await startEmbeddedPostgres(folder)
  await query(postgres.url, 'create table survived as select 42 as answer')
  const killed = await pidOf(folder)
  process.kill(killed, 'SIGKILL')
  await eventually(async () => expect(await pidOf(folder)).not.toBe(killed))
  const { rows } = await eventually(() => query(postgres.url, 'select answer from survived'))
  expect(rows).toEqual([{ answer: 42 }])
  await postgres.close()
})

it('ignores a pid file with the id of another process', async () => {
  const folder = usedFolder()
  await writeFile(join(folder, 'postgres/postmaster.pid'), `${process.pid}\n`)
  const postgres = await startEmbeddedPostgres(folder)
  expect((await query(postgres.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
  await postgres.close()
})

it.runIf(process.getuid?.() === 0)('runs for root from a folder that nobody else may enter', async () => {
  const closed = await newFolder() // readable by its owner only
  const packaged = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
  await cp(join(dirname(packaged.initdb), '..'), join(closed, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const postgres = await startEmbeddedPostgres(join(closed, 'data'), {
    binaries: { initdb: join(closed, 'native/bin/initdb'), postgres: join(closed, 'native/bin/postgres') },
  })
  expect((await query(postgres.url, 'select 1 as one')).rows).toEqual([{ one: 1 }])
  await postgres.close()
})
