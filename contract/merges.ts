import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id } from './fields.ts'
import { GivenId, IdInAddress, IdInPath, RequestKey } from './money.ts'

/** Merging the account of a duplicate into another customer. */

/** Why two accounts cannot be merged. */
export const MergeObstacle = z.enum([
  'same_account',
  'own_account',
  'administrator',
  'merged_elsewhere',
  'target_disabled',
  'live_calls',
  'held_money',
  'open_payments',
])
export type MergeObstacle = z.output<typeof MergeObstacle>

const Party = z.object({ id: Id, username: z.string(), balance: z.number() })

export const MergePreview = z.object({
  from: Party,
  into: Party,
  /** Empty if the accounts can be merged. */
  obstacles: z.array(MergeObstacle),
  notes: z.int(),
  tickets: z.int(),
  /** Rented and reserved numbers. */
  numbers: z.int(),
  /** With their versions and the sounds of the library. A name that the target has gets the id as suffix. */
  flows: z.int(),
  sounds: z.int(),
  voicemails: z.int(),
  /** Tags that the target gets. A user has ten tags at most. */
  tags: z.array(z.string()),
  /** Trusted addresses that the target gets. */
  addresses: z.array(z.string()),
  sessions: z.int(),
  /** Stay with the old account, which links to the new one. */
  call_days: z.int(),
})
export type MergePreview = z.output<typeof MergePreview>

export const merges = {
  'GET /api/admin/users/:id/merge': {
    access: 'admin',
    summary: 'Preview a merge into another customer: what moves, and what prevents it',
    params: IdInPath,
    query: z.strictObject({ into: IdInAddress }),
    answer: MergePreview,
    refusals: ['not_found'],
  },
  'POST /api/admin/users/:id/merge': {
    access: 'admin',
    summary: 'Merge an account into another customer. It moves the balance and disables the account for good',
    needsProof: true,
    params: IdInPath,
    body: z.strictObject({
      into: GivenId,
      /** The username of the account that ends, as a confirmation. */
      confirm: z.string().trim(),
      /** The balance of the preview. The request fails if it has changed since. */
      balance: z.number(),
      request_key: RequestKey,
    }),
    answer: z.object({ moved: z.number(), message: z.string() }),
    refusals: ['not_found', 'merge_refused', 'changed_meanwhile', 'key_conflict'],
  },
} as const satisfies Endpoints
