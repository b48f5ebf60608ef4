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

/** Amounts arrive as dollars; whatever is added up or shown here is counted in micro-dollars first. */

/** Null for what is no amount of money: more digits than there are micro-dollars, or more money than there is. */
export function toMicros(amount: number): Micros | null {
  const parsed = parseDollars(amount)
  return parsed.ok ? parsed.amountMicros : null
}

/** `$1234.50`, rounded down: nobody is shown a cent that is not there. */
export const inDollars = (amount: number): string => formatDollars(toMicros(amount) ?? ZERO)

export const totalInDollars = (...amounts: number[]): string =>
  formatDollars(sum(amounts.map((amount) => toMicros(amount) ?? ZERO)))

/** What is left of an amount: `$1200.00` of which `$2.50` is held leaves `$1197.50`. */
export const restInDollars = (amount: number, taken: number): string =>
  formatDollars(add(toMicros(amount) ?? ZERO, toMicros(-taken) ?? ZERO))

/** What is taken of an amount, rounded so that amount, taken and rest add up as they are shown. */
export function takenInDollars(amount: number, taken: number): string {
  const all = toMicros(amount) ?? ZERO
  const rest = add(all, toMicros(-taken) ?? ZERO)
  const wholeCents = (shown: Micros) => micros(floorDiv(shown, MICROS_PER_CENT) * MICROS_PER_CENT)
  return formatDollars(subtract(wholeCents(all), wholeCents(rest)))
}

/** `+$5.00`, `-$0.0012`: what a balance gained or lost, every digit of it. */
export const signedDollars = (amount: number): string =>
  `${amount > 0 ? '+' : ''}${formatExact(toMicros(amount) ?? ZERO)}`
