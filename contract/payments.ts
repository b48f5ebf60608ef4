import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { IdInPath, Next, page, TopUpAmount } from './money.ts'
import { PAYMENT_STATES } from './payment-states.ts'
import { PromoCodeText } from './promo-codes.ts'

export const PaymentState = z.enum(PAYMENT_STATES)
export const PaymentKind = z.enum(['topup', 'upgrade'])

/** A payment for its customer. Amounts are dollars. */
export const Payment = z.object({
  id: Id,
  order_id: z.string(),
  kind: PaymentKind,
  amount: z.number(),
  /** Promo code bonus, credited with the payment. */
  bonus: z.number(),
  promo_code: z.string().nullable(),
  state: PaymentState,
  /** Amount credited to the balance, including the bonus. 0 for an upgrade. */
  credited: z.number(),
  refunded: z.number(),
  created_at: Timestamp,
  /** When the payment was booked. */
  paid_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  /** Null if the invoice can no longer be paid. */
  payment_url: z.string().nullable(),
})
export type Payment = z.output<typeof Payment>

const PaymentBegun = z.object({ payment_url: z.string(), invoice: Payment })

export const payments = {
  'POST /api/topup': {
    access: 'user',
    summary: 'Start a top-up. Send the customer to `payment_url`',
    body: z.strictObject({ amount: TopUpAmount, promo_code: PromoCodeText.optional() }),
    answer: PaymentBegun,
    refusals: [
      'payment_refused',
      'payment_not_begun',
      'promo_unknown',
      'promo_expired',
      'promo_used_up',
      'promo_already_used',
      'promo_not_for_topup',
      'promo_topup_too_small',
      'merged_account',
      'too_many_requests',
    ],
  },
  'POST /api/upgrade': {
    access: 'user',
    summary: 'Start the payment for premium. Send the customer to `payment_url`',
    body: z.strictObject({}),
    answer: PaymentBegun,
    refusals: [
      'already_premium',
      'payment_refused',
      'payment_not_begun',
      'merged_account',
      'too_many_requests',
    ],
  },
  'GET /api/payments': {
    access: 'user',
    summary: 'List your payments, newest first',
    query: z.strictObject(page),
    answer: z.object({ payments: z.array(Payment), next: Next }),
  },
  'GET /api/payments/:id': {
    access: 'user',
    summary: 'Get one of your payments',
    params: IdInPath,
    answer: z.object({ payment: Payment }),
    refusals: ['not_found'],
  },
  'POST /api/payments/callback': {
    access: 'anyone',
    summary:
      'Receive a report of the payment provider. The `HMAC` header signs the raw body; `ok` confirms that the report is committed',
    signedBy: 'hmac',
    answer: z.literal('ok'),
    refusals: ['signature_invalid'],
  },
} as const satisfies Endpoints
