import { type Micros, subtract, ZERO } from '../money/index.ts'
import type { ReviewReason } from './invoice.ts'

/** The ledger key of an invoice's money: its own credit, or what an admin credits from the review list. */
export const creditKey = (invoiceId: string, reviewed: ReviewReason | null = null): string =>
  reviewed ? `invoice:${invoiceId}:${reviewed}` : `invoice:${invoiceId}`

/** An upgrade makes premium once; paid a second time, the money is the customer's balance. */
export const creditKind = (
  purpose: 'topup' | 'upgrade',
  isAlreadyPremium: boolean,
): 'top_up' | 'upgrade_purchase' =>
  purpose === 'upgrade' && !isAlreadyPremium ? 'upgrade_purchase' : 'top_up'

export type RefundDecision =
  | { readonly ok: true; readonly leftMicros: Micros }
  | {
      readonly ok: false
      readonly reason: 'amount_not_positive' | 'more_than_was_paid'
      readonly leftMicros: Micros
    }

/** Full or part, never more than was paid, all refunds of the payment together. */
export function decideRefund(
  paidMicros: Micros,
  refundedMicros: Micros,
  amountMicros: Micros,
): RefundDecision {
  const leftMicros = subtract(paidMicros, refundedMicros)
  if (amountMicros <= ZERO) return { ok: false, reason: 'amount_not_positive', leftMicros }
  if (amountMicros > leftMicros) return { ok: false, reason: 'more_than_was_paid', leftMicros }
  return { ok: true, leftMicros: subtract(leftMicros, amountMicros) }
}
