import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { GivenId, IdInAddress, IdInPath, Next, page, Reason, RequestKey, SignedAmount } from './money.ts'
import { POSTING_KINDS } from './posting-kinds.ts'
import { postingKind } from './postings.ts'

/** One change of a customer's balance. */
export const StatementLine = z.object({
  id: Id,
  at: Timestamp,
  kind: postingKind,
  /** Positive for credits, negative for debits. */
  amount: z.number(),
  /** Balance after this line. */
  balance: z.number(),
  reference: z.string(),
  reason: z.string().nullable(),
  /** Name of the administrator, if any. */
  by: z.string().nullable(),
})
export type StatementLine = z.output<typeof StatementLine>

/** `from` is inclusive, `to` is exclusive. */
const movements = {
  kind: z.enum([...POSTING_KINDS, 'without_calls']).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
}

/** A manual correction of a balance. */
export const BalanceAdjustment = z.object({
  id: Id,
  at: Timestamp,
  user: z.object({ id: Id, username: z.string() }),
  /** Positive for credits, negative for debits. */
  amount: z.number(),
  /** Balance after this line. */
  balance: z.number(),
  reason: z.string(),
  by: z.string().nullable(),
})
export type BalanceAdjustment = z.output<typeof BalanceAdjustment>

export const adminBalances = {
  'GET /api/admin/balance-adjustments': {
    access: 'admin',
    summary: 'List manual balance adjustments, newest first',
    query: z.strictObject({ ...page, user: IdInAddress.optional() }),
    answer: z.object({ adjustments: z.array(BalanceAdjustment), next: Next }),
  },
  'GET /api/admin/books': {
    access: 'admin',
    summary: 'Get the result of the last nightly ledger check; null before the first check',
    answer: z.object({ proof: z.object({ at: Timestamp, faults: z.int() }).nullable() }),
  },
  'POST /api/admin/balance-adjustments': {
    access: 'admin',
    summary:
      'Adjust a balance. A positive amount credits, a negative amount debits at most the available balance',
    body: z.strictObject({ user_id: GivenId, amount: SignedAmount, reason: Reason, request_key: RequestKey }),
    answer: z.object({
      user_id: Id,
      balance: z.number(),
      held: z.number(),
      available: z.number(),
    }),
    refusals: ['not_found', 'insufficient_balance', 'key_conflict'],
  },
  'GET /api/admin/users/:id/statement': {
    access: 'admin',
    summary: 'Get a customer’s balance and its postings, newest first',
    params: IdInPath,
    query: z.strictObject({ ...page, ...movements }),
    answer: z.object({
      user: z.object({ id: Id, username: z.string() }),
      balance: z.number(),
      held: z.number(),
      available: z.number(),
      lines: z.array(StatementLine),
      next: Next,
    }),
    refusals: ['not_found'],
  },
  'GET /api/admin/users/:id/statement.csv': {
    access: 'admin',
    summary: 'Export all postings of a customer as CSV, newest first',
    params: IdInPath,
    query: z.strictObject({ ...movements, timezone: TimeZone.default('UTC') }),
    streams: 'text/csv',
    answer: z.string().meta({ description: 'A CSV line. The first line has the column names.' }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
