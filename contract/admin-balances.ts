import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, UserRef } from './fields.ts'
import { GivenId, IdInAddress, IdInPath, Next, page, Reason, RequestKey, SignedAmount } from './money.ts'
import { CsvLine, movements, movementsInFile, StatementLine, statementPage } from './statements.ts'

/** A line of a statement, with the parts that only administrators see. */
export const AdminStatementLine = StatementLine.extend({
  reason: z.string().nullable(),
  /** Name of the administrator, if any. */
  by: z.string().nullable(),
})
export type AdminStatementLine = z.output<typeof AdminStatementLine>

/** A manual correction of a balance. */
export const BalanceAdjustment = z.object({
  id: Id,
  at: Timestamp,
  user: UserRef,
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
      user: UserRef,
      ...statementPage(AdminStatementLine),
    }),
    refusals: ['not_found'],
  },
  'GET /api/admin/users/:id/statement.csv': {
    access: 'admin',
    summary: 'Export all postings of a customer as CSV, newest first',
    params: IdInPath,
    query: z.strictObject(movementsInFile),
    streams: 'text/csv',
    answer: CsvLine,
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
