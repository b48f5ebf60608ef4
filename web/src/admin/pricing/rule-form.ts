import type { RequestOf } from '@trunkline/contract'
import { PRICE_MAX_DOLLARS, PRICING_PERCENT_MAX, ROUNDING_STEPS_DOLLARS } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { CostBasis } from '@trunkline/domain/pricing'

/** The rule as typed. */
export type RuleDraft = {
  percent: string
  floor: string
  lowest: string
  step: string
  basis: CostBasis
  plans: readonly string[]
  countries: readonly string[]
  with_prefixes: boolean
  with_free: boolean
}

export type Rule = RequestOf<'POST /api/admin/bulk-pricing/preview'>['body']

export const FIRST_RULE: RuleDraft = {
  percent: '20',
  floor: '0',
  lowest: '0',
  step: '0.001',
  basis: 'dearest',
  plans: [],
  countries: [],
  with_prefixes: false,
  with_free: false,
}

const PERCENT = /^\d{1,4}(\.\d)?$/
const DOLLARS = /^\d{1,4}(\.\d{1,6})?$/

/** An empty field is zero. */
const textOf = (typed: string): string => typed.trim() || '0'

const isBetween = (typed: string, form: RegExp, most: number): boolean =>
  form.test(textOf(typed)) && Number(textOf(typed)) <= most

export function faultsIn({ percent, floor, lowest }: RuleDraft) {
  return {
    ...(!isBetween(percent, PERCENT, PRICING_PERCENT_MAX) && { percent: ownMessages.percentInvalid }),
    ...(!isBetween(floor, DOLLARS, PRICE_MAX_DOLLARS) && { floor: ownMessages.marginInvalid }),
    ...(!isBetween(lowest, DOLLARS, PRICE_MAX_DOLLARS) && { lowest: ownMessages.marginInvalid }),
  }
}

/** Null if a field is invalid. */
export function ruleOf(draft: RuleDraft): Rule | null {
  const step = ROUNDING_STEPS_DOLLARS.find((each) => String(each) === draft.step)
  if (Object.keys(faultsIn(draft)).length > 0 || step === undefined) return null
  return {
    ...draft,
    percent: Number(textOf(draft.percent)),
    floor: Number(textOf(draft.floor)),
    lowest: Number(textOf(draft.lowest)),
    step,
    plans: [...draft.plans],
    countries: [...draft.countries],
  }
}
