import type { Micros } from '../money/index.ts'
import { affordableSeconds, billedSeconds, costOf, type Rate } from '../rating/index.ts'

/** Totals since the answer, not differences, so repeating a command changes nothing. */
export type Cover = { readonly coveredSeconds: number; readonly holdMicros: Micros }

/**
 * The hold for `wantedSeconds`, reduced to what `availableMicros` pays for and to the longest call. Null if not even the
 * first block is affordable. Cover ends with a whole block, so the customer can use every second they pay for.
 */
export function cover(rate: Rate, availableMicros: Micros, wantedSeconds: number): Cover | null {
  const coveredSeconds = Math.min(
    billedSeconds(rate, wantedSeconds),
    affordableSeconds(rate, availableMicros),
  )
  return coveredSeconds > 0 ? { coveredSeconds, holdMicros: costOf(rate, coveredSeconds) } : null
}
