import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestLedger } from '../../../../test/ledger.ts'
import {
  ADMIT,
  ADMIT_FREE,
  CHECK_START,
  COVER,
  DELETE_CALLS,
  LOCK,
  PROGRESS,
  SESSION,
} from './statements-store.ts'

/** Query plans are made while the tables are empty and kept while they grow, so none may use a sequential scan. */
it.each([
  ['admitting', ADMIT],
  ['admitting for nothing', ADMIT_FREE],
  ['looking at calls', CHECK_START],
  ['ringing and answering', PROGRESS],
  ['taking calls out', DELETE_CALLS],
  ['locking', LOCK],
  ['covering', COVER],
])('%s uses an index for every row, even in a new database', async (_name, statement) => {
  const { db } = await createTestLedger()
  const parameters = new Set(statement.match(/\$\d+/g)).size
  const plan = await db.connection().execute(async (session) => {
    for (const [name, value] of Object.entries(SESSION))
      await sql.raw(`set ${name} = ${value}`).execute(session)
    await sql`set plan_cache_mode = force_generic_plan`.execute(session)
    await sql.raw(`prepare kept as ${statement}`).execute(session)
    const nulls = Array(parameters).fill('null').join(', ')
    const { rows } = await sql
      .raw<{ 'QUERY PLAN': string }>(`explain execute kept(${nulls})`)
      .execute(session)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).not.toMatch(/Seq Scan on (holds|accounts|live_calls|cdrs|m\d)/)
})
