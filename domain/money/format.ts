import { MICROS_PER_CENT, MICROS_PER_DOLLAR, type Micros } from './micros.ts'
import { floorDiv, roundDiv } from './rounding.ts'

/**
 * Formats a balance, rounded down so it never shows a cent that cannot be spent. No thousands separator: the
 * specification writes $1000.
 */
export const formatDollars = (balanceMicros: Micros): string =>
  writeCents(floorDiv(balanceMicros, MICROS_PER_CENT))

/**
 * Formats a cost or price, rounded to the nearest cent so errors cancel out over many calls. Rounding up would
 * show a call of $0.0012 at eight times its cost.
 */
export const formatCost = (costMicros: Micros): string => writeCents(roundDiv(costMicros, MICROS_PER_CENT))

/** Formats all digits with at least two decimals: $0.0012, $1.50. For receipts and call details. */
export const formatExact = (amountMicros: Micros): string => {
  const [whole = '', fraction = ''] = toDecimal(amountMicros < 0n ? -amountMicros : amountMicros).split('.')
  const shown = fraction.replace(/0+$/, '').padEnd(2, '0')
  return `${amountMicros < 0n ? '-' : ''}$${whole}.${shown}`
}

/** Dollars as a JSON number. Exact below $1 billion. */
export const toWireNumber = (amountMicros: Micros): number => Number(toDecimal(amountMicros))

function writeCents(cents: bigint): string {
  const size = cents < 0n ? -cents : cents
  return `${cents < 0n ? '-' : ''}$${size / 100n}.${String(size % 100n).padStart(2, '0')}`
}

function toDecimal(amountMicros: bigint): string {
  const size = amountMicros < 0n ? -amountMicros : amountMicros
  const fraction = String(size % MICROS_PER_DOLLAR).padStart(6, '0')
  return `${amountMicros < 0n ? '-' : ''}${size / MICROS_PER_DOLLAR}.${fraction}`
}
