import type { AllUsers } from '@trunkline/domain/access'
import type { Database } from '../../../platform/database.ts'
import { beforeId, insertedId } from '../../../platform/rows.ts'

export type UserNoteRow = Awaited<ReturnType<typeof listNotes>>[number]

const notes = (db: Database) =>
  db
    .selectFrom('user_notes')
    .leftJoin('users as author', 'author.id', 'user_notes.author_id')
    .selectAll('user_notes')
    .select('author.username as author_name')

/** The notes that are not pinned, newest first. */
export const listNotes = (
  db: Database,
  _scope: AllUsers,
  userId: number,
  { before, limit }: { before?: number | undefined; limit: number },
) =>
  notes(db)
    .where('user_notes.user_id', '=', userId)
    .where('user_notes.is_pinned', '=', false)
    .where(beforeId('user_notes.id', before))
    .orderBy('user_notes.id', 'desc')
    .limit(limit)
    .execute()

export const findPinnedNote = (
  db: Database,
  _scope: AllUsers,
  userId: number,
): Promise<UserNoteRow | undefined> =>
  notes(db)
    .where('user_notes.user_id', '=', userId)
    .where('user_notes.is_pinned', '=', true)
    .executeTakeFirst()

export const findNote = (db: Database, _scope: AllUsers, id: number): Promise<UserNoteRow | undefined> =>
  notes(db).where('user_notes.id', '=', id).executeTakeFirst()

export const insertNote = (
  db: Database,
  _scope: AllUsers,
  note: { userId: number; authorId: number; body: string },
  now: Date,
): Promise<number> =>
  insertedId(
    db
      .insertInto('user_notes')
      .values({ user_id: note.userId, author_id: note.authorId, body: note.body, created_at: now })
      .returning('id'),
  )

export async function updateNote(
  db: Database,
  _scope: AllUsers,
  id: number,
  change: { body?: string; edited_at?: Date; is_pinned?: boolean },
): Promise<void> {
  await db.updateTable('user_notes').set(change).where('id', '=', id).execute()
}

export async function unpinNotes(db: Database, _scope: AllUsers, userId: number): Promise<void> {
  await db
    .updateTable('user_notes')
    .set({ is_pinned: false })
    .where('user_id', '=', userId)
    .where('is_pinned', '=', true)
    .execute()
}

export async function deleteNote(db: Database, _scope: AllUsers, id: number): Promise<void> {
  await db.deleteFrom('user_notes').where('id', '=', id).execute()
}
