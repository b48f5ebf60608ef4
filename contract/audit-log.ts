import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, TypedUsername } from './fields.ts'
import { IdInAddress, Next, page } from './money.ts'

const Person = z.object({ id: Id, username: z.string() })

/** What an administrator did: never changed, never deleted. */
export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  by: Person,
  /** Such as `payment.refund` or `balance.adjust`. */
  action: z.string(),
  /** Such as `payment 17`. */
  subject: z.string(),
  user: Person.nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  reason: z.string().nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

/** Moments, not days: the screen turns a day into its first moment in the reader's time zone. */
const Moment = z.iso.datetime({ offset: true })

const filter = {
  by: IdInAddress.optional(),
  user: IdInAddress.optional(),
  username: TypedUsername.optional(),
  action: z.string().max(60).optional(),
  subject: z.string().trim().max(200).optional(),
  /** From this moment on, and before that one. */
  from: Moment.optional(),
  to: Moment.optional(),
}

export const auditLog = {
  'GET /api/admin/audit-log': {
    access: 'admin',
    summary: 'List audit entries, newest first',
    query: z.strictObject({ ...page, ...filter }),
    answer: z.object({ entries: z.array(AuditEntry), next: Next }),
  },
  'GET /api/admin/audit-log/choices': {
    access: 'admin',
    summary: 'Get the actors and actions that the audit log can be filtered by',
    answer: z.object({ actors: z.array(Person), actions: z.array(z.string()) }),
  },
  'GET /api/admin/audit-log.csv': {
    access: 'admin',
    summary: 'Export all matching audit entries as CSV, newest first',
    query: z.strictObject(filter),
    streams: 'text/csv',
    answer: z.string(),
  },
} as const satisfies Endpoints
