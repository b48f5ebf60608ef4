import type { RoutingRule, RuleTrunkState } from '@trunkline/contract/routing-rules'
import { countryName } from '@trunkline/domain/countries'
import { percent } from '../../../platform/figures.ts'
import type { RuleRows, StateRow } from './store.ts'

/** Identifies the alert of a demotion. */
export const demotionSubject = (trunkId: number, ruleId: number): string => `trunk:${trunkId}:rule:${ruleId}`

export const viewRule = (row: RuleRows): RoutingRule => ({
  id: row.id,
  plan_id: row.plan_id,
  planname: row.plan_name,
  country: row.country === null ? '' : countryName(row.country),
  country_code: row.country,
  mode: row.mode,
  trunks: row.trunks.map((trunk) => ({ id: trunk.trunk_id, name: trunk.name, percent: trunk.percent })),
  quality: qualityOf(row),
  states: row.states.map(viewState),
  version: row.version,
  updated_at: row.updated_at.toISOString(),
})

const qualityOf = ({ min_asr, min_calls, window_minutes, rest_minutes }: RuleRows): RoutingRule['quality'] =>
  min_asr === null
    ? null
    : {
        min_asr,
        min_calls: min_calls ?? 0,
        window_minutes: (window_minutes ?? 15) as NonNullable<RoutingRule['quality']>['window_minutes'],
        rest_minutes: rest_minutes ?? 0,
      }

const viewState = (row: StateRow): RuleTrunkState => ({
  trunk_id: row.trunk_id,
  trunk_name: row.name,
  calls: row.seen_calls,
  asr: percent(row.seen_answered, row.seen_calls),
  demoted_since: row.demoted_since?.toISOString() ?? null,
  returns_at: row.returns_at?.toISOString() ?? null,
  demoted_asr: row.cause_calls === null ? null : percent(row.cause_answered ?? 0, row.cause_calls),
  judged_at: row.judged_at.toISOString(),
})
