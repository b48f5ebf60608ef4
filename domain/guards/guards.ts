import type { CountryCode } from '../countries/index.ts'
import { dollars, type Micros } from '../money/index.ts'

/** The limits of one account. */
export type Guards = {
  readonly maxConcurrentCalls: number
  readonly maxCallsPerSecond: number
  readonly dailySpendMicros: Micros
  /** Per minute. */
  readonly maxPriceMicros: Micros
  /** Null: every country. */
  readonly allowedCountries: ReadonlySet<CountryCode> | null
  readonly blockedCountries: ReadonlySet<CountryCode>
  readonly isHighRiskAllowed: boolean
  readonly areCallsStopped: boolean
}

/** What the administrator, or the customer, has said. Null: nothing. */
export type GuardLayer = { readonly [Name in keyof Guards]: Guards[Name] | null }

/** What a new account has. Credentials that are stolen tonight cost $50 at most until somebody is awake. */
export const defaultGuards: Guards = {
  maxConcurrentCalls: 10,
  maxCallsPerSecond: 5,
  dailySpendMicros: dollars(50),
  maxPriceMicros: dollars(1),
  allowedCountries: null,
  blockedCountries: new Set(),
  isHighRiskAllowed: false,
  areCallsStopped: false,
}

export const emptyGuardLayer: GuardLayer = {
  maxConcurrentCalls: null,
  maxCallsPerSecond: null,
  dailySpendMicros: null,
  maxPriceMicros: null,
  allowedCountries: null,
  blockedCountries: null,
  isHighRiskAllowed: null,
  areCallsStopped: null,
}
