import {
  add,
  floorDiv,
  formatDollars,
  formatExact,
  MICROS_PER_CENT,
  type Micros,
  micros,
  formatCost as nearestCent,
  subtract,
  sum,
  ZERO,
} from '@trunkline/domain/money'
import { toMicros } from '../dollars.ts'
import { NOTHING } from './viewer.ts'

/** Amounts look the same in every region: the specification writes `$1000.00`. */

type Dollars = number | null | undefined

const writing =
  (write: (amount: Micros) => string) =>
  (amount: Dollars): string =>
    amount === null || amount === undefined || Number.isNaN(amount)
      ? NOTHING
      : write(toMicros(amount) ?? ZERO)

/** `$1234.50`, rounded down: a balance never shows a cent that cannot be spent. */
export const formatMoney = writing(formatDollars)

/** `$0.01`, rounded to the nearest cent: the cost of calls. */
export const formatCost = writing(nearestCent)

/** `$0.0012`: all decimals, at least two. */
export const formatExactMoney = writing(formatExact)

/** `+$5.00`, `-$0.0012`: a balance change with all digits. */
export const formatSignedMoney = (amount: number): string =>
  `${amount > 0 ? '+' : ''}${formatExactMoney(amount)}`

/** `+$5.00`, `-$0.01`: a difference of costs, rounded to the nearest cent. */
export const formatSignedCost = (amount: number): string =>
  `${amount >= 0.005 ? '+' : ''}${formatCost(amount)}`

/** `$0.02 / min`, with more decimals if needed; 'Free' for zero or no price. */
export const formatRate = (price: Dollars): string => (price ? `${formatExactMoney(price)} / min` : 'Free')

/** `$0.0145`: four decimals, so that a running cost visibly changes. */
export const formatRunningCost = (cost: number): string => `$${cost.toFixed(4)}`

/** `$1.2k`, for an axis. */
export function formatShortMoney(amount: number): string {
  const [size, unit] = Math.abs(amount) >= 1_000 ? [amount / 1_000, 'k'] : [amount, '']
  const digits = Number.isInteger(size) ? 0 : Math.abs(size) < 1 ? 2 : 1
  return `${size < 0 ? '-' : ''}$${Math.abs(size).toFixed(digits)}${unit}`
}

export const formatSum = (...amounts: number[]): string =>
  formatDollars(sum(amounts.map((amount) => toMicros(amount) ?? ZERO)))

/** `$1197.50` for `$1200.00` with `$2.50` held. */
export const formatRest = (amount: number, taken: number): string =>
  formatDollars(add(toMicros(amount) ?? ZERO, toMicros(-taken) ?? ZERO))

/** Rounded so that amount, taken and rest add up as shown. */
export function formatTaken(amount: number, taken: number): string {
  const all = toMicros(amount) ?? ZERO
  const rest = add(all, toMicros(-taken) ?? ZERO)
  const wholeCents = (shown: Micros) => micros(floorDiv(shown, MICROS_PER_CENT) * MICROS_PER_CENT)
  return formatDollars(subtract(wholeCents(all), wholeCents(rest)))
}
