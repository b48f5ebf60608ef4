import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { filled, Id, Message, Timestamp, UserRef } from './fields.ts'
import { USER_NOTE_MAX, USER_TAG_MAX, USER_TAG_PATTERN } from './limits.ts'
import { ownMessages } from './messages.ts'
import { IdInPath, Next, page } from './money.ts'

/** Notes and tags of users, for administrators only. */

export const UserNote = z.object({
  id: Id,
  /** Null if the account of the author was deleted. */
  author: UserRef.nullable(),
  note: z.string(),
  is_pinned: z.boolean(),
  createdAt: Timestamp,
  /** Null if the text was never edited. */
  editedAt: Timestamp.nullable(),
})
export type UserNote = z.output<typeof UserNote>

export const Tag = z
  .string({ error: ownMessages.tagMissing })
  .trim()
  .min(1, { error: ownMessages.tagMissing, abort: true })
  .toLowerCase()
  .max(USER_TAG_MAX, ownMessages.tagCharacters)
  .regex(USER_TAG_PATTERN, ownMessages.tagCharacters)

const Note = filled(ownMessages.noteMissing, USER_NOTE_MAX)

const tagged = z.object({ tags: z.array(z.string()) })

export const userNotes = {
  'GET /api/admin/users/:id/notes': {
    access: 'admin',
    summary: 'List the notes about a user: the pinned one, and the others in pages, newest first',
    params: IdInPath,
    query: z.strictObject(page),
    answer: z.object({ pinned: UserNote.nullable(), notes: z.array(UserNote), next: Next }),
    refusals: ['not_found'],
  },
  'POST /api/admin/users/:id/notes': {
    access: 'admin',
    summary: 'Add a note about a user',
    params: IdInPath,
    body: z.strictObject({ note: Note }),
    answer: z.object({ note: UserNote }),
    refusals: ['not_found'],
  },
  'PATCH /api/admin/user-notes/:id': {
    access: 'admin',
    summary: 'Edit your own note, or pin or unpin any note. A user has one pinned note at most',
    params: IdInPath,
    body: z.strictObject({ note: Note, is_pinned: z.boolean() }).partial(),
    answer: z.object({ note: UserNote }),
    refusals: ['not_found', 'note_of_other'],
  },
  'DELETE /api/admin/user-notes/:id': {
    access: 'admin',
    summary: 'Delete a note',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
  'GET /api/admin/user-tags': {
    access: 'admin',
    summary: 'List the tags in use with the number of users, the most used first',
    answer: z.object({ tags: z.array(z.object({ tag: z.string(), users: z.int() })) }),
  },
  'POST /api/admin/users/:id/tags': {
    access: 'admin',
    summary: 'Add a tag to a user',
    params: IdInPath,
    body: z.strictObject({ tag: Tag }),
    answer: tagged,
    refusals: ['not_found', 'too_many_tags'],
  },
  'DELETE /api/admin/users/:id/tags': {
    access: 'admin',
    summary: 'Remove a tag from a user',
    params: IdInPath,
    query: z.strictObject({ tag: Tag }),
    answer: tagged,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
