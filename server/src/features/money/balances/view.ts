import type { AdminStatementLine, BalanceAdjustment } from '@trunkline/contract/admin-balances'
import type { StatementLine as LineView } from '@trunkline/contract/statements'
import { toWireNumber } from '@trunkline/domain/money'
import type { StatementLine } from '../ledger/service.ts'

/** Converts lines of statements to API answers. */

export type ChargedCall = NonNullable<LineView['call']>
export type CallsById = ReadonlyMap<string, ChargedCall>

/** Customers see neither the reason nor the administrator. */
export const viewLine = (line: StatementLine, calls: CallsById): LineView => ({
  id: Number(line.id),
  at: line.at.toISOString(),
  kind: line.kind,
  amount: toWireNumber(line.amountMicros),
  balance: toWireNumber(line.balanceAfterMicros),
  reference: line.reference,
  call: (line.kind === 'call_settlement' && calls.get(line.reference)) || null,
})

export const viewAdminLine = (line: StatementLine, calls: CallsById): AdminStatementLine => ({
  ...viewLine(line, calls),
  reason: line.reason,
  by: line.by,
})

export const viewAdjustment = (line: StatementLine): BalanceAdjustment => ({
  id: Number(line.id),
  at: line.at.toISOString(),
  user: { id: line.userId, username: line.username },
  amount: toWireNumber(line.amountMicros),
  balance: toWireNumber(line.balanceAfterMicros),
  reason: line.reason ?? '',
  by: line.by,
})
