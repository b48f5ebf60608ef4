import type { PostingKind } from '@trunkline/domain/ledger'

/** Kinds of postings and their labels. Without zod, so the browser does not load a validator. */
export const POSTING_KINDS = [
  'top_up',
  'upgrade_purchase',
  'promo_credit',
  'adjustment',
  'refund_to_balance',
  'refund_paid_out',
  'call_settlement',
  'number_rent',
  'recording',
] as const satisfies readonly PostingKind[]

export const postingKinds: Readonly<Record<PostingKind, string>> = {
  top_up: 'Top-up',
  upgrade_purchase: 'Premium upgrade',
  promo_credit: 'Promo credit',
  adjustment: 'Adjustment',
  refund_to_balance: 'Refund to balance',
  refund_paid_out: 'Refund paid out',
  call_settlement: 'Call',
  number_rent: 'Number rent',
  recording: 'Recording',
}
