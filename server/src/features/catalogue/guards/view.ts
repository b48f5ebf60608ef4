import type {
  GuardChange,
  Guards as ShownGuards,
  GuardLayer as ShownLayer,
  templateLimits,
} from '@trunkline/contract/guards'
import { type CountryCode, countryName } from '@trunkline/domain/countries'
import { emptyGuardLayer, type GuardLayer, type Guards } from '@trunkline/domain/guards'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { microsOf } from '../../../platform/amounts.ts'
import type { GuardValues } from './store.ts'
import type { TemplateValues } from './templates-store.ts'

/** Converts a row for the domain. */
export const layerOf = (row: GuardValues | null): GuardLayer =>
  row === null
    ? emptyGuardLayer
    : {
        maxConcurrentCalls: row.max_concurrent_calls,
        maxCallsPerSecond: row.max_calls_per_second,
        dailySpendMicros: row.daily_spend_micros === null ? null : micros(row.daily_spend_micros),
        maxPriceMicros: row.max_price_micros === null ? null : micros(row.max_price_micros),
        allowedCountries: row.allowed_countries && new Set(row.allowed_countries),
        blockedCountries: row.blocked_countries && new Set(row.blocked_countries),
        isHighRiskAllowed: row.is_high_risk_allowed,
        areCallsStopped: row.are_calls_stopped,
      }

export const viewLayer = (layer: GuardLayer): ShownLayer => ({
  max_concurrent_calls: layer.maxConcurrentCalls,
  max_calls_per_second: layer.maxCallsPerSecond,
  daily_spend: layer.dailySpendMicros === null ? null : toWireNumber(layer.dailySpendMicros),
  max_price: layer.maxPriceMicros === null ? null : toWireNumber(layer.maxPriceMicros),
  allowed_countries: layer.allowedCountries && viewCountries(layer.allowedCountries),
  blocked_countries: layer.blockedCountries && viewCountries(layer.blockedCountries),
  high_risk_allowed: layer.isHighRiskAllowed,
  calls_stopped: layer.areCallsStopped,
})

export const viewGuards = (guards: Guards): ShownGuards => ({
  max_concurrent_calls: guards.maxConcurrentCalls,
  max_calls_per_second: guards.maxCallsPerSecond,
  daily_spend: toWireNumber(guards.dailySpendMicros),
  max_price: toWireNumber(guards.maxPriceMicros),
  allowed_countries: guards.allowedCountries && viewCountries(guards.allowedCountries),
  blocked_countries: viewCountries(guards.blockedCountries),
  high_risk_allowed: guards.isHighRiskAllowed,
  calls_stopped: guards.areCallsStopped,
})

/** Merges the given fields into the row. */
export function changed(row: GuardValues | null, change: GuardChange): GuardValues {
  const kept = <Value>(given: Value | undefined, was: Value | undefined): Value | null =>
    given === undefined ? (was ?? null) : given
  const money = (dollars: number | null | undefined) =>
    dollars === undefined || dollars === null ? dollars : microsOf(dollars)
  return {
    max_concurrent_calls: kept(change.max_concurrent_calls, row?.max_concurrent_calls),
    max_calls_per_second: kept(change.max_calls_per_second, row?.max_calls_per_second),
    daily_spend_micros: kept<bigint | null>(money(change.daily_spend), row?.daily_spend_micros),
    max_price_micros: kept<bigint | null>(money(change.max_price), row?.max_price_micros),
    allowed_countries: kept(change.allowed_countries, row?.allowed_countries),
    blocked_countries: kept(change.blocked_countries, row?.blocked_countries),
    is_high_risk_allowed: kept(change.high_risk_allowed, row?.is_high_risk_allowed),
    are_calls_stopped: kept(change.calls_stopped, row?.are_calls_stopped),
  }
}

type PlainLimits = Record<(typeof templateLimits)[number], unknown>

/** The limits of a template as JSON, to store and to compare. */
export const plainLimits = (row: TemplateValues): PlainLimits => ({
  daily_spend: row.daily_spend_micros === null ? null : toWireNumber(micros(row.daily_spend_micros)),
  max_price: row.max_price_micros === null ? null : toWireNumber(micros(row.max_price_micros)),
  max_concurrent_calls: row.max_concurrent_calls,
  max_calls_per_second: row.max_calls_per_second,
  allowed_countries: row.allowed_countries,
  blocked_countries: row.blocked_countries,
  high_risk_allowed: row.is_high_risk_allowed,
})

const viewCountries = (codes: ReadonlySet<CountryCode>) =>
  [...codes].map((code) => ({ country: countryName(code), country_code: code }))
