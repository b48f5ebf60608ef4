import { larger, type Micros, micros } from '../money/index.ts'
import { billedSeconds, type Rate } from '../rating/index.ts'

/** New prices are multiples of one of these, in micro-dollars. */
export const ROUNDING_STEPS = [100n, 1_000n, 5_000n, 10_000n].map(micros)

/** The margin that a price must leave on a one-minute call, and how the price is rounded. */
export type PricingRule = {
  /** Percent over the cost, in tenths: 125 is 12.5%. */
  readonly percentTenths: number
  /** Smallest margin. Applies where the percentage gives less. */
  readonly floorMicros: Micros
  /** Lowest price per minute. */
  readonly lowestMicros: Micros
  /** Prices are rounded up to a multiple. */
  readonly stepMicros: Micros
}

export type BillingTerms = Pick<Rate, 'connectFeeMicros' | 'firstIncrement' | 'nextIncrement'>

const TENTHS_PER_WHOLE = 1_000n

/** What a one-minute call must earn. */
export function targetOf({ percentTenths, floorMicros }: PricingRule, costMicros: Micros): Micros {
  const share = costMicros * BigInt(percentTenths)
  return micros(costMicros + larger(micros(ceil(share, TENTHS_PER_WHOLE)), floorMicros))
}

/** The lowest price per minute, a multiple of the step, at which a one-minute call earns the target. */
export function priceFor(rule: PricingRule, costMicros: Micros, terms: BillingTerms): Micros {
  const fromMinutes = targetOf(rule, costMicros) - terms.connectFeeMicros
  const billed = BigInt(billedSeconds(terms, 60))
  // The charge is rounded up to a micro-dollar, so it is enough to be above the next lower one.
  const needed = fromMinutes <= 0n ? 0n : ((fromMinutes - 1n) * 60n) / billed + 1n
  const price = larger(micros(needed), rule.lowestMicros)
  return micros(ceil(price, rule.stepMicros) * rule.stepMicros)
}

/** Rounds up. Neither number is negative. */
const ceil = (amount: bigint, step: bigint): bigint => (amount + step - 1n) / step
