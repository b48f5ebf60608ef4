import type { CdrRecord } from '@trunkline/contract/cdr'
import { SEARCH_MAX } from '@trunkline/contract/limits'
import { countryCode } from '@trunkline/domain/countries'
import { dollarsIn, idIn, numberIn, textIn, withoutGaps } from '../../address.ts'
import { type Period, periods, readDay, spanOf } from '../../period.ts'
import { type CallStatus, statuses } from '../statuses.ts'
import type { CallFilters } from './source.ts'

/** The URL parameters of the report. */
export type CdrSearch = Partial<{
  search: string
  period: Period
  /** Days of a custom range. */
  from: string
  to: string
  status: CallStatus
  /** ISO code. */
  country: string
  /** Seconds. */
  min_duration: number
  max_duration: number
  /** Dollars. */
  min_cost: number
  max_cost: number
  /** User id, for administrators. */
  user: number
  /** The page after this record. */
  cursor: string
  /** The record whose details are open. */
  call: CdrRecord['id']
}>

/** The parameters that select calls, without page and open call. */
export type Selection = Omit<CdrSearch, 'cursor' | 'call'>

export const DEFAULT_PERIOD: Period = 'today'

type Raw = Record<string, unknown>

/** Ignores invalid parameters. */
export function readSearch(raw: Raw): CdrSearch {
  return withoutGaps({
    search: textIn(raw.search)?.trim().slice(0, SEARCH_MAX) || undefined,
    period: keyIn(periods, raw.period),
    from: readDay(textIn(raw.from) ?? '') ?? undefined,
    to: readDay(textIn(raw.to) ?? '') ?? undefined,
    status: keyIn(statuses, raw.status),
    country: countryCode(textIn(raw.country) ?? '') ?? undefined,
    min_duration: seconds(raw.min_duration),
    max_duration: seconds(raw.max_duration),
    min_cost: dollarsIn(raw.min_cost),
    max_cost: dollarsIn(raw.max_cost),
    cursor: textIn(raw.cursor) || undefined,
    call: textIn(raw.call) || undefined,
  })
}

/** Administrators can also filter by user. */
export const readAdminSearch = (raw: Raw): CdrSearch =>
  withoutGaps({ ...readSearch(raw), user: idIn(raw.user) })

export function selectionOf({ cursor: _cursor, call: _call, ...selection }: CdrSearch): Selection {
  return selection
}

/** The query parameters of the API. */
export function filtersOf(selection: Selection, now: Date): CallFilters {
  const { period = DEFAULT_PERIOD, from, to, ...filters } = selection
  return { ...filters, ...spanOf(period, { from, to }, now) }
}

const more = ['status', 'country', 'min_duration', 'max_duration', 'min_cost', 'max_cost'] as const
type More = (typeof more)[number]

/** The filters behind the Filter button. */
export type Filters = Pick<CdrSearch, More>

export const filtersIn = (search: CdrSearch): Filters =>
  withoutGaps(Object.fromEntries(more.map((name) => [name, search[name]])))

export const withFilters = (search: CdrSearch, filters: Filters): CdrSearch => {
  const others = Object.entries(search).filter(([name]) => !more.some((filter) => filter === name))
  return { ...Object.fromEntries(others), ...filters }
}

const keyIn = <Choices extends object>(choices: Choices, value: unknown): keyof Choices | undefined =>
  typeof value === 'string' && Object.hasOwn(choices, value) ? (value as keyof Choices) : undefined

const MAX_SECONDS = 2_147_483_647

function seconds(value: unknown): number | undefined {
  const figure = numberIn(value)
  return figure !== undefined && Number.isInteger(figure) && figure >= 0 && figure <= MAX_SECONDS
    ? figure
    : undefined
}
