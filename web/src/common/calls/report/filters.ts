import { countryName } from '@trunkline/domain/countries'
import { formatSeconds } from '../../format/durations.ts'
import { formatExactMoney } from '../../format/money.ts'
import { directions } from '../directions.ts'
import { statuses } from '../statuses.ts'
import { type Filters, filterNames, filtersIn, type Raw, readSearch } from './search.ts'
import { qualities } from './speech-quality.ts'

/** The filters as typed. */
export type Draft = Record<keyof Filters, string>

export const draftOf = (filters: Filters): Draft =>
  Object.fromEntries(filterNames.map((name) => [name, String(filters[name] ?? '')])) as Draft

export type Faults = Partial<
  Record<'duration' | 'cost' | 'margin' | 'rate_prefix' | 'sip_code' | 'caller_id', string>
>

/** How typed filters are read. Administrators have more of them. */
export type FilterRules = {
  read: (raw: Raw) => Filters
  faultsOf: (lost: (name: keyof Draft) => boolean, filters: Filters) => Faults
}
const ownRules: FilterRules = { read: readSearch, faultsOf: () => ({}) }

export function readDraft(
  draft: Draft,
  { read, faultsOf }: FilterRules = ownRules,
): { ok: true; filters: Filters } | { ok: false; faults: Faults } {
  const filters = filtersIn(read(draft))
  const lost = (name: keyof Draft) => draft[name].trim() !== '' && filters[name] === undefined
  const faults = faultsOf(lost, filters)
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
  const { status, direction, country, quality, min_duration, max_duration, min_cost, max_cost } = filters
  const texts: [keyof Filters, string][] = []
  if (status !== undefined) texts.push(['status', `Status: ${statuses[status].label}`])
  if (direction !== undefined) texts.push(['direction', `${directions[direction].name} calls`])
  if (country !== undefined) texts.push(['country', `Country: ${countryName(country)}`])
  if (quality !== undefined) texts.push(['quality', `Speech quality: ${qualities[quality]}`])
  if (min_duration !== undefined) texts.push(['min_duration', `At least ${formatSeconds(min_duration)}`])
  if (max_duration !== undefined) texts.push(['max_duration', `At most ${formatSeconds(max_duration)}`])
  if (min_cost !== undefined) texts.push(['min_cost', `At least ${formatExactMoney(min_cost)}`])
  if (max_cost !== undefined) texts.push(['max_cost', `At most ${formatExactMoney(max_cost)}`])
  return texts.map(([name, text]) => {
    const { [name]: _, ...without } = filters
    return { text, without }
  })
}
