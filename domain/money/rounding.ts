import { type Micros, micros } from './micros.ts'

/** Bigint division cuts toward zero; these two round one way whatever the signs. */
export function floorDiv(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be above zero')
  const cut = numerator / denominator
  return numerator % denominator < 0n ? cut - 1n : cut
}

export const ceilDiv = (numerator: bigint, denominator: bigint): bigint => -floorDiv(-numerator, denominator)

/** To the nearest, a half away from zero, so that a credit rounds as its debit does. */
export function roundDiv(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = floorDiv(2n * size + denominator, 2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

export const times = (amount: Micros, count: bigint): Micros => micros(amount * count)

/** `amount` × numerator ÷ denominator, rounded up: what a cost does (price per minute × seconds ÷ 60). */
export const shareRoundedUp = (amount: Micros, numerator: bigint, denominator: bigint): Micros =>
  micros(ceilDiv(amount * numerator, denominator))

export const BASIS_POINTS_OF_WHOLE = 10_000n

/**
 * A percentage, in basis points (1 % = 100). The caller names the rounding, since it says who gains the last
 * micro-dollar: 'up' for what is charged, 'down' for what is given (a promo bonus).
 */
export function percentageOf(amount: Micros, basisPoints: number, rounding: 'up' | 'down'): Micros {
  const share = amount * BigInt(basisPoints)
  return micros(
    rounding === 'up' ? ceilDiv(share, BASIS_POINTS_OF_WHOLE) : floorDiv(share, BASIS_POINTS_OF_WHOLE),
  )
}
