import { type Micros, micros, roundDiv, subtract } from '../money/index.ts'
import { costOfMinute, type Rate } from '../rating/index.ts'
import { type PricingRule, priceFor } from './rule.ts'

/** Which trunk of a route the price is based on. */
export const costBases = ['dearest', 'cheapest'] as const
export type CostBasis = (typeof costBases)[number]

/** Why a price stays as it is, apart from being right already. */
export const skipReasons = ['no_trunk', 'free', 'no_cost', 'too_high'] as const
export type SkipReason = (typeof skipReasons)[number]

export type PriceDecision = {
  readonly skipped: SkipReason | null
  /** Null if the price is skipped. Equal to the present price if that is right. */
  readonly priceMicros: Micros | null
}

type Question = {
  readonly rule: PricingRule
  /** Cost of a one-minute call, null without a usable trunk. */
  readonly costMicros: Micros | null
  readonly rate: Rate
  readonly includesFree: boolean
  readonly maxPriceMicros: Micros
}

/** The new price of a rate, or the reason to leave it alone. */
export function decidePrice(question: Question): PriceDecision {
  const { rule, costMicros, rate, includesFree, maxPriceMicros } = question
  if (rate.priceMicros === 0n && !includesFree) return skip('free')
  if (costMicros === null) return skip('no_trunk')
  const priceMicros = priceFor(rule, costMicros, rate)
  // A trunk whose cost nobody entered must not make calls free.
  if (priceMicros === 0n) return skip('no_cost')
  if (priceMicros > maxPriceMicros) return skip('too_high')
  return { skipped: null, priceMicros }
}

const skip = (skipped: SkipReason): PriceDecision => ({ skipped, priceMicros: null })

/** The candidate with the highest or lowest cost, the first of equals. Null without candidates. */
export function chooseCost<Candidate extends { readonly costMicros: Micros }>(
  candidates: readonly Candidate[],
  basis: CostBasis,
): Candidate | null {
  const isBetter = (left: Micros, right: Micros) => (basis === 'dearest' ? left > right : left < right)
  return candidates.reduce<Candidate | null>(
    (best, each) => (best === null || isBetter(each.costMicros, best.costMicros) ? each : best),
    null,
  )
}

export type Margin = {
  readonly marginMicros: Micros
  /** Share of the price, in tenths of a percent. Null for a free call. */
  readonly percentTenths: number | null
}

/** The margin of a one-minute call. */
export function marginOf(rate: Rate, costMicros: Micros): Margin {
  const earned = costOfMinute(rate)
  const marginMicros = subtract(earned, costMicros)
  return {
    marginMicros,
    percentTenths: earned === 0n ? null : Number(roundDiv(marginMicros * 1_000n, earned)),
  }
}

/** Change of revenue if these seconds had cost the other price. Ignores fees and increments. */
export const effectOf = (beforeMicros: Micros, afterMicros: Micros, seconds: bigint): Micros =>
  micros(roundDiv((afterMicros - beforeMicros) * seconds, 60n))
