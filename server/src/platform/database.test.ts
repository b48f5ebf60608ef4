import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { asServerOwner, createTestDatabase } from '../../test/database.ts'
import { isDatabaseUnavailable, openDatabase } from './database.ts'

async function openTestDatabase(options: { queryTimeoutMs?: number } = {}) {
  const { url, drop } = await createTestDatabase()
  const db = openDatabase({ url, poolSize: 1, onError: () => {}, ...options })
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  return db
}

it('fails the transaction, not the process, when its connection is lost', async () => {
  const db = await openTestDatabase()
  const cut = db.transaction().execute(async (handle) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(handle)
    await asServerOwner(`select pg_terminate_backend(${rows[0]?.pid}, 5000)`)
    await sql`select 1`.execute(handle)
  })
  await expect(cut).rejects.toThrow()
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(db)
  expect((await ask().catch(ask)).rows).toEqual([{ one: 1 }])
})

it('prepares a named statement once per connection', async () => {
  const db = await openTestDatabase()
  for (const n of [1, 2, 3])
    expect((await sql`/* kept */ select ${n}::integer as n`.execute(db)).rows).toEqual([{ n }])
  await sql`select ${4}::integer as n`.execute(db)
  const { rows } =
    await sql`select name, generic_plans + custom_plans as uses from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ name: 'kept', uses: 3n }])
})

it('closes the connection after a timeout and queries again on a new one', async () => {
  const db = await openTestDatabase({ queryTimeoutMs: 100 })
  const fault = await sql`select pg_sleep(600)`.execute(db).catch((error) => error)
  expect(isDatabaseUnavailable(fault)).toBe(true)
  // On a busy machine the first query on the new connection may take too long as well.
  const ask = () => sql`select 1 as one`.execute(db).then(({ rows }) => rows, String)
  await expect.poll(ask).toEqual([{ one: 1 }])
})
