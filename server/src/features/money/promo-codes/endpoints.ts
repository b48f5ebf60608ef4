import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { PromoCodeAdministration } from './administration.ts'
import type { PromoCodes } from './service.ts'

export const promoCodeEndpoints = (promoCodes: PromoCodes, administration: PromoCodeAdministration) =>
  defineHandlers({
    'POST /api/promo-codes/check': async ({ caller, body }) => ({
      offer: await promoCodes.check(caller, body.code),
    }),

    'POST /api/promo-codes/redeem': ({ caller, body, client }) =>
      promoCodes.redeem(caller, body.code, client.address),

    'GET /api/admin/promo-codes': ({ caller, query }) => administration.list(caller, query),

    'POST /api/admin/promo-codes': async ({ caller, body }) => ({
      promo_code: await administration.create(caller, body),
    }),

    'GET /api/admin/promo-codes/:id': async ({ caller, params }) => ({
      promo_code: await administration.get(caller, params.id),
    }),

    'PATCH /api/admin/promo-codes/:id': async ({ caller, params, body }) => ({
      promo_code: await administration.update(caller, params.id, body),
    }),

    'DELETE /api/admin/promo-codes/:id': async ({ caller, params }) => {
      await administration.remove(caller, params.id)
      return { message: ownMessages.promoDeleted }
    },

    'GET /api/admin/promo-codes/:id/redemptions': ({ caller, params, query }) =>
      administration.redemptions(caller, params.id, query),
  })
