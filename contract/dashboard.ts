import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { Id, Timestamp, UserRef } from './fields.ts'
import { pageSize } from './money.ts'

/** Percentage with one decimal. Null if the total is zero. Amounts are dollars, durations are seconds. */
const share = z.number().nullable()

export const DashboardStats = z.object({
  totalCalls: z.int(),
  activeCalls: z.int(),
  totalMinutes: z.number(),
  totalCost: z.number(),
  /** Percentage of completed calls. 0 without calls. */
  successRate: z.number(),
})
export type DashboardStats = z.output<typeof DashboardStats>

/** Oldest first. Includes hours, days and months without calls. */
export const DashboardCharts = z.object({
  /** The last 24 hours, including the current one. */
  call_volume: z.array(z.object({ at: Timestamp, calls: z.int(), completed: z.int() })),
  /** The last 30 days by route, most used first. `Other` combines the rest. */
  trunk_usage: z.array(z.object({ name: z.string(), calls: z.int(), share: z.number() })),
  /** The last 12 months, including the current one, as YYYY-MM. */
  monthly_usage: z.array(
    z.object({ month: z.string(), calls: z.int(), minutes: z.number(), cost: z.number() }),
  ),
})
export type DashboardCharts = z.output<typeof DashboardCharts>

export const BusinessFigures = z.object({
  /** YYYY-MM-DD. Margin is revenue from calls minus carrier cost. */
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
      user: UserRef,
      calls: z.int(),
      minutes: z.number(),
      revenue: z.number(),
      margin: z.number(),
    }),
  ),
  /** Counts attempts: a call that fails on two carriers and succeeds on a third counts three times. */
  trunks: z.array(
    z.object({
      id: Id,
      name: z.string(),
      attempts: z.int(),
      answered: z.int(),
      /** Share of answered attempts. */
      answer_rate: share,
      /** Share of attempts that reached the callee, including busy and unanswered ones. */
      reach_rate: share,
      average_duration: z.number().nullable(),
      buy_cost: z.number(),
      margin: z.number(),
    }),
  ),
})
export type BusinessFigures = z.output<typeof BusinessFigures>

/** What a customer uses and spends. Days and months are those of the time zone. */
export const Usage = z.object({
  /** The last 30 days, oldest first, as YYYY-MM-DD. */
  days: z.array(z.object({ day: z.string(), calls: z.int(), minutes: z.number(), cost: z.number() })),
  /** The last 30 days, most expensive first. */
  countries: z.array(
    z.object({
      country: z.string(),
      calls: z.int(),
      minutes: z.number(),
      cost: z.number(),
      answer_rate: share,
    }),
  ),
  month_cost: z.number(),
  /** Average of the last 14 days. */
  day_cost: z.number(),
  /** Cost of the whole month, if the remaining days cost `day_cost` each. */
  month_forecast: z.number(),
})
export type Usage = z.output<typeof Usage>

/** A figure of today until now, and until the same time of day yesterday and a week ago. Null without calls. */
const compared = z.object({ today: share, yesterday: share, last_week: share })
export type Compared = z.output<typeof compared>

export const TodayFigures = z.object({
  calls: compared,
  revenue: compared,
  margin: compared,
  minutes: compared,
  answer_rate: compared,
  average_duration: compared,
  /** Average seconds until a call rings, over the last 60 minutes instead of the day. */
  post_dial_delay: compared,
  top_ups: compared,
})
export type TodayFigures = z.output<typeof TodayFigures>

/** Money that came in and went out, beside what was earned. */
export const Cash = z.object({
  /** The balances of all customers: prepaid money that they have not used yet. */
  owed: z.number(),
  /** The last 12 months, newest first, as YYYY-MM. */
  months: z.array(
    z.object({
      month: z.string(),
      top_ups: z.number(),
      upgrades: z.number(),
      /** Refunds outside the portal. Refunds to the balance move no money. */
      paid_out: z.number(),
      /** Cost of calls for customers. */
      call_revenue: z.number(),
      carrier_cost: z.number(),
      margin: z.number(),
    }),
  ),
})
export type Cash = z.output<typeof Cash>

/** Over the last 30 days, for all customers together. Null if there are too few calls. */
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
  'GET /api/dashboard/usage': {
    access: 'user',
    summary: 'Get your usage by day and country, and the forecast for the month',
    query: zoned,
    answer: z.object({ usage: Usage }),
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
  'GET /api/admin/dashboard/today': {
    access: 'admin',
    summary: 'Get the figures of today, compared with the same time yesterday and a week ago',
    query: zoned,
    answer: z.object({ today: TodayFigures }),
  },
  'GET /api/admin/dashboard/cash': {
    access: 'admin',
    summary: 'Get money received and paid out by month, beside revenue, carrier cost and margin of calls',
    query: zoned,
    answer: z.object({ cash: Cash }),
  },
  'GET /api/admin/dashboard/business': {
    access: 'admin',
    summary: 'Get revenue, cost and margin, the top countries and customers, and trunk quality',
    query: zoned.extend({ days: pageSize(366, 30) }),
    answer: z.object({ business: BusinessFigures }),
  },
} as const satisfies Endpoints
