import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Whether the records of calls that started then are archived. */
export async function isArchived(db: Database, startedAt: Date): Promise<boolean> {
  const { rows } = await sql`
    select from archives where source = 'cdrs' and ${startedAt} >= begins and ${startedAt} < ends limit 1`.execute(
    db,
  )
  return rows.length > 0
}
