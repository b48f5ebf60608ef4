import { defineHandlers, Streamed } from '../../../platform/handler.ts'
import type { Audit } from './service.ts'

const asFile = { 'content-disposition': 'attachment; filename="audit_log.csv"' }

export const auditEndpoints = (audit: Audit) =>
  defineHandlers({
    'GET /api/admin/audit-log': ({ caller, query }) => audit.list(caller, query),

    'GET /api/admin/audit-log/choices': ({ caller }) => audit.choices(caller),

    'GET /api/admin/audit-log.csv': async ({ caller, query }) =>
      new Streamed(await audit.csv(caller, query), asFile),
  })
