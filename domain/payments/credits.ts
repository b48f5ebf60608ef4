import { larger, type Micros, smaller, subtract, ZERO } from '../money/index.ts'
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

/**
 * The limit of refunds to the balance, or of external refunds. We credit in full despite a small shortfall, but never send back more
 * than was received. A received amount of null or zero is unknown, for example after a manual acceptance.
 */
export const refundLimit = (
  paidMicros: Micros,
  receivedMicros: Micros | null,
  to: 'balance' | 'paid_out',
): Micros => (to === 'paid_out' && receivedMicros ? smaller(paidMicros, receivedMicros) : paidMicros)

export type RefundDecision =
  | { readonly ok: true; readonly leftMicros: Micros }
  | {
      readonly ok: false
      readonly reason: 'amount_not_positive' | 'more_than_was_paid'
      readonly leftMicros: Micros
    }

/** All refunds of a payment together never exceed the limit. */
export function decideRefund(
  limitMicros: Micros,
  refundedMicros: Micros,
  amountMicros: Micros,
): RefundDecision {
  const leftMicros = larger(subtract(limitMicros, refundedMicros), ZERO)
  if (amountMicros <= ZERO) return { ok: false, reason: 'amount_not_positive', leftMicros }
  if (amountMicros > leftMicros) return { ok: false, reason: 'more_than_was_paid', leftMicros }
  return { ok: true, leftMicros: subtract(leftMicros, amountMicros) }
}
