import type { CountryCode } from '../countries/index.ts'
import { dollars, type Micros } from '../money/index.ts'

/** The limits of an account. */
export type Guards = {
  readonly maxConcurrentCalls: number
  readonly maxCallsPerSecond: number
  readonly dailySpendMicros: Micros
  /** Price per minute. */
  readonly maxPriceMicros: Micros
  /** Null allows every country. */
  readonly allowedCountries: ReadonlySet<CountryCode> | null
  readonly blockedCountries: ReadonlySet<CountryCode>
  readonly isHighRiskAllowed: boolean
  readonly areCallsStopped: boolean
}

/** Settings of the administrator or of the customer. Null means not set. */
export type GuardLayer = { readonly [Name in keyof Guards]: Guards[Name] | null }

/** Guards of a new account. They limit the damage of stolen credentials to $50 a day. */
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
