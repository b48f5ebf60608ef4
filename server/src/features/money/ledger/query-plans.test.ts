import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestLedger } from '../../../../test/ledger.ts'
import { CLOSE_HOLDS, EXTEND_HOLDS, PLACE_HOLDS, POST, VIEW_HOLDS } from './commands-store.ts'

/** Plans are cached while tables are empty, so a sequential scan would stay when the tables grow. */
it.each([
  ['placing', PLACE_HOLDS],
  ['extending', EXTEND_HOLDS],
  ['closing', CLOSE_HOLDS],
  ['looking at holds', VIEW_HOLDS],
  ['posting', POST],
])('%s uses an index for every table, even in a new database', async (_name, statement) => {
  const { db } = await createTestLedger()
  const parameters = new Set(statement.match(/\$\d+/g)).size
  const plan = await db.connection().execute(async (session) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(session)
    await sql.raw(`prepare kept as ${statement}`).execute(session)
    const nulls = Array(parameters).fill('null').join(', ')
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`explain execute kept(${nulls})`)
      .execute(session)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Index Scan')
  expect(plan).not.toMatch(/Seq Scan on (holds|postings|entries|accounts)/)
})
