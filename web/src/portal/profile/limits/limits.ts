import type { RequestOf } from '@trunkline/contract'
import type { FieldFault } from '@trunkline/contract/errors'
import type { Guards } from '@trunkline/contract/guards'
import { ownMessages } from '@trunkline/contract/messages'
import { inDollars, toMicros } from '../../../common/dollars.ts'
import { exactDollars } from '../../../common/prices.ts'
import type { OwnGuards } from '../queries.ts'

/** Where a limit comes from. What an administrator set and what every account has are the same to a customer. */
export type SetBy = 'you' | 'account'
export type LimitRow = { name: string; value: string; setBy: SetBy }

type Change = RequestOf<'PATCH /api/user/guards'>['body']
type Countries = Guards['blocked_countries']

/** Amounts and counts that can be lowered, in the order in which they are shown. */
export const figures = [
  { name: 'daily_spend', label: 'Spend per day', unit: 'dollars' },
  { name: 'max_price', label: 'Highest price per minute', unit: 'dollars' },
  { name: 'max_concurrent_calls', label: 'Calls at the same time', unit: 'calls' },
  { name: 'max_calls_per_second', label: 'New calls per second', unit: 'calls' },
] as const satisfies readonly { name: keyof Guards; label: string; unit: 'dollars' | 'calls' }[]
export type Figure = (typeof figures)[number]
export type FigureName = Figure['name']

export function shownFigure({ name, unit }: Figure, guards: Guards): string {
  const value = guards[name]
  if (name === 'max_price') return value === 0 ? 'Free calls only' : `${exactDollars(value)} / min`
  return unit === 'dollars' ? inDollars(value) : String(value)
}

const shownCountries = (countries: Countries, none: string): string =>
  countries.length === 0 ? none : countries.map(({ country }) => country).join(', ')

/** What is in force, line by line, and who it comes from. */
export function limitRows({ effective, ceiling }: OwnGuards): LimitRow[] {
  const row = (name: string, show: (guards: Guards) => string): LimitRow => ({
    name,
    value: show(effective),
    setBy: show(effective) === show(ceiling) ? 'account' : 'you',
  })
  return [
    ...figures.map((figure) => row(figure.label, (guards) => shownFigure(figure, guards))),
    row('Countries', ({ allowed_countries }) =>
      allowed_countries === null ? 'Every country' : shownCountries(allowed_countries, 'No country'),
    ),
    row('Blocked countries', ({ blocked_countries }) => shownCountries(blocked_countries, 'None')),
    row('High-risk numbers', ({ high_risk_allowed }) => (high_risk_allowed ? 'Allowed' : 'Blocked')),
  ]
}

/** The form. An empty figure, or an empty list of allowed countries, sets no limit of one's own. */
export type Typed = Record<FigureName, string> & {
  allowed: readonly string[]
  blocked: readonly string[]
  blocksHighRisk: boolean
}
export type Faults = Partial<Record<FigureName | 'allowed_countries' | 'blocked_countries', string>>

const codesOf = (countries: Countries | null): string[] =>
  (countries ?? []).map(({ country_code }) => country_code)

export const typedFrom = ({ own }: OwnGuards): Typed => ({
  daily_spend: own.daily_spend?.toString() ?? '',
  max_price: own.max_price?.toString() ?? '',
  max_concurrent_calls: own.max_concurrent_calls?.toString() ?? '',
  max_calls_per_second: own.max_calls_per_second?.toString() ?? '',
  allowed: codesOf(own.allowed_countries),
  blocked: codesOf(own.blocked_countries),
  blocksHighRisk: own.high_risk_allowed === false,
})

export function faultsIn(typed: Typed, ceiling: Guards): Faults {
  const faults = figures.map((figure) => [figure.name, faultIn(figure, typed[figure.name], ceiling)])
  return Object.fromEntries(faults.filter(([, fault]) => fault !== null))
}

function faultIn({ name, unit }: Figure, typed: string, ceiling: Guards): string | null {
  const text = typed.trim()
  if (text === '') return null
  const figure = Number(text)
  if (unit === 'calls' && !/^\d{1,9}$/.test(text)) return 'Please enter a whole number.'
  if (!(figure >= 0) || toMicros(figure) === null)
    return name === 'max_price' ? ownMessages.priceInvalid : ownMessages.amountInvalid
  return figure > ceiling[name] ? ownMessages.guardTooLoose : null
}

/** Only what differs from what is set: somebody else may have changed the rest meanwhile. */
export function changeFrom(typed: Typed, { own }: OwnGuards): Change {
  const change: Change = {}
  for (const { name } of figures) {
    const wanted = typed[name].trim() === '' ? null : Number(typed[name])
    if (wanted !== own[name]) change[name] = wanted
  }
  const wanted = { allowed_countries: listed(typed.allowed), blocked_countries: listed(typed.blocked) }
  for (const name of ['allowed_countries', 'blocked_countries'] as const)
    if (!isSameList(wanted[name], own[name] && codesOf(own[name]))) change[name] = wanted[name]
  const highRisk = typed.blocksHighRisk ? false : null
  if (highRisk !== own.high_risk_allowed) change.high_risk_allowed = highRisk
  return change
}

const listed = (codes: readonly string[]): string[] | null => (codes.length === 0 ? null : [...codes])

const isSameList = (one: string[] | null, other: string[] | null): boolean =>
  JSON.stringify(one?.toSorted() ?? []) === JSON.stringify(other?.toSorted() ?? [])

export const faultsFrom = (found: readonly FieldFault[]): Faults =>
  Object.fromEntries(found.map(({ field, message }) => [field.split('.')[0], message]))
