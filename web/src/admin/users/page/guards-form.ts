import type { AnswerOf, RequestOf } from '@trunkline/contract'
import type { FieldFault } from '@trunkline/contract/errors'
import type { GuardLayer, Guards } from '@trunkline/contract/guards'
import { ownMessages } from '@trunkline/contract/messages'
import { inDollars, toMicros } from '../../../common/dollars.ts'
import { exactDollars } from '../../../common/prices.ts'

export type GuardsOfUser = AnswerOf<'GET /api/admin/users/:id/guards'>
type Change = RequestOf<'PATCH /api/admin/users/:id/guards'>['body']
type Countries = Guards['blocked_countries']

/** Amounts and counts, in the order in which they are shown. */
export const figures = [
  { name: 'daily_spend', label: 'Spend per day', unit: 'dollars' },
  { name: 'max_price', label: 'Highest price per minute', unit: 'dollars' },
  { name: 'max_concurrent_calls', label: 'Calls at the same time', unit: 'calls' },
  { name: 'max_calls_per_second', label: 'New calls per second', unit: 'calls' },
] as const satisfies readonly { name: keyof Guards; label: string; unit: 'dollars' | 'calls' }[]
export type FigureName = (typeof figures)[number]['name']

export type Row = { label: string; inForce: string; byDefault: string; admin: string; customer: string }

const NOTHING = '–'

/** Every limit in layers: what holds, what every account has, and who has set something else. */
export function layersOf({ effective, defaults, admin, customer }: GuardsOfUser): Row[] {
  const row = (label: string, show: (layer: GuardLayer) => string | null): Row => ({
    label,
    inForce: show(effective) ?? NOTHING,
    byDefault: show(defaults) ?? NOTHING,
    admin: show(admin) ?? NOTHING,
    customer: show(customer) ?? NOTHING,
  })
  const flag = (value: boolean | null, yes: string, no: string) => (value === null ? null : value ? yes : no)
  // Among what holds, no list of countries is every country; in a layer it says nothing.
  const allowed = row('Countries', ({ allowed_countries: list }) => list && named(list, 'No country'))
  return [
    row('Spend per day', ({ daily_spend }) => (daily_spend === null ? null : inDollars(daily_spend))),
    row('Highest price per minute', ({ max_price }) => (max_price === null ? null : exactDollars(max_price))),
    row('Calls at the same time', ({ max_concurrent_calls }) => max_concurrent_calls?.toString() ?? null),
    row('New calls per second', ({ max_calls_per_second }) => max_calls_per_second?.toString() ?? null),
    {
      ...allowed,
      inForce: effective.allowed_countries ? allowed.inForce : 'Every country',
      byDefault: defaults.allowed_countries ? allowed.byDefault : 'Every country',
    },
    row('Blocked countries', ({ blocked_countries: list }) => list && named(list, 'None')),
    row('High-risk numbers', ({ high_risk_allowed }) => flag(high_risk_allowed, 'Allowed', 'Blocked')),
    row('Outgoing calls', ({ calls_stopped }) => flag(calls_stopped, 'Stopped', 'Allowed')),
  ]
}

const named = (countries: Countries, none: string): string =>
  countries.length === 0 ? none : countries.map(({ country }) => country).join(', ')

/** The form. An empty figure or list, and 'default', leave it to the default. */
export type Typed = Record<FigureName, string> & {
  allowed: readonly string[]
  blocked: readonly string[]
  highRisk: 'default' | 'allowed' | 'blocked'
  isStopped: boolean
}
export type Faults = Partial<Record<FigureName | 'allowed_countries' | 'blocked_countries', string>>

const codesOf = (countries: Countries | null): string[] =>
  (countries ?? []).map(({ country_code }) => country_code)

export const typedFrom = ({ admin }: GuardsOfUser): Typed => ({
  daily_spend: admin.daily_spend?.toString() ?? '',
  max_price: admin.max_price?.toString() ?? '',
  max_concurrent_calls: admin.max_concurrent_calls?.toString() ?? '',
  max_calls_per_second: admin.max_calls_per_second?.toString() ?? '',
  allowed: codesOf(admin.allowed_countries),
  blocked: codesOf(admin.blocked_countries),
  highRisk: admin.high_risk_allowed === null ? 'default' : admin.high_risk_allowed ? 'allowed' : 'blocked',
  isStopped: admin.calls_stopped === true,
})

export function faultsIn(typed: Typed): Faults {
  const faults: Faults = {}
  for (const { name, unit } of figures) {
    const text = typed[name].trim()
    if (text === '') continue
    if (unit === 'calls' && !/^\d{1,6}$/.test(text)) faults[name] = 'Please enter a whole number.'
    else if (!(Number(text) >= 0) || toMicros(Number(text)) === null)
      faults[name] = name === 'max_price' ? ownMessages.priceInvalid : ownMessages.amountInvalid
  }
  return faults
}

/** Only what differs from what is set. */
export function changeFrom(typed: Typed, { admin }: GuardsOfUser): Change {
  const change: Change = {}
  for (const { name } of figures) {
    const wanted = typed[name].trim() === '' ? null : Number(typed[name])
    if (wanted !== admin[name]) change[name] = wanted
  }
  for (const [name, codes] of [
    ['allowed_countries', typed.allowed],
    ['blocked_countries', typed.blocked],
  ] as const)
    if (codes.toSorted().join() !== codesOf(admin[name]).toSorted().join())
      change[name] = codes.length === 0 ? null : [...codes]
  const highRisk = { default: null, allowed: true, blocked: false }[typed.highRisk]
  if (highRisk !== admin.high_risk_allowed) change.high_risk_allowed = highRisk
  const isStopped = typed.isStopped ? true : null
  if (isStopped !== (admin.calls_stopped || null)) change.calls_stopped = isStopped
  return change
}

export const faultsFrom = (found: readonly FieldFault[]): Faults =>
  Object.fromEntries(found.map(({ field, message }) => [field.split('.')[0], message]))
