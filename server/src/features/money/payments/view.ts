import type { AdminPayment, PaymentPosting, Refund, Review } from '@trunkline/contract/admin-payments'
import type { Payment } from '@trunkline/contract/payments'
import { type Micros, micros, toWireNumber } from '@trunkline/domain/money'
import type { StatementLine } from '../ledger/service.ts'
import { creditableMicros } from './creditable.ts'
import type { EventRow, ReviewRowWithName } from './history-store.ts'
import type { RefundRow } from './refunds-store.ts'
import type { PaymentRow } from './store.ts'

/** Converts rows to API answers. */

const dollars = (amount: bigint | null): number => toWireNumber(micros(amount ?? 0n) as Micros)
const dollarsOrNull = (amount: bigint | null): number | null => (amount === null ? null : dollars(amount))

const PAYABLE: readonly PaymentRow['state'][] = ['waiting', 'paying', 'underpaid']

const isPayable = (row: PaymentRow, now: Date): boolean =>
  PAYABLE.includes(row.state) && !row.is_credited && (row.expires_at === null || row.expires_at > now)

export const viewPayment = (row: PaymentRow, now: Date): Payment => ({
  id: row.id,
  order_id: row.order_id,
  kind: row.kind,
  amount: dollars(row.amount_micros),
  bonus: dollars(row.bonus_micros),
  promo_code: row.promo_code,
  state: row.shown_state,
  credited: dollars(row.credited_micros),
  refunded: dollars(row.refunded_micros),
  created_at: row.created_at.toISOString(),
  paid_at: row.paid_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  payment_url: isPayable(row, now) ? row.payment_url : null,
})

export const viewAdminPayment = (row: PaymentRow, now: Date): AdminPayment => ({
  ...viewPayment(row, now),
  user: { id: row.user_id, username: row.username },
  track_id: row.track_id,
  received: dollarsOrNull(row.received_micros),
  paid: dollars(row.paid_micros),
  open_reviews: row.open_reviews,
})

export const viewEvent = (row: EventRow) => ({
  id: Number(row.id),
  at: row.at.toISOString(),
  source: row.source,
  status: row.status,
  received: dollarsOrNull(row.received_micros),
  outcome: row.outcome,
  by: row.actor_name,
  note: row.note,
})

export const viewPosting = (line: StatementLine): PaymentPosting => ({
  id: Number(line.id),
  at: line.at.toISOString(),
  kind: line.kind,
  amount: toWireNumber(line.movedMicros),
  to_balance: toWireNumber(line.amountMicros),
  balance: toWireNumber(line.balanceAfterMicros),
  by: line.by,
})

export const viewRefund = (row: RefundRow): Refund => ({
  id: row.id,
  payment_id: row.invoice_id,
  amount: dollars(row.amount_micros),
  to: row.destination,
  reference: row.reference,
  reason: row.reason,
  by: row.creator_name,
  created_at: row.created_at.toISOString(),
})

export const viewReview = (row: ReviewRowWithName, payment: PaymentRow | null, now: Date): Review => ({
  id: row.id,
  reason: row.reason,
  state: row.state,
  amount: dollarsOrNull(row.amount_micros),
  creditable: row.state === 'open' ? dollars(creditableMicros(row, payment)) : 0,
  credited: dollars(row.credited_micros),
  is_returned:
    row.reason === 'refunded_after_credit' || row.returned_at !== null || payment?.state === 'refunded',
  payment: payment && viewAdminPayment(payment, now),
  track_id: row.track_id,
  order_id: row.order_id,
  created_at: row.created_at.toISOString(),
  open_since: row.open_since.toISOString(),
  resolved_at: row.resolved_at?.toISOString() ?? null,
  resolved_by: row.resolver_name,
  resolution: row.resolution,
})
