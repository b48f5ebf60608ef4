import { z } from 'zod'
import { AgeBand, AgeCounts } from './age-counts.ts'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, UserRef } from './fields.ts'
import { REFERENCE_MAX, SEARCH_MAX } from './limits.ts'
import { keepUnder, ownMessages } from './messages.ts'
import { Amount, GivenId, IdInAddress, IdInPath, Next, page, Reason, RequestKey } from './money.ts'
import { DISPLAY_STATUSES } from './payment-states.ts'
import { Payment, PaymentKind, PaymentState } from './payments.ts'
import { postingKind } from './postings.ts'

const REVIEW_REASONS = [
  'underpaid',
  'overpaid',
  'late',
  'refunded_after_credit',
  'unmatched',
  'unrecognised',
] as const
export const ReviewReason = z.enum(REVIEW_REASONS)

/** A payment for administrators, with its customer and the provider's identifiers. */
export const AdminPayment = Payment.extend({
  user: UserRef,
  track_id: z.string().nullable(),
  /** Dollars received according to the provider. Null if it has not reported an amount. */
  received: z.number().nullable(),
  /** Dollars booked as paid, which is the limit for all refunds together. External refunds are also limited to `received`. */
  paid: z.number(),
  open_reviews: z.int(),
})
export type AdminPayment = z.output<typeof AdminPayment>

