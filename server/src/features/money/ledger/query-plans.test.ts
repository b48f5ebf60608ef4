import { expect, it } from 'vitest'
import { createTestLedger } from '../../../../test/ledger.ts'
import { genericPlanOf } from '../../../../test/query-plan.ts'
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
  const plan = await genericPlanOf(db, statement)
  expect(plan).toContain('Index Scan')
  expect(plan).not.toMatch(/Seq Scan on (holds|postings|entries|accounts)/)
})
