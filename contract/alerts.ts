import { z } from 'zod'
import { ALERT_TOPICS } from './alert-topics.ts'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { EmailAddress, Id, Timestamp, TypedUsername, UserRef } from './fields.ts'
import { ALERT_MAIL_ADDRESSES_MAX, PAGE_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { Amount, GivenId, IdInAddress, IdInPath, Next, page } from './money.ts'

/** An alert about the caller's own account, such as a call refused by a guard. */
export const OwnAlert = z.object({
  id: Id,
  /** For example `daily_spend_reached`. */
  kind: z.string(),
  message: z.string(),
  /** Number of occurrences while the alert is open. */
  times: z.int(),
  first_at: Timestamp,
  last_at: Timestamp,
  /** Null while the alert is open. */
  acknowledged_at: Timestamp.nullable(),
})
export type OwnAlert = z.output<typeof OwnAlert>

const Person = UserRef

export const Alert = OwnAlert.extend({
  /** For example `user:12` or `trunk:3`. */
  subject: z.string(),
  user: Person.nullable(),
  details: z.record(z.string(), z.unknown()),
  /** Null if it was resolved automatically. */
  acknowledged_by: Person.nullable(),
})
export type Alert = z.output<typeof Alert>

export const AlertState = z.enum(['open', 'acknowledged', 'all'])
export type AlertState = z.output<typeof AlertState>

const Topic = z.enum(ALERT_TOPICS)
const whole = (most: number) =>
  z
    .int(ownMessages.wholeNumber)
    .min(1, ownMessages.wholeNumber)
    .max(most, `Please enter a number up to ${most}.`)

/** Thresholds for alerts. Null disables an alert. */
const thresholds = {
  /** Dollars of one payment. */
  large_top_up: Amount.nullable(),
  /** Dollars of a balance. */
  low_balance: Amount.nullable(),
  /** Multiple of normal daily spend. */
  unusual_spend_times: z
    .number(ownMessages.timesInvalid)
    .min(1, ownMessages.timesInvalid)
    .max(1000, ownMessages.timesInvalid)
    .multipleOf(0.01, ownMessages.timesInvalid)
    .nullable(),
  /** Minimum daily spend in dollars. Lower spend never raises an alert. */
  unusual_spend_least: Amount,
  /** Failures within 15 minutes, per account and per address. */
  failed_sign_ins_account: whole(30).nullable(),
  failed_sign_ins_address: whole(50).nullable(),
}
const mailing = {
  mail_to: z.array(EmailAddress).max(ALERT_MAIL_ADDRESSES_MAX, ownMessages.tooManyMailAddresses),
  mail_topics: z.array(Topic).max(ALERT_TOPICS.length),
  /** Mails the figures of the past week on Monday morning in this time zone. Null turns the report off. */
  weekly_report_timezone: TimeZone.nullable(),
}

export const AlertSettings = z.object({
  ...thresholds,
  mail_to: z.array(z.string()),
  mail_topics: z.array(Topic),
  weekly_report_timezone: z.string().nullable(),
  /** Increases with every change. A change sends it back to detect conflicts. */
  version: z.int(),
  updated_at: Timestamp.nullable(),
  updated_by: z.string().nullable(),
})
export type AlertSettings = z.output<typeof AlertSettings>

export const alerts = {
  'GET /api/alerts': {
    access: 'user',
    summary: 'List alerts about your account, newest first',
    query: z.strictObject(page),
    answer: z.object({ alerts: z.array(OwnAlert), next: Next }),
  },
  'GET /api/admin/alerts': {
    access: 'admin',
    summary: 'List alerts, newest first, with the number of open alerts',
    query: z.strictObject({
      ...page,
      state: AlertState.default('open'),
      topic: Topic.optional(),
      kind: z.string().max(60).optional(),
      user: IdInAddress.optional(),
      username: TypedUsername.optional(),
    }),
    answer: z.object({ alerts: z.array(Alert), open: z.int(), next: Next }),
  },
  'POST /api/admin/alerts/:id/acknowledge': {
    access: 'admin',
    summary: 'Acknowledge an alert. The next occurrence opens a new alert',
    params: IdInPath,
    answer: z.object({ alert: Alert }),
    refusals: ['not_found'],
  },
  'POST /api/admin/alerts/acknowledge': {
    access: 'admin',
    summary: 'Acknowledge several alerts. Alerts that are already acknowledged do not change',
    body: z.strictObject({ ids: z.array(GivenId).min(1).max(PAGE_MAX) }),
    answer: z.object({ acknowledged: z.int() }),
  },
  'GET /api/admin/alert-settings': {
    access: 'admin',
    summary: 'Get the alert thresholds and the email recipients',
    answer: z.object({ settings: AlertSettings }),
  },
  'PATCH /api/admin/alert-settings': {
    access: 'admin',
    summary: 'Update the alert thresholds and email recipients. Only the given fields change',
    body: z
      .strictObject({ ...thresholds, ...mailing })
      .partial()
      .extend({ version: z.int().positive() }),
    answer: z.object({ settings: AlertSettings }),
    refusals: ['changed_meanwhile'],
  },
} as const satisfies Endpoints
