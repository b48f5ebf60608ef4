import { floorDiv, type Micros, subtract, ZERO } from '../money/index.ts'
import { MAX_CALL_SECONDS } from './duration.ts'
import { wholeBlocks } from './increments.ts'
import type { Rate } from './rate.ts'

/** How many seconds the money pays for, up to the longest call. 0 if not even the first block is affordable. */
export function affordableSeconds(rate: Rate, availableMicros: Micros): number {
  const afterFee = subtract(availableMicros, rate.connectFeeMicros)
  if (afterFee < ZERO) return 0
  if (rate.priceMicros === ZERO) return MAX_CALL_SECONDS
  const paidFor = Number(floorDiv(afterFee * 60n, rate.priceMicros))
  return Math.min(wholeBlocks(rate, paidFor), MAX_CALL_SECONDS)
}
