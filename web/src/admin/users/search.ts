import type { UserFilter, UserSort } from '@trunkline/contract/admin-users'
import { SEARCH_MAX, USER_TAG_MAX, USER_TAG_PATTERN } from '@trunkline/contract/limits'
import type { UsersAsked } from './queries.ts'

type Flag = 'yes' | 'no'
export type HealthFilter = NonNullable<UserFilter['health']>

/** Search parameters of the screen. */
export type UsersSearch = Partial<{
  search: string
  premium: Flag
  disabled: Flag
  admin: Flag
  tag: string
  health: HealthFilter
  sort: UserSort
  /** Cursor of the page. */
  after: string
  /** The user in the drawer. */
  user: number
}>

export type Selection = Omit<UsersSearch, 'after' | 'user'>

export const DEFAULT_SORT: UserSort = 'newest'

export const sorts: Readonly<Record<UserSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name, A to Z',
  name_desc: 'Name, Z to A',
  balance: 'Highest balance',
  balance_asc: 'Lowest balance',
  spend_change: 'Largest fall in spend',
  failed_calls: 'Most failed calls',
  balance_days: 'Fewest days of balance',
}

export const healthFilters: Readonly<Record<HealthFilter, string>> = {
  any: 'Needs attention',
  spend_fell: 'Spend fell',
  calls_failing: 'Calls fail',
  ticket_open: 'Ticket open',
  balance_low: 'Balance runs out',
}

/** Ignores values that are not valid. */
export function readSearch(raw: Record<string, unknown>): UsersSearch {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const flag = (value: unknown) => (value === 'yes' || value === 'no' ? value : undefined)
  const user = Number(text(raw.user) || Number.NaN)
  return withoutGaps({
    search: text(raw.search).slice(0, SEARCH_MAX) || undefined,
    premium: flag(raw.premium),
    disabled: flag(raw.disabled),
    admin: flag(raw.admin),
    tag: readTag(text(raw.tag)),
    health: Object.hasOwn(healthFilters, text(raw.health)) ? (raw.health as HealthFilter) : undefined,
    sort: Object.hasOwn(sorts, text(raw.sort)) ? (raw.sort as UserSort) : undefined,
    after: text(raw.after) || undefined,
    user: Number.isInteger(user) && user > 0 ? user : undefined,
  })
}

function readTag(text: string): string | undefined {
  const tag = text.toLowerCase()
  return tag.length <= USER_TAG_MAX && USER_TAG_PATTERN.test(tag) ? tag : undefined
}

export function selectionOf({ after: _after, user: _user, ...selection }: UsersSearch): Selection {
  return selection
}

/** True if any filter is set; the order does not count. */
export const isNarrowed = ({ sort: _sort, ...filters }: Selection): boolean => Object.keys(filters).length > 0

export const askFor = (selection: Selection, after: string | undefined): UsersAsked => ({
  ...selection,
  ...(after !== undefined && { after }),
})

const withoutGaps = (search: { [Name in keyof UsersSearch]: UsersSearch[Name] | undefined }): UsersSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

export const userTabs = {
  overview: 'Overview',
  calls: 'Calls',
  statement: 'Statement',
  payments: 'Payments',
  limits: 'Limits',
  numbers: 'Numbers',
  phones: 'Phones',
  sessions: 'Sessions',
  tickets: 'Tickets',
  alerts: 'Alerts',
} as const
export type UserTab = keyof typeof userTabs

export type UserPageSearch = { tab?: UserTab }

export const readTab = (raw: Record<string, unknown>): UserTab =>
  typeof raw.tab === 'string' && Object.hasOwn(userTabs, raw.tab) ? (raw.tab as UserTab) : 'overview'
