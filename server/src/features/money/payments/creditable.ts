import { larger, type Micros, micros, subtract, TOPUP_LIMIT_MICROS, ZERO } from '@trunkline/domain/money'
import type { ReviewRow } from './history-store.ts'
import type { InvoiceRow } from './invoice-row.ts'

/**
 * The maximum credit for an item of the review list. All credits of a payment together never exceed the received amount. Money that
 * the provider returned to the payer cannot be credited.
 */
export function creditableMicros(
  review: Pick<ReviewRow, 'reason' | 'amount_micros' | 'credited_of_track' | 'returned_at'>,
  invoice: Pick<InvoiceRow, 'state' | 'amount_micros' | 'received_micros' | 'paid_micros'> | null,
): Micros {
  const isReturned = review.returned_at !== null || invoice?.state === 'refunded'
  if (review.reason === 'refunded_after_credit' || isReturned) return ZERO
  const listed = micros(review.amount_micros ?? 0n)
  if (!invoice) {
    const most = review.amount_micros === null ? TOPUP_LIMIT_MICROS : listed
    return atLeastZero(subtract(most, micros(review.credited_of_track)))
  }
  const came = larger(listed, micros(invoice.received_micros ?? 0n))
  // Without an amount (manual acceptance, unknown status), the maximum is the amount of the invoice.
  const isUntold = review.reason === 'late' || review.reason === 'unrecognised'
  const most = isUntold && came === ZERO ? micros(invoice.amount_micros) : came
  return atLeastZero(subtract(most, micros(invoice.paid_micros)))
}

const atLeastZero = (amount: Micros): Micros => larger(amount, ZERO)
