import { ownMessages } from '@trunkline/contract/messages'
import { defineHandlers } from '../../../platform/handler.ts'
import type { Flows } from './service.ts'

export const flowEndpoints = (flows: Flows) =>
  defineHandlers({
    'GET /api/flows': async ({ caller }) => ({ flows: await flows.list(caller) }),

    'POST /api/flows': async ({ caller, body }) => ({ flow: await flows.create(caller, body) }),

    'GET /api/flows/:id': async ({ caller, params }) => ({ flow: await flows.get(caller, params.id) }),

    'PATCH /api/flows/:id': async ({ caller, params, body }) => ({
      flow: await flows.save(caller, params.id, body),
    }),

    'DELETE /api/flows/:id': async ({ caller, params }) => {
      await flows.remove(caller, params.id)
      return { message: ownMessages.flowDeleted }
    },

    'POST /api/flows/:id/publish': async ({ caller, params, body }) => ({
      flow: await flows.publish(caller, params.id, body),
    }),

    'GET /api/flows/:id/versions': async ({ caller, params }) => ({
      versions: await flows.versions(caller, params.id),
    }),

    'GET /api/flows/:id/versions/:number': async ({ caller, params }) => ({
      version: await flows.version(caller, params),
    }),

    'GET /api/flows/:id/waiting': async ({ caller, params }) => ({
      waiting: await flows.waiting(caller, params.id),
    }),

    'GET /api/queues': async ({ caller }) => ({ queues: await flows.queues(caller) }),

    'GET /api/flow-checks': ({ caller, query }) => flows.check(caller, query.numbers),
  })
