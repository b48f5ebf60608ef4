import type { AnalysisRow, Dimension, Grain } from '@trunkline/contract/analysis'
import { ANALYSIS_DAYS_MAX, ANALYSIS_HOURS_DAYS_MAX } from '@trunkline/contract/limits'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'
import type { CdrSearch } from '../../common/calls/report/search.ts'
import { formatPhoneNumber } from '../../common/format/phone-numbers.ts'
import { readDay, writeDay } from '../../common/period.ts'
import { lacking } from '../calls/search.ts'
import { type FigureName, figureNames } from './figures.ts'

export type By = Exclude<Dimension, 'all'>

/** The dimensions of the screen. `none` is the name of calls without a value. */
export const groups: Readonly<Record<By, { label: string; none: string }>> = {
  carrier: { label: 'Carrier', none: 'No carrier' },
  country: { label: 'Country', none: lacking.country },
  prefix: { label: 'Prefix', none: lacking.prefix },
  route: { label: 'Route', none: lacking.route },
  customer: { label: 'Customer', none: lacking.customer },
  caller: { label: 'Caller ID', none: lacking.caller },
  code: { label: 'SIP code', none: lacking.code },
  direction: { label: 'Direction', none: 'Unknown' },
}

export const periods = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  month: 'Last 30 days',
  this_month: 'This month',
  last_month: 'Last month',
  custom: 'Custom range',
} as const
export type Period = keyof typeof periods

export const grains: Readonly<Record<Grain, string>> = {
  hour: 'By hour',
  day: 'By day',
  week: 'By week',
  month: 'By month',
}

/** The URL parameters of the screen. */
export type AnalysisSearch = Partial<{
  by: By
  period: Period
  /** Days of a custom range. */
  from: string
  to: string
  grain: Grain
  sort: FigureName
  order: 'asc'
  /** The figure in the chart. */
  figure: FigureName
  /** The row in the chart and in the totals. */
  key: string
  /** Number of rows, if more than usual. */
  rows: number
}>

const keysOf = <Name extends string>(record: Readonly<Record<Name, unknown>>) => Object.keys(record) as Name[]

/** Ignores values that are not valid. */
export const readAnalysisSearch = (raw: Record<string, unknown>): AnalysisSearch =>
  withoutGaps({
    by: oneOf(keysOf(groups), raw.by),
    period: oneOf(keysOf(periods), raw.period),
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    grain: oneOf(keysOf(grains), raw.grain),
    sort: oneOf(figureNames, raw.sort),
    order: oneOf(['asc'], raw.order),
    figure: oneOf(figureNames, raw.figure),
    key: textIn(raw.key)?.slice(0, 100),
    rows: idIn(raw.rows),
  })

export type Days = { from: string; to: string }

/** First and last day of the period in the viewer's time zone. */
export function daysOf({ period = 'week', from, to }: AnalysisSearch, now: Date): Days {
  const day = (later: number) => writeDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() + later))
  const monthDay = (month: number, date: number) =>
    writeDay(new Date(now.getFullYear(), now.getMonth() + month, date))
  switch (period) {
    case 'today':
      return { from: day(0), to: day(0) }
    case 'yesterday':
      return { from: day(-1), to: day(-1) }
    case 'week':
      return { from: day(-6), to: day(0) }
    case 'month':
      return { from: day(-29), to: day(0) }
    case 'this_month':
      return { from: monthDay(0, 1), to: day(0) }
    case 'last_month':
      return { from: monthDay(-1, 1), to: monthDay(0, 0) }
    case 'custom':
      return { from: from ?? to ?? day(0), to: to ?? day(0) }
  }
}

const DAY_MS = 24 * 3_600_000
const lengthOf = ({ from, to }: Days): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** The reason why a custom range cannot be shown. */
export function faultOf(days: Days): string | undefined {
  if (lengthOf(days) < 1) return 'The end date is before the start date.'
  return lengthOf(days) > ANALYSIS_DAYS_MAX ? `Choose at most ${ANALYSIS_DAYS_MAX} days.` : undefined
}

/** Hours are offered for up to a month, longer steps from two of them on. */
export const grainsFor = (days: Days): Grain[] =>
  keysOf(grains).filter((grain) => {
    const length = lengthOf(days)
    if (grain === 'hour') return length <= ANALYSIS_HOURS_DAYS_MAX
    return grain === 'day' || length > (grain === 'week' ? 7 : 31)
  })

/** The chosen step, or one that makes a readable chart. */
export function grainOf({ grain }: AnalysisSearch, days: Days): Grain {
  if (grain && grainsFor(days).includes(grain)) return grain
  const length = lengthOf(days)
  if (length <= 2) return 'hour'
  return length <= 92 ? 'day' : 'week'
}

/** Figures that only answered calls have. Rates and the post-dial delay describe all calls. */
const ofAnswered: readonly FigureName[] = [
  ...(['answered', 'minutes', 'average_duration', 'revenue', 'cost', 'margin'] as const),
]

/** The calls behind a figure: of one row, or of all rows without a key. */
export function callsBehind(
  figure: FigureName,
  days: Days,
  { by, key }: { by: By; key: string | undefined },
): CdrSearch {
  const isOfCarrier = by === 'carrier' && key !== undefined
  // Another carrier may have completed a call that this one was tried for.
  const answered: CdrSearch = isOfCarrier ? { carrier_result: 'answered' } : { status: 'completed' }
  return {
    ...(key === undefined ? { period: 'custom', ...days } : callsOf(by, key, days)),
    ...(ofAnswered.includes(figure) && answered),
  }
}

/** The calls of one step of the chart. `at` is a local day, or a local time of an hour. */
export function callsOfStep(calls: CdrSearch, at: string, grain: Grain, days: Days): CdrSearch {
  const [day = ''] = at.split('T')
  if (grain === 'hour') return { ...calls, from: day, to: day, hour: new Date(at).toISOString() }
  const start = new Date(`${day}T00:00`)
  const last = {
    day: start,
    week: new Date(start.getFullYear(), start.getMonth(), start.getDate() + 6),
    month: new Date(start.getFullYear(), start.getMonth() + 1, 0),
  }[grain]
  const [, from = day] = [day, days.from].sort()
  const [to] = [writeDay(last), days.to].sort()
  return { ...calls, from, ...(to && { to }) }
}

/** The calls behind a row. */
export function callsOf(by: By, key: string, days: Days): CdrSearch {
  if (key === '')
    return { period: 'custom', ...days, ...(by in lacking && { without: by as keyof typeof lacking }) }
  const filters: Record<By, CdrSearch> = {
    carrier: { trunk: Number(key), direction: 'out' },
    country: { country: key },
    prefix: { rate_prefix: key },
    route: { route: Number(key) },
    customer: { user: Number(key) },
    caller: { caller_id: key },
    code: { sip_code: Number(key) },
    direction: { direction: key === 'in' ? 'in' : 'out' },
  }
  return { period: 'custom', ...days, ...filters[by] }
}

export function nameOf(by: By, { key, name }: Pick<AnalysisRow, 'key' | 'name'>): string {
  if (key === '') return groups[by].none
  if (by === 'caller' || by === 'prefix') return formatPhoneNumber(`+${key}`)
  return name ?? `Former ${groups[by].label.toLowerCase()} ${key}`
}
