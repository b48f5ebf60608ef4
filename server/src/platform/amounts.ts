import { type Micros, parseDollars } from '@trunkline/domain/money'

/** Dollars that the contract has let through, as money. Anything else is a bug of ours. */
export function microsOf(dollars: number): Micros {
  const parsed = parseDollars(dollars)
  if (!parsed.ok) throw new Error(`${dollars} is no amount of money`)
  return parsed.amountMicros
}
