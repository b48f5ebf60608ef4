import type { HandlersOf } from '../../../platform/handler.ts'
import type { BulkActions } from './service.ts'

type Addresses =
  | 'GET /api/admin/users/count'
  | 'POST /api/admin/bulk-actions'
  | 'GET /api/admin/bulk-actions/:id/rows'
  | 'POST /api/admin/bulk-actions/:id/apply'

export const bulkActionEndpoints = (bulk: BulkActions): HandlersOf<Addresses> => ({
  'GET /api/admin/users/count': ({ caller, query }) => bulk.count(caller, query),

  'POST /api/admin/bulk-actions': ({ caller, body }) => bulk.preview(caller, body.action, body.users),

  'GET /api/admin/bulk-actions/:id/rows': ({ caller, params, query }) => bulk.rows(caller, params.id, query),

  'POST /api/admin/bulk-actions/:id/apply': ({ caller, params, isProven }) =>
    bulk.apply(caller, params.id, isProven),
})
