import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import type { UserNote } from '@trunkline/contract/user-notes'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { namedUser } from '../../identity/users/named-user.ts'
import { findUserById } from '../../identity/users/store.ts'
import {
  deleteNote,
  findNote,
  findPinnedNote,
  insertNote,
  listNotes,
  type UserNoteRow,
  unpinNotes,
  updateNote,
} from './notes-store.ts'
import { lockUsers } from './store.ts'

export type UserNotes = ReturnType<typeof createUserNotes>

type NoteChange = { note?: string | undefined; is_pinned?: boolean | undefined }

/** Notes of administrators about a user. */
export function createUserNotes(db: Database, clock: Clock, audit: Audit) {
  /** Serializes changes of the notes about a user. */
  async function lockUser(tx: Database, caller: Caller, userId: number): Promise<void> {
    const users = await lockUsers(tx, everyonesData(caller), [userId])
    if (!users.has(userId)) throw new Refusal('not_found')
  }

  async function find(handle: Database, caller: Caller, id: number): Promise<UserNoteRow> {
    return requireFound(await findNote(handle, everyonesData(caller), id))
  }

  async function take(tx: Database, caller: Caller, id: number): Promise<UserNoteRow> {
    const { user_id: userId } = await find(tx, caller, id)
    await lockUser(tx, caller, userId)
    return find(tx, caller, id)
  }

  return {
    async list(
      caller: Caller,
      userId: number,
      { before, limit }: { before?: number | undefined; limit: number },
    ): Promise<AnswerOf<'GET /api/admin/users/:id/notes'>> {
      const scope = everyonesData(caller)
      requireFound(await findUserById(db, scope, userId))
      const pinned = await findPinnedNote(db, scope, userId)
      const rows = await listNotes(db, scope, userId, { before, limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      return { pinned: pinned ? view(pinned) : null, notes: shown.map(view), next }
    },

    add: (caller: Caller, userId: number, body: string): Promise<UserNote> =>
      db.transaction().execute(async (tx) => {
        await lockUser(tx, caller, userId)
        const scope = everyonesData(caller)
        const id = await insertNote(tx, scope, { userId, authorId: caller.userId, body }, clock.now())
        const row = await find(tx, caller, id)
        await audit.write(tx, caller, {
          ...auditEntry('user_note.create', row),
          before: null,
          after: { note: body },
        })
        return view(row)
      }),

    change: (caller: Caller, id: number, { note, is_pinned: isPinned }: NoteChange): Promise<UserNote> =>
      db.transaction().execute(async (tx) => {
        const scope = everyonesData(caller)
        const row = await take(tx, caller, id)
        const isEdited = note !== undefined && note !== row.body
        if (isEdited && row.author_id !== caller.userId) throw new Refusal('note_of_other')
        if (isEdited) await updateNote(tx, scope, id, { body: note, edited_at: clock.now() })
        if (isPinned !== undefined && isPinned !== row.is_pinned) {
          if (isPinned) await unpinNotes(tx, scope, row.user_id)
          await updateNote(tx, scope, id, { is_pinned: isPinned })
        }
        const changed = await find(tx, caller, id)
        const [before, after] = [stateOf(row), stateOf(changed)]
        if (before.note !== after.note || before.is_pinned !== after.is_pinned)
          await audit.write(tx, caller, { ...auditEntry('user_note.update', row), before, after })
        return view(changed)
      }),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await take(tx, caller, id)
        await deleteNote(tx, everyonesData(caller), id)
        const before = { ...stateOf(row), author: row.author_name }
        await audit.write(tx, caller, { ...auditEntry('user_note.delete', row), before, after: null })
      }),
  }
}

const stateOf = (row: UserNoteRow) => ({ note: row.body, is_pinned: row.is_pinned })

const view = (row: UserNoteRow): UserNote => ({
  id: row.id,
  author: namedUser(row.author_id, row.author_name),
  note: row.body,
  is_pinned: row.is_pinned,
  createdAt: row.created_at.toISOString(),
  editedAt: row.edited_at?.toISOString() ?? null,
})

const auditEntry = (action: string, row: UserNoteRow) => ({
  action,
  subject: `user ${row.user_id}`,
  userId: row.user_id,
})
