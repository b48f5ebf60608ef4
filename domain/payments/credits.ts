import { type Micros, subtract, ZERO } from '../money/index.ts'
import type { ReviewReason } from './invoice.ts'

/** The ledger key for crediting an invoice, or for an administrator's credit from the review list. */
export const creditKey = (invoiceId: string, reviewed: ReviewReason | null = null): string =>
  reviewed ? `invoice:${invoiceId}:${reviewed}` : `invoice:${invoiceId}`

/** The second payment for an upgrade becomes a top-up. */
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

/** All refunds of a payment together never exceed the paid amount. */
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
