import { type Micros, parseDollars } from '@trunkline/domain/money'

/** Converts validated dollars to micro-dollars. Throws for other values. */
export function microsOf(dollars: number): Micros {
  const parsed = parseDollars(dollars)
  if (!parsed.ok) throw new Error(`${dollars} is not a valid amount`)
  return parsed.amountMicros
}
