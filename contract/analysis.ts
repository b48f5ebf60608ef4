import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import {
  ANALYSIS_DAYS_MAX,
  ANALYSIS_HOURS_DAYS_MAX,
  ANALYSIS_ROWS_DEFAULT,
  ANALYSIS_ROWS_MAX,
} from './limits.ts'
import { pageSize } from './money.ts'

/** Dimensions to group calls by. */
export const dimensions = [
  'all',
  'carrier',
  'country',
  'prefix',
  'route',
  'customer',
  'caller',
  'code',
  'direction',
] as const
export type Dimension = (typeof dimensions)[number]

export const grains = ['hour', 'day', 'week', 'month'] as const
export type Grain = (typeof grains)[number]

/** Percentages have one decimal, durations are seconds, amounts are dollars. Null without calls. */
const figures = z.object({
  /** By carrier, an attempt counts as a call: a call that fails on two carriers and succeeds on a third counts three times. */
  calls: z.int(),
  answered: z.int(),
  minutes: z.number(),
  /** ASR: answered calls. */
  answer_rate: z.number().nullable(),
  /** NER: calls that reached the callee, including busy, unanswered and canceled ones. */
  reach_rate: z.number().nullable(),
  /** ACD, and PDD: the time until the phone rang. */
  average_duration: z.number().nullable(),
  post_dial_delay: z.number().nullable(),
  revenue: z.number(),
  cost: z.number(),
  margin: z.number(),
})
export type AnalysisFigures = z.output<typeof figures>
export const figureNames = Object.keys(figures.shape) as (keyof AnalysisFigures)[]

const day = z.iso.date()

const question = {
  timezone: TimeZone.default('UTC'),
  /** Days in the time zone. Both are included. */
  from: day,
  to: day,
  by: z.enum(dimensions).exclude(['all']).default('country'),
  sort: z.enum(figureNames).default('revenue'),
  order: z.enum(['desc', 'asc']).default('desc'),
}

type Days = { from: string; to: string }
const daysIn = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

const isPeriod = (days: Days): boolean => daysIn(days) >= 1 && daysIn(days) <= ANALYSIS_DAYS_MAX
const noPeriod = { error: `must be a day from \`from\` on, at most ${ANALYSIS_DAYS_MAX} days`, path: ['to'] }

export const AnalysisRow = z.object({
  /** An ISO code, a number or an ID, according to `by`. Empty for calls without a value. */
  key: z.string(),
  /** Null if the route, carrier or customer does not exist any more. */
  name: z.string().nullable(),
  figures,
  /** Null without calls in the period before. */
  before: figures.nullable(),
})
export type AnalysisRow = z.output<typeof AnalysisRow>

export const Analysis = z.object({
  totals: figures,
  /**
   * The same number of days directly before. If the period includes today, the period before ends at the same time of day.
   */
  before: figures,
  period_before: z.object({ from: day, to: day, is_partial: z.boolean() }),
  /** Oldest first, including periods without calls. `at` is the local start: YYYY-MM-DD, with THH:MM for hours. */
  series: z.array(z.object({ at: z.string(), figures })),
  rows: z.array(AnalysisRow),
  row_count: z.int(),
  /** Calls that are not counted yet. The figures of a new call follow within seconds. */
  uncounted: z.int(),
})
export type Analysis = z.output<typeof Analysis>

export const analysis = {
  'GET /api/admin/analysis': {
    access: 'admin',
    summary: 'Get calls, quality and margin of a period by carrier, country, route or another dimension',
    query: z
      .strictObject({
        ...question,
        grain: z.enum(grains).default('day'),
        /** Restricts totals and series to one row. */
        key: z.string().max(100).optional(),
        limit: pageSize(ANALYSIS_ROWS_MAX, ANALYSIS_ROWS_DEFAULT),
      })
      .refine(isPeriod, noPeriod)
      .refine((query) => query.grain !== 'hour' || daysIn(query) <= ANALYSIS_HOURS_DAYS_MAX, {
        error: `must be longer than an hour for more than ${ANALYSIS_HOURS_DAYS_MAX} days`,
        path: ['grain'],
      }),
    answer: z.object({ analysis: Analysis }),
  },
  'GET /api/admin/analysis.csv': {
    access: 'admin',
    summary: 'Export all rows of the analysis as CSV',
    query: z.strictObject(question).refine(isPeriod, noPeriod),
    streams: 'text/csv',
    answer: z.string(),
  },
} as const satisfies Endpoints
