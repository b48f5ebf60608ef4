import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { PaymentKind, PaymentState } from '@trunkline/contract/payments'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { type Micros, micros, parseDollars, toWireNumber } from '@trunkline/domain/money'
import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { pageOf } from '../../platform/pages.ts'
import { listEvents, listReviewsOf } from './history-store.ts'
import { listRefundsOf } from './refunds-store.ts'
import { findPayment, listPayments, readTotals } from './store.ts'
import { viewAdminPayment, viewEvent, viewRefund, viewReview } from './view.ts'

export type PaymentAdministration = ReturnType<typeof createPaymentAdministration>

export type PaymentSearch = {
  before?: number | undefined
  limit: number
  state?: z.output<typeof PaymentState> | undefined
  kind?: z.output<typeof PaymentKind> | undefined
  user?: number | undefined
  from?: string | undefined
  to?: string | undefined
  min?: number | undefined
  max?: number | undefined
  text?: string | undefined
}

/** What administrators see of payments; what they do with them is in refunds.ts and reviews.ts. */
export function createPaymentAdministration(db: Database, clock: Clock) {
  return {
    async list(caller: Caller, search: PaymentSearch): Promise<AnswerOf<'GET /api/admin/payments'>> {
      const { from, to, min, max, limit, ...rest } = search
      const rows = await listPayments(db, everyonesData(caller), {
        ...rest,
        limit: limit + 1,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        minMicros: asked(min),
        maxMicros: asked(max),
      })
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      return { payments: shown.map((row) => viewAdminPayment(row, clock.now())), next }
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
      return {
        payment: viewAdminPayment(payment, now),
        events: events.map(viewEvent),
        refunds: refunds.map(viewRefund),
        reviews: reviews.map((review) => viewReview(review, payment, now)),
      }
    },

    async totals(caller: Caller): Promise<{ total_credit: number; count: number }> {
      const { paidMicros, payments } = await readTotals(db, everyonesData(caller))
      return { total_credit: toWireNumber(micros(paidMicros)), count: payments }
    },
  }
}

function asked(amount: number | undefined): Micros | undefined {
  if (amount === undefined) return undefined
  const parsed = parseDollars(amount)
  if (!parsed.ok) throw new Refusal('invalid_input', ownMessages.amountInvalid)
  return parsed.amountMicros
}
