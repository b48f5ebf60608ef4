import { defineHandlers } from '../../../platform/handler.ts'
import type { CallFlows } from './service.ts'

export const callFlowEndpoints = (flows: CallFlows) =>
  defineHandlers({
    'GET /api/cdr/:id/flow': async ({ caller, params }) => ({ flow: await flows.find(caller, params.id) }),
    'GET /api/admin/cdr/:id/flow': async ({ caller, params }) => ({
      flow: await flows.findAny(caller, params.id),
    }),
  })
