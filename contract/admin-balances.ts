import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { GivenId, IdInAddress, IdInPath, Next, page, Reason, RequestKey, SignedAmount } from './money.ts'

/** One movement on a customer's balance. */
export const StatementLine = z.object({
  id: Id,
  at: Timestamp,
  kind: z.enum([
    'top_up',
    'upgrade_purchase',
    'promo_credit',
    'adjustment',
    'refund_to_balance',
    'refund_paid_out',
    'call_settlement',
  ]),
  /** Above zero came in, below zero went out. */
  amount: z.number(),
  /** The balance after it. */
  balance: z.number(),
  reference: z.string(),
  reason: z.string().nullable(),
})
export type StatementLine = z.output<typeof StatementLine>

/** What an administrator did with money: never changed, never deleted. */
export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  by: z.object({ id: Id, username: z.string() }),
  /** Such as `payment.refund` or `balance.adjust`. */
  action: z.string(),
  /** Such as `payment 17`. */
  subject: z.string(),
  user: z.object({ id: Id, username: z.string() }).nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  reason: z.string().nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const adminBalances = {
  'POST /api/admin/balance-adjustments': {
    access: 'admin',
    summary: 'Correct a balance: above zero gives, below zero takes, never more than is available',
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
    summary: 'A customer’s balance and what moved it, newest first',
    params: IdInPath,
    query: z.strictObject(page),
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
  'GET /api/admin/audit-log': {
    access: 'admin',
    summary: 'What administrators did with money, newest first',
    query: z.strictObject({
      ...page,
      by: IdInAddress.optional(),
      user: IdInAddress.optional(),
      action: z.string().max(60).optional(),
    }),
    answer: z.object({ entries: z.array(AuditEntry), next: Next }),
  },
} as const satisfies Endpoints
