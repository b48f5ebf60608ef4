import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { countLocked, NEXT_VERSION } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type CannedReplyRow = Selectable<Tables['canned_replies']>

/** Unique index on names; see db/0033_notes_tags_and_ticket_desk.sql. */
export const CANNED_REPLY_NAME_INDEX = 'canned_replies_name'

export const listCannedReplies = (db: Database): Promise<CannedReplyRow[]> =>
  db.selectFrom('canned_replies').selectAll().orderBy(sql`lower(name)`).execute()

export const lockCannedReply = (db: Database, id: number): Promise<CannedReplyRow | undefined> =>
  db.selectFrom('canned_replies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const countForAddition = (db: Database): Promise<number> => countLocked(db, 'canned_replies')

export const insertCannedReply = (
  db: Database,
  reply: { name: string; body: string },
  now: Date,
): Promise<CannedReplyRow> =>
  db
    .insertInto('canned_replies')
    .values({ ...reply, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateCannedReply = (
  db: Database,
  id: number,
  reply: { name: string; body: string },
  now: Date,
): Promise<CannedReplyRow> =>
  db
    .updateTable('canned_replies')
    .set({ ...reply, version: NEXT_VERSION, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteCannedReply(db: Database, id: number): Promise<void> {
  await db.deleteFrom('canned_replies').where('id', '=', id).execute()
}