/** One entry of a payment's history. Entries never change. */
export const PaymentEvent = z.object({
  id: Id,
  at: Timestamp,
  /** us: our own step. callback, poll: a report of the provider. admin: a manual action. */
  source: z.enum(['us', 'callback', 'poll', 'admin']),
  /** Status in the provider's report. */
  status: z.string().nullable(),
  received: z.number().nullable(),
  /** Resulting actions as text. Empty if nothing changed. */
  outcome: z.array(z.string()),
  /** Name of the administrator for manual actions. */
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type PaymentEvent = z.output<typeof PaymentEvent>

/** A ledger posting for the payment. */
export const PaymentPosting = z.object({
  id: Id,
  at: Timestamp,
  kind: postingKind,
  /** Dollars moved between two ledger accounts. */
  amount: z.number(),
  /** Change of the customer's balance. 0 if the posting does not touch it. */
  to_balance: z.number(),
  /** Balance after the posting. */
  balance: z.number(),
  by: z.string().nullable(),
})
export type PaymentPosting = z.output<typeof PaymentPosting>

export const Refund = z.object({
  id: Id,
  payment_id: Id,
  amount: z.number(),
  to: z.enum(['balance', 'paid_out']),
  reference: z.string().nullable(),
  reason: z.string(),
  by: z.string(),
  created_at: Timestamp,
})
export type Refund = z.output<typeof Refund>

/** An item of the review list: unexpected money and the decision about it. */
export const Review = z.object({
  id: Id,
  reason: ReviewReason,
  state: z.enum(['open', 'credited', 'ignored']),
  /** Null if the provider did not report an amount. */
  amount: z.number().nullable(),
  /** Maximum amount for `credit`. */
  creditable: z.number(),
  credited: z.number(),
  /** The provider has returned the money to the payer. */
  is_returned: z.boolean(),
  payment: AdminPayment.nullable(),
  track_id: z.string().nullable(),
  order_id: z.string().nullable(),
  created_at: Timestamp,
  /** Later than `created_at` if a resolved item was reopened. */
  open_since: Timestamp,
  resolved_at: Timestamp.nullable(),
  resolved_by: z.string().nullable(),
  resolution: z.string().nullable(),
})
export type Review = z.output<typeof Review>

/** Timestamps instead of dates, because the client knows the time zone of the reader. */
const Moment = z.iso.datetime({ offset: true })
const MoneyInAddress = z.coerce.number<number>().min(0).max(1_000_000)

const filters = {
  state: PaymentState.optional(),
  /** The three display statuses of the specification. Each covers several states. */
  status: z.enum(DISPLAY_STATUSES).optional(),
  kind: PaymentKind.optional(),
  user: IdInAddress.optional(),
  /** `from` is inclusive, `to` is exclusive. */
  from: Moment.optional(),
  to: Moment.optional(),
  min: MoneyInAddress.optional(),
  max: MoneyInAddress.optional(),
  /** Prefix of an order id or username, or a complete track id or email address. */
  text: z.string().trim().max(SEARCH_MAX).optional(),
  /** Only paid payments that are not fully refunded. */
  refundable: z.literal('1').optional(),
}
export const PaymentFilters = z.strictObject(filters)
export type PaymentFilters = z.output<typeof PaymentFilters>

export const PaymentSums = z.object({
  payments: z.int(),
  /** Dollars invoiced, paid and refunded. */
  amount: z.number(),
  paid: z.number(),
  refunded: z.number(),
  /** True if the totals cover only the newest matches. */
  is_capped: z.boolean(),
})
export type PaymentSums = z.output<typeof PaymentSums>

export const adminPayments = {
  'GET /api/admin/payments': {
    access: 'admin',
    summary: 'List payments, newest first',
    query: z.strictObject({ ...page, ...filters }),
    answer: z.object({ payments: z.array(AdminPayment), next: Next }),
  },
  'GET /api/admin/payments/totals': {
    access: 'admin',
    summary:
      'Get the count and totals of matching payments. Totals cover only the newest matches when there are very many',
    query: PaymentFilters,
    answer: z.object({ totals: PaymentSums }),
  },
  'GET /api/admin/payments.csv': {
    access: 'admin',
    summary: 'Export all matching payments as CSV, newest first',
    query: z.strictObject({ ...filters, timezone: TimeZone.default('UTC') }),
    streams: 'text/csv',
    answer: z.string().meta({ description: 'A CSV line. The first line has the column names.' }),
  },
  'GET /api/admin/payments/:id': {
    access: 'admin',
    summary: 'Get a payment with its history',
    params: IdInPath,
    answer: z.object({
      payment: AdminPayment,
      events: z.array(PaymentEvent),
      postings: z.array(PaymentPosting),
      refunds: z.array(Refund),
      reviews: z.array(Review),
    }),
    refusals: ['not_found'],
  },
  'POST /api/admin/payments/:id/refunds': {
    access: 'admin',
    summary:
      'Refund a payment. Without an amount the refund is full; all refunds together never exceed the payment',
    params: IdInPath,
    body: z
      .strictObject({
        amount: Amount.optional(),
        /** paid_out: refunded externally. The amount of a top-up is then debited from the balance. */
        to: z.enum(['balance', 'paid_out']),
        reference: z.string().trim().min(1).max(REFERENCE_MAX, keepUnder(REFERENCE_MAX)).optional(),
        reason: Reason,
        request_key: RequestKey,
      })
      .refine(({ to, reference }) => to === 'balance' || reference !== undefined, {
        error: ownMessages.referenceMissing,
        path: ['reference'],
      }),
    answer: z.object({ refund: Refund, payment: AdminPayment }),
    refusals: ['not_found', 'nothing_paid', 'more_than_was_paid', 'insufficient_balance', 'key_conflict'],
  },
  'GET /api/admin/payment-reviews': {
    access: 'admin',
    summary: 'List payments that need review, newest first',
    query: z.strictObject({
      ...page,
      state: z.enum(['open', 'credited', 'ignored']).optional(),
      reason: ReviewReason.optional(),
      /** Open items that have waited this long. */
      age: AgeBand.optional(),
    }),
    answer: z.object({ reviews: z.array(Review), next: Next, open: z.int(), ages: AgeCounts }),
  },
  'POST /api/admin/payment-reviews/:id/resolve': {
    access: 'admin',
    summary:
      'Resolve a review item. Credit the customer in full (no amount) or in part, or ignore the money; both require a reason',
    params: IdInPath,
    body: z.strictObject({
      action: z.enum(['credit', 'ignore']),
      amount: Amount.optional(),
      /** The customer to credit. Required if the money matches no payment. */
      user_id: GivenId.optional(),
      reason: Reason,
    }),
    answer: z.object({ review: Review }),
    refusals: [
      'not_found',
      'review_resolved',
      'review_not_creditable',
      'more_than_was_paid',
      'review_needs_user',
    ],
  },
  'GET /api/total-payments': {
    access: 'admin',
    summary: 'Get the total of received payments in dollars, before refunds',
    answer: z.object({ total_credit: z.number() }),
  },
  'GET /api/successful-payments': {
    access: 'admin',
    summary: 'Get the number of received payments',
    answer: z.object({ count: z.int() }),
  },
} as const satisfies Endpoints
