import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, TypedUsername, UserRef } from './fields.ts'
import { IdInAddress, Next, page } from './money.ts'

const Person = UserRef

/** An administrator's action. Entries are never changed or deleted. */
export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  by: Person,
  /** For example `payment.refund` or `balance.adjust`. */
  action: z.string(),
  /** For example `payment 17`. */
  subject: z.string(),
  user: Person.nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  reason: z.string().nullable(),
})
export type AuditEntry = z.output<typeof AuditEntry>

/** Timestamps instead of dates, because the client knows the time zone of the reader. */
const Moment = z.iso.datetime({ offset: true })

const filter = {
  by: IdInAddress.optional(),
  user: IdInAddress.optional(),
  username: TypedUsername.optional(),
  action: z.string().max(60).optional(),
  subject: z.string().trim().max(200).optional(),
  /** `from` is inclusive, `to` is exclusive. */
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
