import { z } from 'zod'
import { UserFilter } from './admin-users.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, UserRef } from './fields.ts'
import { BULK_USERS_MAX, PAGE_MAX } from './limits.ts'
import { GivenId, IdInPath, pageSize } from './money.ts'
import { Tag } from './user-notes.ts'

/** Actions on many users: a preview first, then exactly what it showed. */

export const BulkAction = z.union([
  z.strictObject({ kind: z.enum(['add_tag', 'remove_tag']), tag: Tag }),
  z.strictObject({ kind: z.literal('apply_template'), template_id: GivenId }),
  z.strictObject({ kind: z.literal('select_route'), route_id: GivenId }),
  z.strictObject({ kind: z.enum(['enable', 'disable', 'make_premium', 'end_premium']) }),
])
export type BulkAction = z.output<typeof BulkAction>

const BulkUsers = z.union([
  z.strictObject({ ids: z.array(GivenId).min(1).max(BULK_USERS_MAX) }),
  /** All users who match the filters of the list when the preview is made. */
  z.strictObject({ filter: UserFilter }),
])
export type BulkUsers = z.output<typeof BulkUsers>

export const SkipReason = z.enum([
  'unchanged',
  'own_account',
  'administrator',
  'too_many_tags',
  'premium_only',
  'merged',
])
export type SkipReason = z.output<typeof SkipReason>

const Values = z.record(z.string(), z.unknown())

export const BulkRow = z.object({
  user: UserRef,
  /** Null if the user changes. */
  skipped: SkipReason.nullable(),
  before: Values,
  after: Values,
})
export type BulkRow = z.output<typeof BulkRow>

const rows = {
  rows: z.array(BulkRow),
  /** `after` of the next page. */
  next: z.int().nullable(),
}

export const bulkActions = {
  'GET /api/admin/users/count': {
    access: 'admin',
    summary: 'Count the users who match the filters of the list',
    query: UserFilter,
    answer: z.object({ users: z.int() }),
  },
  'POST /api/admin/bulk-actions': {
    access: 'admin',
    summary: 'Preview an action on many users: who changes and how, who is skipped and why. Changes nothing',
    body: z.strictObject({ action: BulkAction, users: BulkUsers }),
    answer: z.object({ id: Id, changing: z.int(), skipped: z.int(), ...rows }),
    refusals: ['not_found', 'too_many_users'],
  },
  'GET /api/admin/bulk-actions/:id/rows': {
    access: 'admin',
    summary: 'List the users of your preview: those who change, then those who are skipped',
    params: IdInPath,
    query: z.strictObject({
      after: z.coerce.number<number>().int().min(0).default(0),
      limit: pageSize(PAGE_MAX, 50),
    }),
    answer: z.object(rows),
    refusals: ['not_found'],
  },
  'POST /api/admin/bulk-actions/:id/apply': {
    access: 'admin',
    summary: 'Apply your preview once, if no user of it changed since. Repeating returns the same answer',
    params: IdInPath,
    answer: z.object({ changed: z.int(), skipped: z.int() }),
    refusals: ['not_found', 'changed_meanwhile', 'password_needed'],
  },
} as const satisfies Endpoints
