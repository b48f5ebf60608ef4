import { type Micros, parseDollars } from '@trunkline/domain/money'

/** The API sends dollars. Calculations use micro-dollars. Null for amounts with too many decimals or out of range. */
export function toMicros(amount: number): Micros | null {
  const parsed = parseDollars(amount)
  return parsed.ok ? parsed.amountMicros : null
}
