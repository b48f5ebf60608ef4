import { defineHandlers } from '../../../platform/handler.ts'
import type { BulkActions } from './service.ts'

export const bulkActionEndpoints = (bulk: BulkActions) =>
  defineHandlers({
    'GET /api/admin/users/count': ({ caller, query }) => bulk.count(caller, query),

    'POST /api/admin/bulk-actions': ({ caller, body }) => bulk.preview(caller, body.action, body.users),

    'GET /api/admin/bulk-actions/:id/rows': ({ caller, params, query }) =>
      bulk.rows(caller, params.id, query),

    'POST /api/admin/bulk-actions/:id/apply': ({ caller, params, isProven }) =>
      bulk.apply(caller, params.id, isProven),
  })
