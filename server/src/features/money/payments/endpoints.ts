import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { PaymentAdministration } from './administration.ts'
import type { Refunds } from './refunds.ts'
import type { Reviews } from './reviews.ts'
import type { Payments } from './service.ts'

const asFile = { 'content-disposition': 'attachment; filename="payments.csv"' }

type Deps = {
  payments: Payments
  administration: PaymentAdministration
  refunds: Refunds
  reviews: Reviews
}

export const paymentEndpoints = ({ payments, administration, refunds, reviews }: Deps) =>
  defineHandlers({
    'POST /api/topup': ({ caller, body }) => payments.topUp(caller, body.amount, body.promo_code),

    'POST /api/upgrade': ({ caller }) => payments.upgrade(caller),

    'GET /api/payments': ({ caller, query }) => payments.list(caller, query),

    'GET /api/payments/:id': async ({ caller, params }) => ({
      payment: await payments.get(caller, params.id),
    }),

    'POST /api/payments/callback': async ({ body }) => {
      await payments.handleCallback(body.raw, body.signature)
      return 'ok'
    },

    'GET /api/admin/payments': ({ caller, query }) => administration.list(caller, query),

    'GET /api/admin/payments/totals': async ({ caller, query }) => ({
      totals: await administration.sums(caller, query),
    }),

    'GET /api/admin/payments.csv': async ({ caller, query }) =>
      new Streamed(await administration.csv(caller, query), asFile),

    'GET /api/admin/payments/:id': ({ caller, params }) => administration.detail(caller, params.id),

    'POST /api/admin/payments/:id/refunds': ({ caller, params, body }) =>
      refunds.refund(caller, params.id, body),

    'GET /api/admin/payment-reviews': ({ caller, query }) => reviews.list(caller, query),

    'POST /api/admin/payment-reviews/:id/resolve': ({ caller, params, body }) =>
      reviews.resolve(caller, params.id, body),

    'GET /api/total-payments': async ({ caller }) => ({
      total_credit: (await administration.totals(caller)).total_credit,
    }),

    'GET /api/successful-payments': async ({ caller }) => ({
      count: (await administration.totals(caller)).count,
    }),
  })
