import { formatSeconds } from './format/durations.ts'
import { formatExactMoney } from './format/money.ts'

export type Billing = { connect_fee: number; first_increment: number; next_increment: number }

/** Increments and connect fee. Null for per-second billing without a fee. */
export function billingTerms({ connect_fee, first_increment, next_increment }: Billing): string | null {
  const terms: string[] = []
  if (first_increment !== 1 || next_increment !== 1)
    terms.push(
      first_increment === next_increment
        ? `billed per ${formatSeconds(next_increment)}`
        : `minimum ${formatSeconds(first_increment)}, then per ${formatSeconds(next_increment)}`,
    )
  if (connect_fee > 0) terms.push(`${formatExactMoney(connect_fee)} per answered call`)
  return terms.length > 0 ? terms.join(', ') : null
}
