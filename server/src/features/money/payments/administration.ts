import type { Readable } from 'node:stream'
import type { AnswerOf } from '@trunkline/contract'
import type { PaymentFilters, PaymentSums } from '@trunkline/contract/admin-payments'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { statesOf } from '@trunkline/contract/payment-states'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import { type Micros, micros, parseDollars, toWireNumber } from '@trunkline/domain/money'
import { creditKey } from '@trunkline/domain/payments'
import type { Clock } from '../../../platform/clock.ts'
import type { Exports } from '../../../platform/csv.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import type { Ledger } from '../ledger/service.ts'
import { promoKey } from '../promo-codes/service.ts'
import { fileOfPayments } from './csv-store.ts'
import type { PaymentFilter } from './filter-store.ts'
import { listEvents, listReviewsOf } from './history-store.ts'
import { refundKeys } from './refunds.ts'
import { listRefundsOf } from './refunds-store.ts'
import { reviewKeys } from './reviews.ts'
import { findPayment, listPayments, readTotals, sumPayments } from './store.ts'
import { viewAdminPayment, viewEvent, viewPosting, viewRefund, viewReview } from './view.ts'

export type PaymentAdministration = ReturnType<typeof createPaymentAdministration>

export type PaymentSearch = PaymentFilters & { before?: number | undefined; limit: number }

type Deps = { db: Database; clock: Clock; ledger: Ledger; exports: Exports }

/** Payments for administrators. Refunds and reviews have their own files. */
export function createPaymentAdministration({ db, clock, ledger, exports }: Deps) {
  return {
    async list(
      caller: Caller,
      { before, limit, ...asked }: PaymentSearch,
    ): Promise<AnswerOf<'GET /api/admin/payments'>> {
      const page = { before, limit: limit + 1 }
      const rows = await listPayments(db, everyonesData(caller), filterFrom(asked), page)
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      return { payments: shown.map((row) => viewAdminPayment(row, clock.now())), next }
    },

    async sums(caller: Caller, asked: PaymentFilters): Promise<PaymentSums> {
      const sums = await sumPayments(db, everyonesData(caller), filterFrom(asked))
      return {
        payments: sums.payments,
        amount: toWireNumber(micros(sums.amountMicros)),
        paid: toWireNumber(micros(sums.paidMicros)),
        refunded: toWireNumber(micros(sums.refundedMicros)),
        is_capped: sums.isCapped,
      }
    },

    async csv(
      caller: Caller,
      { timezone, ...asked }: PaymentFilters & { timezone: string },
    ): Promise<Readable> {
      const file = await fileOfPayments(db, everyonesData(caller), filterFrom(asked), timezone)
      return exports.begin(caller.userId, file)
    },

    async detail(caller: Caller, id: number): Promise<AnswerOf<'GET /api/admin/payments/:id'>> {
      const owner = everyonesData(caller)
      const now = clock.now()
      const payment = await findPayment(db, owner, id)
      if (!payment) throw new Refusal('not_found', ownMessages.paymentNotFound)
      const [events, refunds, reviews] = await Promise.all([
        listEvents(db, owner, id),
        listRefundsOf(db, owner, id),
        listReviewsOf(db, owner, id),
      ])
      const postings = await ledger.postingsUnder(owner, [
        creditKey(String(id)),
        ...reviews.flatMap((review) => reviewKeys(id, review)),
        ...(payment.redemption_id === null ? [] : [promoKey(payment.redemption_id)]),
        ...refunds.flatMap(refundKeys),
      ])
      return {
        payment: viewAdminPayment(payment, now),
        events: events.map(viewEvent),
        postings: postings.map(viewPosting),
        refunds: refunds.map(viewRefund),
        reviews: reviews.map((review) => viewReview(review, payment, now)),
      }
    },

    async totals(caller: Caller): Promise<{ total_credit: number; count: number }> {
      requireAdmin(caller)
      const { paidMicros, payments } = await readTotals(db)
      return { total_credit: toWireNumber(micros(paidMicros)), count: payments }
    },
  }
}

/** A contradictory state and status give an empty result. */
function filterFrom({
  state,
  status,
  from,
  to,
  min,
  max,
  refundable,
  ...rest
}: PaymentFilters): PaymentFilter {
  const ofStatus = status && statesOf(status)
  const states = state === undefined ? ofStatus : [state].filter((one) => ofStatus?.includes(one) ?? true)
  return {
    ...rest,
    states,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    minMicros: asked(min),
    maxMicros: asked(max),
    isRefundable: refundable !== undefined,
  }
}

function asked(amount: number | undefined): Micros | undefined {
  if (amount === undefined) return undefined
  const parsed = parseDollars(amount)
  if (!parsed.ok) throw new Refusal('invalid_input', ownMessages.amountInvalid)
  return parsed.amountMicros
}
