import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Says something to whoever listens; nothing is kept. */
export async function notifyOfTest(db: Database, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
