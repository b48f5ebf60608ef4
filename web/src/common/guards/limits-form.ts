import type { FieldFault } from '@trunkline/contract/errors'
import type { GuardLayer, Guards } from '@trunkline/contract/guards'
import { ownMessages } from '@trunkline/contract/messages'
import { toMicros } from '../dollars.ts'

/** The limit fields of customers and administrators. */

/** In display order. */
export const figures = [
  { name: 'daily_spend', label: 'Daily spend', unit: 'dollars' },
  { name: 'max_price', label: 'Maximum price per minute', unit: 'dollars' },
  { name: 'max_concurrent_calls', label: 'Concurrent calls', unit: 'calls' },
  { name: 'max_calls_per_second', label: 'Calls per second', unit: 'calls' },
] as const satisfies readonly { name: keyof Guards; label: string; unit: 'dollars' | 'calls' }[]
export type Figure = (typeof figures)[number]
export type FigureName = Figure['name']

const lists = { allowed: 'allowed_countries', blocked: 'blocked_countries' } as const
export type ListName = (typeof lists)[keyof typeof lists]

/** Form values. An empty figure or list sets no limit. */
export type TypedLimits = Record<FigureName, string> & {
  allowed: readonly string[]
  blocked: readonly string[]
}
export type Faults = Partial<Record<FigureName | ListName, string>>
type LimitsChange = Partial<Record<FigureName, number | null> & Record<ListName, string[] | null>>

export const shownCountries = (countries: Guards['blocked_countries'], none: string): string =>
  countries.length === 0 ? none : countries.map(({ country }) => country).join(', ')

const codesOf = (countries: GuardLayer[ListName]): string[] =>
  (countries ?? []).map(({ country_code }) => country_code)

export const typedLimits = (layer: GuardLayer): TypedLimits => ({
  daily_spend: layer.daily_spend?.toString() ?? '',
  max_price: layer.max_price?.toString() ?? '',
  max_concurrent_calls: layer.max_concurrent_calls?.toString() ?? '',
  max_calls_per_second: layer.max_calls_per_second?.toString() ?? '',
  allowed: codesOf(layer.allowed_countries),
  blocked: codesOf(layer.blocked_countries),
})

/** `refuse` checks valid figures and returns an error message. */
export function validateLimits(
  typed: TypedLimits,
  refuse: (name: FigureName, figure: number) => string | null = () => null,
): Faults {
  const faults = figures.map((figure) => {
    const text = typed[figure.name].trim()
    if (text === '') return [figure.name, null]
    return [figure.name, validateFigure(figure, text) ?? refuse(figure.name, Number(text))]
  })
  return Object.fromEntries(faults.filter(([, fault]) => fault !== null))
}

function validateFigure({ name, unit }: Figure, text: string): string | null {
  if (unit === 'calls' && !/^\d{1,9}$/.test(text)) return 'Please enter a whole number.'
  if (Number(text) >= 0 && toMicros(Number(text)) !== null) return null
  return name === 'max_price' ? ownMessages.priceInvalid : ownMessages.amountInvalid
}

/** Only the changed limits, so that concurrent changes of others are kept. */
export function changedLimits(typed: TypedLimits, layer: GuardLayer): LimitsChange {
  const change: LimitsChange = {}
  for (const { name } of figures) {
    const wanted = typed[name].trim() === '' ? null : Number(typed[name])
    if (wanted !== layer[name]) change[name] = wanted
  }
  for (const list of ['allowed', 'blocked'] as const) {
    const name = lists[list]
    const wanted = typed[list]
    if (wanted.toSorted().join() !== codesOf(layer[name]).toSorted().join())
      change[name] = wanted.length === 0 ? null : [...wanted]
  }
  return change
}

export const faultsFrom = (found: readonly FieldFault[]): Faults =>
  Object.fromEntries(found.map(({ field, message }) => [field.split('.')[0], message]))
