import type { GuardChange } from '@trunkline/contract/guards'
import { effectiveGuards, type GuardLayer } from '@trunkline/domain/guards'

/**
 * Fields of a customer's change that exceed the limits of the account. A field exceeds them if the effective limit would differ
 * from the requested one. Blocked countries only tighten.
 */
export function loosenedFields(
  admin: GuardLayer,
  wanted: GuardLayer,
  change: GuardChange,
): (keyof GuardChange)[] {
  const bound = effectiveGuards(admin, wanted)
  const given = <Value>(field: keyof GuardChange, asked: Value | null, binds: Value | null) =>
    change[field] !== undefined && asked !== null && asked !== binds ? [field] : []
  const isWithin = [...(wanted.allowedCountries ?? [])].every((code) => bound.allowedCountries?.has(code))
  return [
    ...given('max_concurrent_calls', wanted.maxConcurrentCalls, bound.maxConcurrentCalls),
    ...given('max_calls_per_second', wanted.maxCallsPerSecond, bound.maxCallsPerSecond),
    ...given('daily_spend', wanted.dailySpendMicros, bound.dailySpendMicros),
    ...given('max_price', wanted.maxPriceMicros, bound.maxPriceMicros),
    ...given('high_risk_allowed', wanted.isHighRiskAllowed, bound.isHighRiskAllowed),
    ...given('calls_stopped', wanted.areCallsStopped, bound.areCallsStopped),
    ...given('allowed_countries', true, isWithin),
  ]
}
