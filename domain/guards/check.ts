import type { CountryCode } from '../countries/index.ts'
import { larger, type Micros, micros, ZERO } from '../money/index.ts'
import type { Guards } from './guards.ts'

/** Refusals by a guard. Each one alerts the customer and the administrators. */
export const guardReasons = [
  'calls_stopped',
  'country_blocked',
  'high_risk_blocked',
  'price_above_limit',
  'too_many_calls',
  'too_many_calls_per_second',
  'daily_spend_reached',
] as const
export type GuardReason = (typeof guardReasons)[number]

export const isGuardReason = (reason: string): boolean => guardReasons.some((guard) => guard === reason)

export const isCountryAllowed = (
  { allowedCountries, blockedCountries }: Pick<Guards, 'allowedCountries' | 'blockedCountries'>,
  country: CountryCode,
): boolean => !blockedCountries.has(country) && (allowedCountries === null || allowedCountries.has(country))

export function guardDestination(
  guards: Guards,
  number: { readonly country: CountryCode; readonly isHighRisk: boolean },
): GuardReason | null {
  if (!isCountryAllowed(guards, number.country)) return 'country_blocked'
  return number.isHighRisk && !guards.isHighRiskAllowed ? 'high_risk_blocked' : null
}

export const guardPrice = (guards: Guards, priceMicros: Micros): GuardReason | null =>
  priceMicros > guards.maxPriceMicros ? 'price_above_limit' : null

/** The counts exclude the call itself. */
export function guardPace(guards: Guards, liveCalls: number, callsThisSecond: number): GuardReason | null {
  if (liveCalls >= guards.maxConcurrentCalls) return 'too_many_calls'
  return callsThisSecond >= guards.maxCallsPerSecond ? 'too_many_calls_per_second' : null
}

/** The rest of the daily limit, for spending and for holds. */
export const spendableToday = (guards: Guards, spentMicros: Micros, heldMicros: Micros): Micros =>
  larger(ZERO, micros(guards.dailySpendMicros - spentMicros - heldMicros))
