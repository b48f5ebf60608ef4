import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Plans } from './service.ts'

export const planEndpoints = (plans: Plans) =>
  defineHandlers({
    'GET /api/plans': () => plans.names(),

    'GET /api/admin/plans': async ({ caller }) => ({ plans: await plans.list(caller) }),

    'POST /api/plans': async ({ caller, body }) => ({ plan: await plans.create(caller, body.name) }),

    'PATCH /api/plans/:id': async ({ caller, params, body }) => ({
      plan: await plans.rename(caller, params.id, body),
    }),

    'PUT /api/plans/:id/trunks': async ({ caller, params, body }) => ({
      plan: await plans.changeTrunks(caller, params.id, body),
    }),

    'DELETE /api/plans/:id': async ({ caller, params }) => {
      await plans.remove(caller, params.id)
      return { message: ownMessages.planDeleted }
    },
  })
