import { formatCost, formatExact, ZERO } from '@trunkline/domain/money'
import { toMicros } from './dollars.ts'

/** `$0.02 / min`, with more decimals if needed; 'Free' for zero or no price. */
export const perMinute = (price: number | null | undefined): string =>
  price ? `${exactDollars(price)} / min` : 'Free'

/** All decimals, at least two. */
export const exactDollars = (amount: number): string => formatExact(toMicros(amount) ?? ZERO)

/** Call costs are rounded to the nearest cent. */
export const costInDollars = (amount: number): string => formatCost(toMicros(amount) ?? ZERO)

export type Billing = { connect_fee: number; first_increment: number; next_increment: number }

/** Increments and connect fee. Null for per-second billing without a fee. */
export function billingTerms({ connect_fee, first_increment, next_increment }: Billing): string | null {
  const terms: string[] = []
  if (first_increment !== 1 || next_increment !== 1)
    terms.push(
      first_increment === next_increment
        ? `billed per ${next_increment} s`
        : `minimum ${first_increment} s, then per ${next_increment} s`,
    )
  if (connect_fee > 0) terms.push(`${exactDollars(connect_fee)} per answered call`)
  return terms.length > 0 ? terms.join(', ') : null
}
