import type { AllUsers } from '@trunkline/domain/access'
import { CompiledQuery, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ADD_QUEUED } from './statements-store.ts'

type Batch = { most: number; isPatient: boolean }

/** Adds queued records to the figures and returns their number, or null while another process does so. */
export const addQueued = (
  db: Database,
  _scope: AllUsers,
  { most, isPatient }: Batch,
): Promise<number | null> =>
  db.transaction().execute(async (tx) => {
    if (isPatient) await sql`set local statement_timeout = 0`.execute(tx)
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('add_figures')) as locked`.execute(tx)
    if (!rows[0]?.locked) return null
    const added = await tx.executeQuery<{ count: number }>(CompiledQuery.raw(ADD_QUEUED, [most]))
    return added.rows[0]?.count ?? 0
  })

/** The number of queued records, at most `most`. */
export async function countQueued(db: Database, _scope: AllUsers, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from unsummed_calls limit ${most}) as queued`.execute(db)
  return rows[0]?.count ?? 0
}
