import { defineHandlers } from '../../../platform/handler.ts'
import type { SipTraces } from './service.ts'

export const sipTraceEndpoints = (traces: SipTraces) =>
  defineHandlers({
    'GET /api/admin/cdr/:id/messages': async ({ caller, params }) => ({
      trace: await traces.ofCall(caller, params.id),
    }),
  })
