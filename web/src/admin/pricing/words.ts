import type { PriceChange, PriceRow, PricingRule } from '@trunkline/contract/bulk-pricing'
import { countryName } from '@trunkline/domain/countries'
import type { SkipReason } from '@trunkline/domain/pricing'
import { formatCost, formatExactMoney } from '../../common/format/money.ts'
import { formatCount, formatShortPercent } from '../../common/format/numbers.ts'

export const skipWords: Readonly<Record<SkipReason, string>> = {
  no_trunk: 'No active trunk serves this plan in this country',
  free: 'Free, and free prices are left out',
  no_cost: 'The rule gives a price of $0, because the cost of the trunk is $0',
  too_high: 'The price would be above $1000 per minute',
}

export const undoWords: Readonly<Record<'changed' | 'gone', string>> = {
  changed: 'Changed since',
  gone: 'Deleted since',
}

const MAX_NAMED = 3

/** "Cost of the dearest trunk plus 20%, a margin of at least $0.002, rounded up to $0.001". */
export function ruleWords(
  rule: Pick<PricingRule, 'percent' | 'floor' | 'lowest' | 'step' | 'basis'>,
): string {
  return [
    `Cost of the ${rule.basis} trunk plus ${formatShortPercent(rule.percent)}`,
    rule.floor > 0 && `a margin of at least ${formatExactMoney(rule.floor)}`,
    rule.lowest > 0 && `at least ${formatExactMoney(rule.lowest)} per minute`,
    `rounded up to ${formatExactMoney(rule.step)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** "Gold in Germany and France, with prefix rates". */
export function scopeWords({ plans, countries, with_prefixes, with_free }: PricingRule): string {
  const where = countries.length === 0 ? 'all countries' : listed(countries.map(countryName), 'countries')
  const what = plans.length === 0 ? 'All plans' : listed(plans, 'plans')
  const also = [with_prefixes && 'prefix rates', with_free && 'free prices'].filter(Boolean)
  return `${what} in ${where}${also.length > 0 ? `, with ${also.join(' and ')}` : ''}`
}

const listed = (names: readonly string[], many: string): string =>
  names.length <= MAX_NAMED
    ? names.join(', ').replace(/, ([^,]*)$/, ' and $1')
    : `${names.slice(0, MAX_NAMED - 1).join(', ')} and ${names.length - MAX_NAMED + 1} more ${many}`

/** "9 prices rise and 3 fall." */
export function directionWords({ counts: { rises, cuts } }: PriceChange): string {
  if (cuts === 0) return `${formatCount(rises, 'price rises', 'prices rise')}.`
  if (rises === 0) return `${formatCount(cuts, 'price falls', 'prices fall')}.`
  return `${formatCount(rises, 'price rises', 'prices rise')} and ${cuts} ${cuts === 1 ? 'falls' : 'fall'}.`
}

/** "On the minutes of the last 30 days this would have earned $12.50 more." */
export function effectWords(effect: number): string {
  const size = formatCost(Math.abs(effect))
  if (effect === 0) return 'On the minutes of the last 30 days this makes no difference.'
  return `On the minutes of the last 30 days this would have earned ${size} ${effect > 0 ? 'more' : 'less'}.`
}

/** "11 prices restored, 1 left as it is." */
export const undoneWords = ({ restored, left }: Pick<PriceChange, 'restored' | 'left'>): string =>
  [
    `${formatCount(restored ?? 0, 'price')} restored`,
    (left ?? 0) > 0 && `${left} left as ${left === 1 ? 'it is' : 'they are'}`,
  ]
    .filter(Boolean)
    .join(', ')

/** Key of a row. */
export const keyOf = ({ route_id, prefix }: PriceRow): string => `${route_id} ${prefix ?? ''}`
