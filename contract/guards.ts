import { parseDollars } from '@trunkline/domain/money'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, UserRef } from './fields.ts'
import { ownMessages } from './messages.ts'
import { IdInPath } from './money.ts'
import { GivenCountry, Price } from './rates.ts'

const ShownCountry = z.object({ country: z.string(), country_code: z.string() })

/** Effective limits. */
export const Guards = z.object({
  max_concurrent_calls: z.int(),
  max_calls_per_second: z.int(),
  /** Dollars per UTC day. */
  daily_spend: z.number(),
  /** Dollars per minute. */
  max_price: z.number(),
  /** Null allows every country. */
  allowed_countries: z.array(ShownCountry).nullable(),
  blocked_countries: z.array(ShownCountry),
  high_risk_allowed: z.boolean(),
  calls_stopped: z.boolean(),
})
export type Guards = z.output<typeof Guards>

/** Limits set by one side. Null means not set. */
export const GuardLayer = z.object({
  max_concurrent_calls: z.int().nullable(),
  max_calls_per_second: z.int().nullable(),
  daily_spend: z.number().nullable(),
  max_price: z.number().nullable(),
  allowed_countries: z.array(ShownCountry).nullable(),
  blocked_countries: z.array(ShownCountry).nullable(),
  high_risk_allowed: z.boolean().nullable(),
  calls_stopped: z.boolean().nullable(),
})
export type GuardLayer = z.output<typeof GuardLayer>

const Countries = z
  .array(GivenCountry)
  .max(300)
  .transform((codes) => [...new Set(codes)].sort())

const DailySpend = z
  .number({ error: ownMessages.amountInvalid })
  .min(0, ownMessages.amountInvalid)
  .max(100_000_000, ownMessages.amountInvalid)
  .refine((amount) => parseDollars(amount).ok, ownMessages.amountInvalid)

/** Changes only the given fields. Null resets a limit. */
export const GuardChange = z
  .strictObject({
    max_concurrent_calls: z.int().min(0).max(100_000).nullable(),
    max_calls_per_second: z.int().min(0).max(10_000).nullable(),
    daily_spend: DailySpend.nullable(),
    max_price: Price.nullable(),
    /** English names or codes. */
    allowed_countries: Countries.nullable(),
    blocked_countries: Countries.nullable(),
    high_risk_allowed: z.boolean().nullable(),
    calls_stopped: z.boolean().nullable(),
  })
  .partial()
export type GuardChange = z.output<typeof GuardChange>

const OwnGuards = z.object({
  effective: Guards,
  /** Limits without the customer's own settings, which can only tighten them. */
  ceiling: Guards,
  own: GuardLayer,
})

/** The limits of a template, in the order of the forms. */
export const templateLimits = [
  'daily_spend',
  'max_price',
  'max_concurrent_calls',
  'max_calls_per_second',
  'allowed_countries',
  'blocked_countries',
  'high_risk_allowed',
] as const satisfies readonly (keyof GuardChange)[]

/** The template that an account got last. */
const AppliedTemplate = z.object({
  /** Null if the template was deleted. */
  id: Id.nullable(),
  /** As it was when the template was applied. */
  name: z.string(),
  applied_at: Timestamp,
  /** Null if the account of the administrator was deleted. */
  applied_by: z.string().nullable(),
  /** Limits that were changed since. */
  changed: z.array(z.enum(templateLimits)),
})

export const GuardsOfUser = z.object({
  user: UserRef,
  effective: Guards,
  defaults: Guards,
  admin: GuardLayer,
  customer: GuardLayer,
  template: AppliedTemplate.nullable(),
  updated_at: Timestamp.nullable(),
})

export const guards = {
  'GET /api/user/guards': {
    access: 'user',
    summary: 'Get the limits of your account and the ones that you set yourself',
    answer: OwnGuards,
  },
  'PATCH /api/user/guards': {
    access: 'user',
    summary: 'Tighten the limits of your account. Null removes your own limit and requires a recent password',
    body: GuardChange,
    answer: OwnGuards,
    refusals: ['password_needed'],
  },
  'GET /api/admin/users/:id/guards': {
    access: 'admin',
    summary: 'Get the limits of an account by layer: defaults, administrator, customer',
    params: IdInPath,
    answer: GuardsOfUser,
    refusals: ['not_found'],
  },
  'PATCH /api/admin/users/:id/guards': {
    access: 'admin',
    summary: 'Set limits of an account in place of the defaults. Null restores the default',
    params: IdInPath,
    body: GuardChange.extend({
      /** The value that was read. The request fails if the limits have changed since. */
      updated_at: Timestamp.nullable().optional(),
    }),
    answer: GuardsOfUser,
    refusals: ['not_found', 'changed_meanwhile', 'password_needed'],
  },
} as const satisfies Endpoints
