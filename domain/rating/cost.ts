import { add, type Micros, shareRoundedUp, ZERO } from '../money/index.ts'
import { billedSeconds } from './increments.ts'
import type { Rate } from './rate.ts'

/**
 * Fee plus price × billed seconds ÷ 60, rounded up once, over the whole call: rounded slice by slice, a call would cost more
 * the more often it is extended.
 */
export function costOf(rate: Rate, seconds: number): Micros {
  const billed = billedSeconds(rate, seconds)
  return billed === 0
    ? ZERO
    : add(rate.connectFeeMicros, shareRoundedUp(rate.priceMicros, BigInt(billed), 60n))
}
