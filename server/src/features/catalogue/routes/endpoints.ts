import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Routes } from './service.ts'

export const routeEndpoints = (routes: Routes) =>
  defineHandlers({
    'GET /api/routes': ({ caller, query }) => routes.list(caller, query),

    'GET /api/routes/:id': async ({ caller, params }) => ({ route: await routes.show(caller, params.id) }),

    'POST /api/routes': async ({ caller, body }) => ({ route: await routes.create(caller, body) }),

    'POST /api/routes/check': ({ caller, body }) => routes.check(caller, body),

    'PATCH /api/routes/:id': async ({ caller, params, body }) => ({
      route: await routes.update(caller, params.id, body),
    }),

    'DELETE /api/routes/:id': async ({ caller, params, query }) => {
      await routes.remove(caller, params.id, query.version)
      return { message: ownMessages.routeDeleted }
    },
  })
