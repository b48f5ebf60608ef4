import { formatDollars, type Micros } from '@trunkline/domain/money'
import type { ReviewReason } from '@trunkline/domain/payments'
import type { Database } from '../../../platform/database.ts'
import type { Alerts } from '../../identity/alerts/service.ts'
import { readAlertSettings } from '../../identity/alerts/settings-store.ts'

export type PaymentAlerts = ReturnType<typeof createPaymentAlerts>

/** Alerts about payments, written in the transaction of the payment. */
export function createPaymentAlerts(alerts: Pick<Alerts, 'raiseWithin' | 'closeWithin'>) {
  return {
    /** `subject` identifies the credit, so each raises one alert. */
    async credited(tx: Database, { subject, userId, amountMicros, reference }: Credited): Promise<void> {
      const { large_top_up_micros: large } = await readAlertSettings(tx)
      if (large === null || amountMicros < large) return
      await alerts.raiseWithin(tx, [
        {
          kind: 'large_top_up',
          subject,
          userId,
          details: { reference },
          message: `A top-up of ${formatDollars(amountMicros)} was credited (${reference}).`,
        },
      ])
    },

    listed: (tx: Database, { reviewId, paymentId, userId, reason, amountMicros }: Listed): Promise<void> =>
      alerts.raiseWithin(tx, [
        {
          kind: 'payment_review',
          subject: `review:${reviewId}`,
          userId,
          details: { payment: paymentId, reason },
          message: `${reasons[reason]}${amountMicros === null ? '' : ` (${formatDollars(amountMicros)})`}. It waits for a decision on the review list.`,
        },
      ]),

    resolved: (tx: Database, reviewId: number, by: number): Promise<void> =>
      alerts.closeWithin(tx, { kind: 'payment_review', subjects: [`review:${reviewId}`], by }),
  }
}

type Credited = { subject: string; userId: number; amountMicros: Micros; reference: string }

type Listed = {
  reviewId: number
  paymentId: number | null
  userId: number | null
  reason: ReviewReason
  amountMicros: Micros | null
}

const reasons: Readonly<Record<ReviewReason, string>> = {
  underpaid: 'A payment brought less than was asked for',
  overpaid: 'A payment brought more than was asked for',
  late: 'A payment came after its time was over',
  refunded_after_credit: 'The provider returned a payment that was credited here',
  unmatched: 'Money came for which there is no payment here',
  unrecognised: 'The provider reported an unknown payment status',
}
