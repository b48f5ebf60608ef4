import type { HandlersOf } from '../../platform/handler.ts'
import type { Audit } from './service.ts'

export const auditRoutes = (audit: Audit): HandlersOf<'GET /api/admin/audit-log'> => ({
  'GET /api/admin/audit-log': ({ caller, query }) => audit.list(caller, query),
})
