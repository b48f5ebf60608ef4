import { add, type Micros, shareRoundedUp, ZERO } from '../money/index.ts'
import { billedSeconds } from './increments.ts'
import type { Rate } from './rate.ts'

/**
 * Fee plus price × billed seconds ÷ 60, rounded up once for the whole call. Rounding each slice would make a call more
 * expensive with every extension.
 */
export function costOf(rate: Rate, seconds: number): Micros {
  const billed = billedSeconds(rate, seconds)
  return billed === 0
    ? ZERO
    : add(rate.connectFeeMicros, shareRoundedUp(rate.priceMicros, BigInt(billed), 60n))
}

/** Compares rates with different fees and increments. Equal to the price without a fee and with increments up to a minute. */
export const costOfMinute = (rate: Rate): Micros => costOf(rate, 60)
