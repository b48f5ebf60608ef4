import type { HandlersOf } from '../../../platform/handler.ts'
import type { Payments } from './service.ts'

type Addresses =
  | 'POST /api/topup'
  | 'POST /api/upgrade'
  | 'GET /api/payments'
  | 'GET /api/payments/:id'
  | 'POST /api/payments/callback'

export const paymentEndpoints = (payments: Payments): HandlersOf<Addresses> => ({
  'POST /api/topup': ({ caller, body }) => payments.topUp(caller, body.amount, body.promo_code),

  'POST /api/upgrade': ({ caller }) => payments.upgrade(caller),

  'GET /api/payments': ({ caller, query }) => payments.list(caller, query),

  'GET /api/payments/:id': async ({ caller, params }) => ({ payment: await payments.get(caller, params.id) }),

  'POST /api/payments/callback': async ({ body }) => {
    await payments.handleCallback(body.raw, body.signature)
    return 'ok'
  },
})
