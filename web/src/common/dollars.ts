import {
  add,
  floorDiv,
  formatDollars,
  formatExact,
  MICROS_PER_CENT,
  type Micros,
  micros,
  parseDollars,
  subtract,
  sum,
  ZERO,
} from '@trunkline/domain/money'

/** The API sends dollars. Calculations use micro-dollars. */

/** Null for amounts with too many decimals or out of range. */
export function toMicros(amount: number): Micros | null {
  const parsed = parseDollars(amount)
  return parsed.ok ? parsed.amountMicros : null
}

/** `$1234.50`, rounded down. */
export const inDollars = (amount: number): string => formatDollars(toMicros(amount) ?? ZERO)

export const totalInDollars = (...amounts: number[]): string =>
  formatDollars(sum(amounts.map((amount) => toMicros(amount) ?? ZERO)))

/** `$1197.50` for `$1200.00` with `$2.50` held. */
export const restInDollars = (amount: number, taken: number): string =>
  formatDollars(add(toMicros(amount) ?? ZERO, toMicros(-taken) ?? ZERO))

/** Rounded so that amount, taken and rest add up as shown. */
export function takenInDollars(amount: number, taken: number): string {
  const all = toMicros(amount) ?? ZERO
  const rest = add(all, toMicros(-taken) ?? ZERO)
  const wholeCents = (shown: Micros) => micros(floorDiv(shown, MICROS_PER_CENT) * MICROS_PER_CENT)
  return formatDollars(subtract(wholeCents(all), wholeCents(rest)))
}

/** `+$5.00`, `-$0.0012`: a balance change with all digits. */
export const signedDollars = (amount: number): string =>
  `${amount > 0 ? '+' : ''}${formatExact(toMicros(amount) ?? ZERO)}`
