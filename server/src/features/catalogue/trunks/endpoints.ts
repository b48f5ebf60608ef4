import { ownMessages } from '@trunkline/contract/messages'
import type { HandlersOf } from '../../../platform/handler.ts'
import type { Trunks } from './service.ts'
import type { TrunkTests } from './tests.ts'

type Addresses =
  | 'GET /api/trunks'
  | 'POST /api/trunks'
  | 'PATCH /api/trunks/:id'
  | 'DELETE /api/trunks/:id'
  | 'PATCH /api/trunks/:id/primary'
  | 'POST /api/trunks/:id/test'
  | 'PUT /api/trunks/order'
  | 'GET /api/admin/trunk-figures'
  | 'PUT /api/trunks/:id/rates'

export const trunkEndpoints = (trunks: Trunks, tests: TrunkTests): HandlersOf<Addresses> => ({
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

  'POST /api/trunks/:id/test': async ({ caller, params }) => ({ test: await tests.test(caller, params.id) }),

  'PUT /api/trunks/order': async ({ caller, body }) => {
    await trunks.putInOrder(caller, body.trunks)
    return { trunks: await trunks.list(caller) }
  },

  'GET /api/admin/trunk-figures': async ({ caller }) => ({ figures: await trunks.figures(caller) }),

  'PUT /api/trunks/:id/rates': async ({ caller, params, body }) => ({
    rates: await trunks.replaceRates(caller, params.id, body.rates),
  }),
})
