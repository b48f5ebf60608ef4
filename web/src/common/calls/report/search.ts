import type { CdrFilter, CdrRecord } from '@trunkline/contract/cdr'
import { SEARCH_MAX } from '@trunkline/contract/limits'
import { countryCode } from '@trunkline/domain/countries'
import type { Verdict } from '@trunkline/domain/media-quality'
import { dollarsIn, numberIn, textIn, withoutGaps } from '../../address.ts'
import { type Period, periods, readDay, spanOf } from '../../period.ts'
import { directions } from '../directions.ts'
import { type CallStatus, statuses } from '../statuses.ts'
import type { CallFilters } from './source.ts'
import { qualities } from './speech-quality.ts'

/** URL parameters of administrators (admin/calls/search.ts). */
export type OperatorSearch = Partial<{
  user: number
  trunk: number
  /** What the carrier did with the call. */
  carrier_result: NonNullable<CdrFilter['carrier_result']>
  /** Only calls that lack this value. */
  without: NonNullable<CdrFilter['without']>
  route: number
  rate_prefix: string
  sip_code: number
  reason: NonNullable<CdrFilter['reason']>
  /** The first digits, or all. */
  caller_id: string
  source_address: string
  /** The first letters. */
  device: string
  /** Dollars. */
  min_margin: number
  margin_below: number
  /** The start of an hour, as an ISO timestamp. It replaces the period. */
  hour: string
}>

/** The URL parameters of the report. */
export type CdrSearch = Partial<{
  search: string
  period: Period
  /** Days of a custom range. */
  from: string
  to: string
  status: CallStatus
  direction: CdrRecord['direction']
  /** Only incoming calls that nobody answered. */
  missed: true
  /** Of the speech. */
  quality: Verdict
  /** ISO code. */
  country: string
  /** Seconds. */
  min_duration: number
  max_duration: number
  /** Dollars. */
  min_cost: number
  max_cost: number
  /** The page after this record. */
  cursor: string
  /** The record whose details are open. */
  call: CdrRecord['id']
}> &
  OperatorSearch

/** The parameters that select calls, without page and open call. */
export type Selection = Omit<CdrSearch, 'cursor' | 'call'>

export const DEFAULT_PERIOD: Period = 'today'

export type Raw = Record<string, unknown>

/** Ignores invalid parameters. */
export function readSearch(raw: Raw): CdrSearch {
  return withoutGaps({
    search: textIn(raw.search)?.trim().slice(0, SEARCH_MAX) || undefined,
    period: keyIn(periods, raw.period),
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    status: keyIn(statuses, raw.status),
    direction: keyIn(directions, raw.direction),
    missed: raw.missed === true || raw.missed === 'true' ? true : undefined,
    quality: keyIn(qualities, raw.quality),
    country: countryCode(textIn(raw.country) ?? '') ?? undefined,
    min_duration: seconds(raw.min_duration),
    max_duration: seconds(raw.max_duration),
    min_cost: dollarsIn(raw.min_cost),
    max_cost: dollarsIn(raw.max_cost),
    cursor: textIn(raw.cursor) || undefined,
    call: textIn(raw.call) || undefined,
  })
}

export function selectionOf({ cursor: _cursor, call: _call, ...selection }: CdrSearch): Selection {
  return selection
}

/** The query parameters of the API. */
export function filtersOf(selection: Selection, now: Date): CallFilters {
  const { period = DEFAULT_PERIOD, from, to, hour, missed, ...filters } = selection
  return {
    ...filters,
    ...(missed && { missed: 'true' as const }),
    ...(hour === undefined ? spanOf(period, { from, to }, now) : spanOfHour(hour)),
  }
}

const HOUR_MS = 3_600_000

const spanOfHour = (hour: string) => ({
  from: hour,
  to: new Date(Date.parse(hour) + HOUR_MS).toISOString(),
})

export const filterNames = [
  ...(['status', 'direction', 'country', 'quality'] as const),
  ...(['min_duration', 'max_duration', 'min_cost', 'max_cost'] as const),
  ...([
    'trunk',
    'carrier_result',
    'route',
    'rate_prefix',
    'sip_code',
    'reason',
    'caller_id',
    'source_address',
  ] as const),
  ...(['device', 'min_margin', 'margin_below'] as const),
] as const
type FilterName = (typeof filterNames)[number]

/** The filters behind the Filter button. */
export type Filters = Pick<CdrSearch, FilterName>

export const filtersIn = (search: CdrSearch): Filters =>
  withoutGaps(Object.fromEntries(filterNames.map((name) => [name, search[name]])))

export const withFilters = (search: CdrSearch, filters: Filters): CdrSearch => {
  const others = Object.entries(search).filter(([name]) => !filterNames.some((filter) => filter === name))
  return { ...Object.fromEntries(others), ...filters }
}

export const keyIn = <Choices extends object>(choices: Choices, value: unknown): keyof Choices | undefined =>
  typeof value === 'string' && Object.hasOwn(choices, value) ? (value as keyof Choices) : undefined

const MAX_SECONDS = 2_147_483_647

function seconds(value: unknown): number | undefined {
  const figure = numberIn(value)
  return figure !== undefined && Number.isInteger(figure) && figure >= 0 && figure <= MAX_SECONDS
    ? figure
    : undefined
}
