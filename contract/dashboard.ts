import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp } from './fields.ts'

/** Percentages have one decimal, null where there is nothing to take a share of; money is dollars, lengths are seconds. */
const share = z.number().nullable()

export const DashboardStats = z.object({
  totalCalls: z.int(),
  activeCalls: z.int(),
  totalMinutes: z.number(),
  totalCost: z.number(),
  /** Completed calls per hundred; 0 without calls. */
  successRate: z.number(),
})
export type DashboardStats = z.output<typeof DashboardStats>

/** Every hour, day and month of the period is there, those without calls too; oldest first. */
export const DashboardCharts = z.object({
  /** The last 24 hours, the one that runs included. */
  call_volume: z.array(z.object({ at: Timestamp, calls: z.int(), completed: z.int() })),
  /** The last 30 days by route, most used first; the rest of many is one entry with the name Other. */
  trunk_usage: z.array(z.object({ name: z.string(), calls: z.int(), share: z.number() })),
  /** The last 12 months, the one that runs included: YYYY-MM. */
  monthly_usage: z.array(
    z.object({ month: z.string(), calls: z.int(), minutes: z.number(), cost: z.number() }),
  ),
})
export type DashboardCharts = z.output<typeof DashboardCharts>

export const BusinessFigures = z.object({
  /** YYYY-MM-DD. Revenue is what calls earned, margin what is left of it after the carriers. */
  days: z.array(
    z.object({
      day: z.string(),
      calls: z.int(),
      minutes: z.number(),
      revenue: z.number(),
      buy_cost: z.number(),
      margin: z.number(),
    }),
  ),
  /** The last 24 hours. */
  hours: z.array(z.object({ at: Timestamp, calls: z.int(), answer_rate: share })),
  top_countries: z.array(
    z.object({
      country: z.string(),
      calls: z.int(),
      minutes: z.number(),
      revenue: z.number(),
      margin: z.number(),
      answer_rate: share,
    }),
  ),
  top_customers: z.array(
    z.object({
      user: z.object({ id: Id, username: z.string() }),
      calls: z.int(),
      minutes: z.number(),
      revenue: z.number(),
      margin: z.number(),
    }),
  ),
  /** Attempts, not calls: a call that two carriers refused and a third took is three. */
  trunks: z.array(
    z.object({
      id: Id,
      name: z.string(),
      attempts: z.int(),
      answered: z.int(),
      /** Answered of all attempts. */
      answer_rate: share,
      /** Attempts that got through to the called side, busy and unanswered ones included: what speaks for the carrier. */
      reach_rate: share,
      average_duration: z.number().nullable(),
      buy_cost: z.number(),
      margin: z.number(),
    }),
  ),
})
export type BusinessFigures = z.output<typeof BusinessFigures>

/** Over the last 30 days, of all customers together. Null while there are too few calls to say. */
export const RouteQuality = z.object({
  route_id: Id,
  answer_rate: share,
  average_duration: z.number().nullable(),
})
export type RouteQuality = z.output<typeof RouteQuality>

const zoned = z.strictObject({ timezone: TimeZone.default('UTC') })

export const dashboard = {
  'GET /api/dashboard/stats': {
    access: 'user',
    summary: 'Get your total calls, minutes and cost, and the number of live calls',
    answer: z.object({ stats: DashboardStats }),
  },
  'GET /api/dashboard/charts': {
    access: 'user',
    summary: 'Get your call volume, trunk usage and monthly usage',
    query: zoned,
    answer: z.object({ charts: DashboardCharts }),
  },
  'GET /api/routes/quality': {
    access: 'user',
    summary: 'Get recent quality figures for each route',
    answer: z.object({ routes: z.array(RouteQuality) }),
  },
  'GET /api/admin/dashboard/stats': {
    access: 'admin',
    summary: 'Get total calls, minutes and revenue of the platform, and the number of live calls',
    answer: z.object({ stats: DashboardStats }),
  },
  'GET /api/admin/dashboard/charts': {
    access: 'admin',
    summary: 'Get call volume, trunk usage and monthly usage of the platform',
    query: zoned,
    answer: z.object({ charts: DashboardCharts }),
  },
  'GET /api/admin/dashboard/business': {
    access: 'admin',
    summary: 'Get revenue, cost and margin, the top countries and customers, and trunk quality',
    query: zoned.extend({ days: z.coerce.number<number>().int().min(1).max(366).default(30) }),
    answer: z.object({ business: BusinessFigures }),
  },
} as const satisfies Endpoints
