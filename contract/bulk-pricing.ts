import { costBases, skipReasons } from '@trunkline/domain/pricing'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { GivenFlag, Id, Timestamp, UserRef } from './fields.ts'
import {
  BULK_PRICES_MAX,
  PRICE_MAX_DOLLARS,
  PRICING_PERCENT_MAX,
  RATES_PAGE_DEFAULT,
  RATES_PAGE_MAX,
  ROUNDING_STEPS_DOLLARS,
} from './limits.ts'
import { ownMessages } from './messages.ts'
import { IdInAddress, IdInPath, Next, page, pageSize } from './money.ts'
import { dollarsUpTo, GivenCountry, named } from './rates.ts'

/** Changes of many prices by a rule: a preview first, then exactly what it showed, and back. */

const MAX_PLANS = 500
const MAX_COUNTRIES = 300

const Dollars = dollarsUpTo(PRICE_MAX_DOLLARS, ownMessages.marginInvalid)

const GivenRule = z.strictObject({
  /** Percent over the cost, with at most one decimal. */
  percent: z
    .number({ error: ownMessages.percentInvalid })
    .min(0, ownMessages.percentInvalid)
    .max(PRICING_PERCENT_MAX, ownMessages.percentInvalid)
    .refine((percent) => Math.round(percent * 10) / 10 === percent, ownMessages.percentInvalid),
  /** Smallest margin on a one-minute call, in dollars. */
  floor: Dollars.default(0),
  /** Lowest price per minute, in dollars. */
  lowest: Dollars.default(0),
  /** Prices are rounded up to a multiple, in dollars. */
  step: z.literal(ROUNDING_STEPS_DOLLARS, { error: ownMessages.stepInvalid }),
  /** The trunk of each route whose cost counts. */
  basis: z.enum(costBases).default('dearest'),
  /** Names of plans. All if empty. */
  plans: z.array(named(ownMessages.planMissing)).max(MAX_PLANS).default([]),
  /** All if empty. */
  countries: z.array(GivenCountry).max(MAX_COUNTRIES).default([]),
  /** Also the prices of prefixes. */
  with_prefixes: GivenFlag.default(false),
  /** Also prices of $0. */
  with_free: GivenFlag.default(false),
})

const PricingRule = z.object({
  percent: z.number(),
  floor: z.number(),
  lowest: z.number(),
  step: z.number(),
  basis: z.enum(costBases),
  plans: z.array(z.string()),
  /** Codes. */
  countries: z.array(z.string()),
  with_prefixes: z.boolean(),
  with_free: z.boolean(),
})
export type PricingRule = z.output<typeof PricingRule>

const PriceCounts = z.object({
  changed: z.int(),
  /** Of the changed prices: lower, higher, and those that were below cost. */
  cuts: z.int(),
  rises: z.int(),
  below_cost: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  /** Customers who selected a route with a changed price. */
  customers: z.int(),
})
export type PriceCounts = z.output<typeof PriceCounts>

export const undoOutcomes = ['restored', 'changed', 'gone'] as const
export type UndoOutcome = (typeof undoOutcomes)[number]

const Margin = z.object({
  /** Of a one-minute call, in dollars. */
  amount: z.number(),
  /** Share of the price. Null for a free call. */
  percent: z.number().nullable(),
})

const PriceRow = z.object({
  route_id: Id,
  /** English name. */
  country: z.string(),
  name: z.string(),
  planname: z.string(),
  /** Null for the route's own price. */
  prefix: z.string().nullable(),
  /** Why the price stays. Null for changed prices and for those that are right already. */
  skipped: z.enum(skipReasons).nullable(),
  /** The trunk that the cost comes from. */
  trunk: z.string().nullable(),
  /** Cost of a one-minute call. Null without a usable trunk. */
  cost: z.number().nullable(),
  /** Dollars per minute. */
  before: z.number(),
  after: z.number().nullable(),
  margin_before: Margin.nullable(),
  margin_after: Margin.nullable(),
  /** Customers who selected the route. */
  customers: z.int(),
  /** Of the last 30 days. */
  calls: z.int(),
  revenue: z.number(),
  /** Difference in price for the minutes of these calls. */
  effect: z.number(),
  /** After an undo: restored, or left because it had changed or was deleted. */
  undo: z.enum(undoOutcomes).nullable(),
})
export type PriceRow = z.output<typeof PriceRow>

const PriceChange = z.object({
  id: Id,
  state: z.enum(['preview', 'applied', 'undone']),
  rule: PricingRule,
  counts: PriceCounts,
  /** Of changed prices in the last 30 days, and what the new prices would have meant for that revenue. */
  calls: z.int(),
  revenue: z.number(),
  effect: z.number(),
  created_by: UserRef,
  created_at: Timestamp,
  applied_at: Timestamp.nullable(),
  undone_at: Timestamp.nullable(),
  undone_by: UserRef.nullable(),
  /** Prices that the undo restored, and those it left. Null before. */
  restored: z.int().nullable(),
  left: z.int().nullable(),
})
export type PriceChange = z.output<typeof PriceChange>

/** Rows to list. `left` are those that an undo did not restore. */
export const shownPrices = ['changed', 'cuts', 'rises', 'below_cost', 'unchanged', 'skipped', 'left'] as const
export type ShownPrices = (typeof shownPrices)[number]

const show = z.enum(shownPrices).default('changed')
const rows = { rows: z.array(PriceRow), next: Next }

export const bulkPricing = {
  'POST /api/admin/bulk-pricing/preview': {
    access: 'admin',
    summary: 'Preview new prices from cost, with margins, customers and effect on revenue. Changes nothing',
    body: GivenRule,
    answer: z.object({ change: PriceChange, ...rows }),
    refusals: ['too_many_prices'],
  },
  'GET /api/admin/bulk-pricing': {
    access: 'admin',
    summary: 'List applied changes of prices, newest first',
    query: z.strictObject({ before: IdInAddress.optional(), limit: page.limit }),
    answer: z.object({ changes: z.array(PriceChange), next: Next }),
  },
  'GET /api/admin/bulk-pricing/:id/rows': {
    access: 'admin',
    summary: 'List the prices of your preview or of an applied change',
    params: IdInPath,
    query: z.strictObject({
      show,
      /** `next` of the previous page. */
      after: z.coerce.number<number>().int().min(0).max(BULK_PRICES_MAX).default(0),
      limit: pageSize(RATES_PAGE_MAX, RATES_PAGE_DEFAULT),
    }),
    answer: z.object(rows),
    refusals: ['not_found'],
  },
  'GET /api/admin/bulk-pricing/:id/rows.csv': {
    access: 'admin',
    summary: 'Export the prices of your preview or of an applied change as CSV',
    params: IdInPath,
    query: z.strictObject({ show }),
    streams: 'text/csv',
    answer: z.string(),
    refusals: ['not_found'],
  },
  'POST /api/admin/bulk-pricing/:id/apply': {
    access: 'admin',
    summary: 'Apply your preview once, if no price, cost or route changed since. Repeating returns the same',
    params: IdInPath,
    needsProof: true,
    answer: z.object({ change: PriceChange }),
    refusals: ['not_found', 'changed_meanwhile', 'too_many_prices'],
  },
  'POST /api/admin/bulk-pricing/:id/undo': {
    access: 'admin',
    summary: 'Restore the prices of an applied change that nobody changed since. Repeating returns the same',
    params: IdInPath,
    needsProof: true,
    answer: z.object({ change: PriceChange }),
    refusals: ['not_found', 'prices_not_applied'],
  },
} as const satisfies Endpoints
