import { countryName } from '@trunkline/domain/countries'
import { exactDollars } from '../../prices.ts'
import { statuses } from '../statuses.ts'
import { type Filters, readSearch } from './search.ts'

/** The filters as typed. */
export type Draft = Record<keyof Filters, string>

export const draftOf = (filters: Filters): Draft => ({
  status: filters.status ?? '',
  country: filters.country ?? '',
  min_duration: String(filters.min_duration ?? ''),
  max_duration: String(filters.max_duration ?? ''),
  min_cost: String(filters.min_cost ?? ''),
  max_cost: String(filters.max_cost ?? ''),
})

export type Faults = Partial<Record<'duration' | 'cost', string>>

export function readDraft(draft: Draft): { ok: true; filters: Filters } | { ok: false; faults: Faults } {
  const filters: Filters = readSearch(draft)
  const lost = (name: keyof Draft) => draft[name].trim() !== '' && filters[name] === undefined
  const faults: Faults = {}
  if (lost('min_duration') || lost('max_duration')) faults.duration = 'Please enter whole seconds.'
  else if (isBackwards(filters.min_duration, filters.max_duration)) faults.duration = BACKWARDS
  if (lost('min_cost') || lost('max_cost')) faults.cost = 'Please enter an amount in dollars, such as 0.50.'
  else if (isBackwards(filters.min_cost, filters.max_cost)) faults.cost = BACKWARDS
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, filters }
}

const BACKWARDS = 'The maximum is less than the minimum.'

const isBackwards = (least: number | undefined, most: number | undefined): boolean =>
  least !== undefined && most !== undefined && least > most

/** The text of each filter, and the filters without it. */
export function describeFilters(filters: Filters): { text: string; without: Filters }[] {
  const { status, country, min_duration, max_duration, min_cost, max_cost } = filters
  const told: [keyof Filters, string][] = []
  if (status !== undefined) told.push(['status', `Status: ${statuses[status].label}`])
  if (country !== undefined) told.push(['country', `Country: ${countryName(country)}`])
  if (min_duration !== undefined) told.push(['min_duration', `At least ${min_duration} s`])
  if (max_duration !== undefined) told.push(['max_duration', `At most ${max_duration} s`])
  if (min_cost !== undefined) told.push(['min_cost', `At least ${exactDollars(min_cost)}`])
  if (max_cost !== undefined) told.push(['max_cost', `At most ${exactDollars(max_cost)}`])
  return told.map(([name, text]) => {
    const { [name]: _, ...without } = filters
    return { text, without }
  })
}
