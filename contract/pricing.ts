import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id } from './fields.ts'
import { PAGE_MAX } from './limits.ts'
import { pageSize } from './money.ts'
import { billing, GivenCountry } from './rates.ts'

export const Pricing = z.object({
  currency: z.literal('USD'),
  billing: z.literal('per-minute'),
  /** One-time price of premium. */
  upgrade: z.number(),
  /** Lowest and highest price per minute over all routes. */
  countries: z.array(
    z.object({
      country: z.string(),
      country_code: z.string(),
      from: z.number(),
      to: z.number(),
      routes: z.int(),
    }),
  ),
})

export const PricingRate = z.object({
  /** Route id and line type: `12-mobile`. */
  id: z.string(),
  country: z.string(),
  countryCode: z.string(),
  type: z.enum(['mobile', 'landline']),
  /** Dollars per minute. The highest price if prefixes of the line type differ. */
  rate: z.number(),
  currency: z.literal('USD'),
  billing: z.literal('per-minute'),
  route: z.object({ id: Id, name: z.string(), planname: z.string(), is_premium: z.boolean() }),
  ...billing,
})
export type PricingRate = z.output<typeof PricingRate>

/** What is known of a number that someone entered. */
export const enteredNumber = {
  /** E.164 digits. Null if the number is invalid. */
  number: z.string().nullable(),
  country: z.string().nullable(),
  country_code: z.string().nullable(),
  /** For example `mobile` or `landline`. */
  line_type: z.string().nullable(),
}

export const Quote = z.object({
  ...enteredNumber,
  /** The id is negative for a call to a number of this service. */
  route: z.object({ id: z.int(), name: z.string(), planname: z.string() }).nullable(),
  /** Prefix of the price. Null for the route's own price. */
  prefix: z.string().nullable(),
  rate: z.number().nullable(),
  connect_fee: z.number().nullable(),
  first_increment: z.int().nullable(),
  next_increment: z.int().nullable(),
  /** Cost of a call of one minute and of five minutes. */
  one_minute: z.number().nullable(),
  five_minutes: z.number().nullable(),
  /** False if the call would currently be refused, with the reason as code and text. */
  allowed: z.boolean(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
})
export type Quote = z.output<typeof Quote>

export const pricing = {
  'GET /api/pricing': {
    access: 'user',
    summary: 'List countries with their price range',
    answer: z.object({ pricing: Pricing }),
  },
  'GET /api/pricing/rates': {
    access: 'user',
    summary: 'List the prices per minute of every route, for mobile and landline numbers',
    query: z.strictObject({
      country: GivenCountry.optional(),
      type: z.enum(['mobile', 'landline']).optional(),
      limit: pageSize(1_000, PAGE_MAX),
    }),
    answer: z.object({ rates: z.array(PricingRate) }),
    refusals: ['unavailable'],
  },
  'GET /api/pricing/quote': {
    access: 'user',
    summary: 'Get the price of a call to a number with your selected route',
    query: z.strictObject({ number: z.string().trim().min(1).max(40) }),
    answer: Quote,
  },
} as const satisfies Endpoints
