import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** A customer is older than their first call. */
export async function backdateUser(db: Database, userId: number, at: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ created_at: at })
    .where('id', '=', userId)
    .where('created_at', '>', at)
    .execute()
}

/** Advisory lock key. */
const IMPORT_LOCK = 7_302_037

/** False while another process imports the history. The lock lasts until the end of the transaction, which may take long. */
export async function lockImport(tx: Database): Promise<boolean> {
  await sql`set local statement_timeout = 0`.execute(tx)
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(${IMPORT_LOCK}) as "isFree"`.execute(tx)
  return rows[0]?.isFree === true
}
