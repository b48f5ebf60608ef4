import { defineHandlers } from '../../../platform/handler.ts'
import type { Merges } from './service.ts'

export const mergeEndpoints = (merges: Merges) =>
  defineHandlers({
    'GET /api/admin/users/:id/merge': ({ caller, params, query }) =>
      merges.preview(caller, params.id, query.into),

    'POST /api/admin/users/:id/merge': ({ caller, params, body }) => merges.merge(caller, params.id, body),
  })
