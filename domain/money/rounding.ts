import { type Micros, micros } from './micros.ts'

/** Rounds toward negative infinity. Bigint division rounds toward zero. */
export function floorDiv(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be above zero')
  const cut = numerator / denominator
  return numerator % denominator < 0n ? cut - 1n : cut
}

export const ceilDiv = (numerator: bigint, denominator: bigint): bigint => -floorDiv(-numerator, denominator)

/** Rounds to the nearest integer, halves away from zero, so a credit and its debit round alike. */
export function roundDiv(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator
  const rounded = floorDiv(2n * size + denominator, 2n * denominator)
  return numerator < 0n ? -rounded : rounded
}

/** `amount` × numerator ÷ denominator, rounded up, for example price per minute × seconds ÷ 60. */
export const shareRoundedUp = (amount: Micros, numerator: bigint, denominator: bigint): Micros =>
  micros(ceilDiv(amount * numerator, denominator))

export const BASIS_POINTS_PER_WHOLE = 10_000n

/**
 * A percentage in basis points (1 % = 100). Round charges 'up' and credits, such as promo bonuses, 'down'.
 */
export function percentageOf(amount: Micros, basisPoints: number, rounding: 'up' | 'down'): Micros {
  const share = amount * BigInt(basisPoints)
  return micros(
    rounding === 'up' ? ceilDiv(share, BASIS_POINTS_PER_WHOLE) : floorDiv(share, BASIS_POINTS_PER_WHOLE),
  )
}
