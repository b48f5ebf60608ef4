import { add, type Micros } from '../money/index.ts'
import { costOf, type Rate } from '../rating/index.ts'
import { cover } from './cover.ts'

export type CoveredCall = { readonly rate: Rate; readonly coveredSeconds: number }

export type ExtensionPace = {
  readonly sliceSeconds: number
  /** How long before the end of cover the next slice is requested. */
  readonly leadSeconds: number
  /** Rest of the daily limit (`spendableToday`). The limit applies to live calls too. */
  readonly spendableMicros: Micros
}

/**
 * The new totals of the hold, or null if an extension is not due yet or not possible. The totals depend only on the covered
 * seconds, not on the current time, so several call control processes request the same extension.
 */
export function extend(
  { rate, coveredSeconds }: CoveredCall,
  elapsedSeconds: number,
  { sliceSeconds, leadSeconds, spendableMicros }: ExtensionPace,
): { readonly toSeconds: number; readonly toMicros: Micros } | null {
  const remaining = coveredSeconds - elapsedSeconds
  // The switch ends the call when its cover ends, so a late extension has nothing to pay for.
  if (remaining > leadSeconds || remaining < 0) return null
  // End of the first slice that lies beyond the lead, so checking once per lead is often enough.
  const wanted = (Math.floor((coveredSeconds + leadSeconds) / sliceSeconds) + 1) * sliceSeconds
  const next = cover(rate, add(costOf(rate, coveredSeconds), spendableMicros), wanted)
  return next && next.coveredSeconds > coveredSeconds
    ? { toSeconds: next.coveredSeconds, toMicros: next.holdMicros }
    : null
}
