import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'

/** Sends a notification, which is not stored. */
export async function notifyOfTest(db: Database, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db)
}
