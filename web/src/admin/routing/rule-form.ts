import type { RequestOf } from '@trunkline/contract'
import {
  RULE_MIN_CALLS_MAX,
  RULE_MIN_CALLS_MIN,
  RULE_REST_MINUTES_MAX,
  RULE_REST_MINUTES_MIN,
  RULE_WINDOW_MINUTES,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { RoutingRule } from '@trunkline/contract/routing-rules'
import type { Trunk } from '@trunkline/contract/trunks'
import { inOrder, serves } from '../trunks/trunk-words.ts'

export type RuleValues = {
  plan_id: string
  /** Empty for all countries. */
  country: string
  mode: RoutingRule['mode']
  order: readonly number[]
  /** Typed percentages by trunk. */
  shares: Readonly<Record<number, string>>
  has_threshold: boolean
  min_asr: string
  min_calls: string
  window_minutes: string
  rest_minutes: string
}

export type RuleDraft = Omit<RequestOf<'PUT /api/admin/routing-rules'>['body'], 'version'>

export const ruleLabels = {
  mode: 'First trunk',
  order: 'Order',
  shares: 'Shares',
  has_threshold: 'ASR threshold',
  min_asr: 'Lowest ASR',
  min_calls: 'Attempts',
  window_minutes: 'Window',
  rest_minutes: 'Rest',
} satisfies Partial<Record<keyof RuleValues, string>>

export const valuesOf = (rule: RoutingRule | null, planId = ''): RuleValues => ({
  plan_id: rule ? String(rule.plan_id) : planId,
  country: rule?.country_code ?? '',
  mode: rule?.mode ?? 'order',
  order: rule?.mode === 'order' ? rule.trunks.map(({ id }) => id) : [],
  shares:
    rule?.mode === 'share'
      ? Object.fromEntries(rule.trunks.map(({ id, percent }) => [id, String(percent)]))
      : {},
  has_threshold: rule?.quality != null,
  min_asr: String(rule?.quality?.min_asr ?? 40),
  min_calls: String(rule?.quality?.min_calls ?? 50),
  window_minutes: String(rule?.quality?.window_minutes ?? 60),
  rest_minutes: String(rule?.quality?.rest_minutes ?? 30),
})

/** The trunks that a rule can use: those of the plan, and for a country only those that serve it. */
export const trunksOf = (plan: string, country: string, trunks: readonly Trunk[]): Trunk[] =>
  trunks
    .filter((trunk) => (country === '' ? (trunk.plans ?? []).includes(plan) : serves(trunk, plan, country)))
    .sort(inOrder)

/** The chosen trunks in their order, then the others in the order without a rule. */
export const arranged = (order: readonly number[], serving: readonly Trunk[]): Trunk[] => {
  const chosen = order.flatMap((id) => serving.find((trunk) => trunk.id === id) ?? [])
  return [...chosen, ...serving.filter((trunk) => !chosen.includes(trunk))]
}

const wholeIn = (text: string, min: number, max: number): boolean =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max

const percentIn = (text: string | undefined): number => (text?.trim() ? Number(text) : 0)

/** Percent points that are not assigned; negative if the shares are too large, NaN if one is not a number. */
export const remainderOf = (shares: RuleValues['shares'], serving: readonly Trunk[]): number =>
  100 - serving.reduce((sum, { id }) => sum + percentIn(shares[id]), 0)

export type RuleErrors = Partial<Record<keyof RuleValues, string>>

export function validateRule(values: RuleValues, serving: readonly Trunk[]): RuleErrors {
  const { mode, shares, has_threshold } = values
  const areWhole = serving.every(({ id }) => wholeIn(shares[id]?.trim() || '0', 0, 100))
  return {
    ...(values.plan_id === '' && { plan_id: ownMessages.planMissing }),
    ...(mode === 'share' &&
      (!areWhole || remainderOf(shares, serving) !== 0) && { shares: ownMessages.sharesInvalid }),
    ...(has_threshold && {
      ...(!wholeIn(values.min_asr, 1, 100) && { min_asr: ownMessages.thresholdInvalid }),
      ...(!wholeIn(values.min_calls, RULE_MIN_CALLS_MIN, RULE_MIN_CALLS_MAX) && {
        min_calls: ownMessages.minCallsInvalid,
      }),
      ...(!wholeIn(values.rest_minutes, RULE_REST_MINUTES_MIN, RULE_REST_MINUTES_MAX) && {
        rest_minutes: ownMessages.restInvalid,
      }),
    }),
  }
}

export function draftOf(values: RuleValues, serving: readonly Trunk[]): RuleDraft {
  const { mode } = values
  return {
    plan_id: Number(values.plan_id),
    country: values.country || null,
    mode,
    trunks:
      mode === 'order'
        ? arranged(values.order, serving).map(({ id }) => ({ id, percent: null }))
        : mode === 'share'
          ? serving
              .map(({ id }) => ({ id, percent: percentIn(values.shares[id]) }))
              .filter(({ percent }) => percent > 0)
          : [],
    quality: values.has_threshold
      ? {
          min_asr: Number(values.min_asr),
          min_calls: Number(values.min_calls),
          window_minutes:
            RULE_WINDOW_MINUTES.find((minutes) => String(minutes) === values.window_minutes) ?? 60,
          rest_minutes: Number(values.rest_minutes),
        }
      : null,
  }
}
