import type { CdrRecord } from '@trunkline/contract/cdr'
import { SEARCH_MAX } from '@trunkline/contract/limits'
import { countryCode } from '@trunkline/domain/countries'
import { toMicros } from '../../dollars.ts'
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
    search: text(raw.search)?.trim().slice(0, SEARCH_MAX) || undefined,
    period: oneOf(periods, raw.period),
    from: readDay(text(raw.from) ?? '') ?? undefined,
    to: readDay(text(raw.to) ?? '') ?? undefined,
    status: oneOf(statuses, raw.status),
    country: countryCode(text(raw.country) ?? '') ?? undefined,
    min_duration: seconds(raw.min_duration),
    max_duration: seconds(raw.max_duration),
    min_cost: dollars(raw.min_cost),
    max_cost: dollars(raw.max_cost),
    cursor: text(raw.cursor) || undefined,
    call: text(raw.call) || undefined,
  })
}

/** Administrators can also filter by user. */
export function readAdminSearch(raw: Raw): CdrSearch {
  const user = Number(raw.user)
  return { ...readSearch(raw), ...(Number.isInteger(user) && user > 0 && user <= LONGEST && { user }) }
}

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

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const oneOf = <Choices extends object>(choices: Choices, value: unknown): keyof Choices | undefined =>
  typeof value === 'string' && Object.hasOwn(choices, value) ? (value as keyof Choices) : undefined

const LONGEST = 2_147_483_647

function seconds(value: unknown): number | undefined {
  const figure = numberIn(value)
  return figure !== undefined && Number.isInteger(figure) && figure >= 0 && figure <= LONGEST
    ? figure
    : undefined
}

const MAX_DOLLARS = 1_000_000

function dollars(value: unknown): number | undefined {
  const figure = numberIn(value)
  return figure !== undefined && figure >= 0 && figure <= MAX_DOLLARS && toMicros(figure) !== null
    ? figure
    : undefined
}

const numberIn = (value: unknown): number | undefined => {
  const written = text(value)?.trim()
  return written ? Number(written) : undefined
}

function withoutGaps<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
