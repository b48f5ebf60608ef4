import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Trunks } from './service.ts'
import type { TrunkTests } from './tests.ts'

export const trunkEndpoints = (trunks: Trunks, tests: TrunkTests) =>
  defineHandlers({
    'GET /api/trunks': async ({ caller }) => ({ trunks: await trunks.list(caller) }),

    'POST /api/trunks': async ({ caller, body }) => ({ trunk: await trunks.create(caller, body) }),

    'PATCH /api/trunks/:id': async ({ caller, params, body }) => ({
      trunk: await trunks.update(caller, params.id, body),
    }),

    'DELETE /api/trunks/:id': async ({ caller, params }) => {
      await trunks.remove(caller, params.id)
      return { message: ownMessages.trunkDeleted }
    },

    'PATCH /api/trunks/:id/primary': async ({ caller, params }) => ({
      trunk: await trunks.makePrimary(caller, params.id),
    }),

    'POST /api/trunks/:id/test': async ({ caller, params }) => ({
      test: await tests.test(caller, params.id),
    }),

    'PUT /api/trunks/order': async ({ caller, body }) => {
      await trunks.putInOrder(caller, body.trunks)
      return { trunks: await trunks.list(caller) }
    },

    'GET /api/admin/trunk-figures': async ({ caller }) => ({ figures: await trunks.figures(caller) }),

    'PUT /api/trunks/:id/rates': async ({ caller, params, body }) => ({
      rates: await trunks.replaceRates(caller, params.id, body.rates),
    }),
  })
