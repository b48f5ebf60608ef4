import { expect, it } from 'vitest'
import { createTestLedger } from '../../../../test/ledger.ts'
import { genericPlanOf } from '../../../../test/query-plan.ts'
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
  const plan = await genericPlanOf(db, statement, SESSION)
  expect(plan).not.toMatch(/Seq Scan on (holds|accounts|live_calls|cdrs|m\d)/)
})
