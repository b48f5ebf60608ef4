import type { HandlersOf } from '../../../platform/handler.ts'
import type { SipTraces } from './service.ts'

export const sipTraceEndpoints = (traces: SipTraces): HandlersOf<'GET /api/admin/cdr/:id/messages'> => ({
  'GET /api/admin/cdr/:id/messages': async ({ caller, params }) => ({
    trace: await traces.ofCall(caller, params.id),
  }),
})
