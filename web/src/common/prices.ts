import { formatCost, formatExact, ZERO } from '@trunkline/domain/money'
import { toMicros } from './dollars.ts'

/** `$0.02 / min`, with more digits where the price has them; 'Free' when it is zero or absent. */
export const perMinute = (price: number | null | undefined): string =>
  price ? `${exactDollars(price)} / min` : 'Free'

/** Every digit there is, at least two decimals. */
export const exactDollars = (amount: number): string => formatExact(toMicros(amount) ?? ZERO)

/** What a call cost, to the nearest cent. */
export const costInDollars = (amount: number): string => formatCost(toMicros(amount) ?? ZERO)

export type Billing = { connect_fee: number; first_increment: number; next_increment: number }

/** What the price of a minute does not tell. Null where every second is charged as it passes and nothing else. */
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
