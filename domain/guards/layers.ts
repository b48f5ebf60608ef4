import { smaller } from '../money/index.ts'
import { defaultGuards, type GuardLayer, type Guards } from './guards.ts'

/** The administrator's settings replace the defaults. The customer's settings can only tighten the result. */
export function effectiveGuards(admin: GuardLayer | null, customer: GuardLayer | null): Guards {
  const given = replaced(defaultGuards, admin)
  return customer ? tightened(given, customer) : given
}

const replaced = (base: Guards, layer: GuardLayer | null): Guards => ({
  maxConcurrentCalls: layer?.maxConcurrentCalls ?? base.maxConcurrentCalls,
  maxCallsPerSecond: layer?.maxCallsPerSecond ?? base.maxCallsPerSecond,
  dailySpendMicros: layer?.dailySpendMicros ?? base.dailySpendMicros,
  maxPriceMicros: layer?.maxPriceMicros ?? base.maxPriceMicros,
  allowedCountries: layer?.allowedCountries ?? base.allowedCountries,
  blockedCountries: layer?.blockedCountries ?? base.blockedCountries,
  isHighRiskAllowed: layer?.isHighRiskAllowed ?? base.isHighRiskAllowed,
  areCallsStopped: layer?.areCallsStopped ?? base.areCallsStopped,
})

const tightened = (base: Guards, layer: GuardLayer): Guards => ({
  maxConcurrentCalls: Math.min(base.maxConcurrentCalls, layer.maxConcurrentCalls ?? base.maxConcurrentCalls),
  maxCallsPerSecond: Math.min(base.maxCallsPerSecond, layer.maxCallsPerSecond ?? base.maxCallsPerSecond),
  dailySpendMicros: smaller(base.dailySpendMicros, layer.dailySpendMicros ?? base.dailySpendMicros),
  maxPriceMicros: smaller(base.maxPriceMicros, layer.maxPriceMicros ?? base.maxPriceMicros),
  allowedCountries: both(base.allowedCountries, layer.allowedCountries),
  blockedCountries: new Set([...base.blockedCountries, ...(layer.blockedCountries ?? [])]),
  isHighRiskAllowed: base.isHighRiskAllowed && layer.isHighRiskAllowed !== false,
  areCallsStopped: base.areCallsStopped || layer.areCallsStopped === true,
})

/** Intersection, where null means every country. */
const both = (left: Guards['allowedCountries'], right: Guards['allowedCountries']) =>
  left && right ? new Set([...left].filter((country) => right.has(country))) : (left ?? right)

/** True if `after` allows something that `before` refused. */
export function isLoosened(before: Guards, after: Guards): boolean {
  const kept = tightened(after, before)
  return (
    kept.maxConcurrentCalls !== after.maxConcurrentCalls ||
    kept.maxCallsPerSecond !== after.maxCallsPerSecond ||
    kept.dailySpendMicros !== after.dailySpendMicros ||
    kept.maxPriceMicros !== after.maxPriceMicros ||
    kept.isHighRiskAllowed !== after.isHighRiskAllowed ||
    kept.areCallsStopped !== after.areCallsStopped ||
    kept.blockedCountries.size !== after.blockedCountries.size ||
    kept.allowedCountries?.size !== after.allowedCountries?.size
  )
}
