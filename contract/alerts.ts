import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'
import { IdInAddress, IdInPath, Next, page } from './money.ts'

/** Something a customer should know about their own account, such as a guard that refused a call. */
export const OwnAlert = z.object({
  id: Id,
  /** Such as `daily_spend_reached`. */
  kind: z.string(),
  message: z.string(),
  /** How often it happened since it was first seen and until it was dealt with. */
  times: z.int(),
  first_at: Timestamp,
  last_at: Timestamp,
  /** Null: nobody has dealt with it yet. */
  acknowledged_at: Timestamp.nullable(),
})
export type OwnAlert = z.output<typeof OwnAlert>

const Person = z.object({ id: Id, username: z.string() })

export const Alert = OwnAlert.extend({
  /** What it is about: `user:12`, `trunk:3`. */
  subject: z.string(),
  user: Person.nullable(),
  details: z.record(z.string(), z.unknown()),
  /** Null where its cause went away by itself. */
  acknowledged_by: Person.nullable(),
})
export type Alert = z.output<typeof Alert>

export const AlertState = z.enum(['open', 'acknowledged', 'all'])
export type AlertState = z.output<typeof AlertState>

export const alerts = {
  'GET /api/alerts': {
    access: 'user',
    summary: 'Alerts about the caller’s own account, newest first',
    query: z.strictObject(page),
    answer: z.object({ alerts: z.array(OwnAlert), next: Next }),
  },
  'GET /api/admin/alerts': {
    access: 'admin',
    summary: 'Alerts, newest first, and how many are open',
    query: z.strictObject({
      ...page,
      state: AlertState.default('open'),
      kind: z.string().max(60).optional(),
      user: IdInAddress.optional(),
    }),
    answer: z.object({ alerts: z.array(Alert), open: z.int(), next: Next }),
  },
  'POST /api/admin/alerts/:id/acknowledge': {
    access: 'admin',
    summary: 'An alert was seen and dealt with; the same thing happening again opens a new one',
    params: IdInPath,
    answer: z.object({ alert: Alert }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
