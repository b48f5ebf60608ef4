import type { HandlersOf } from '../../../platform/handler.ts'
import type { Merges } from './service.ts'

type Addresses = 'GET /api/admin/users/:id/merge' | 'POST /api/admin/users/:id/merge'

export const mergeEndpoints = (merges: Merges): HandlersOf<Addresses> => ({
  'GET /api/admin/users/:id/merge': ({ caller, params, query }) =>
    merges.preview(caller, params.id, query.into),

  'POST /api/admin/users/:id/merge': ({ caller, params, body }) => merges.merge(caller, params.id, body),
})
