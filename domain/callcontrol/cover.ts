import type { Micros } from '../money/index.ts'
import { affordableSeconds, billedSeconds, costOf, type Rate } from '../rating/index.ts'

/** Totals since the answer, never differences: said twice they mean the same. */
export type Cover = { readonly coveredSeconds: number; readonly holdMicros: Micros }

/**
 * What is held so that the call may last as long as wanted, or as the money does, and never beyond the longest call; null
 * when that is not even the first block. Goes to the end of a block: what is charged may be used.
 */
export function cover(rate: Rate, availableMicros: Micros, wantedSeconds: number): Cover | null {
  const coveredSeconds = Math.min(
    billedSeconds(rate, wantedSeconds),
    affordableSeconds(rate, availableMicros),
  )
  return coveredSeconds > 0 ? { coveredSeconds, holdMicros: costOf(rate, coveredSeconds) } : null
}
