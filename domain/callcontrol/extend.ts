import { add, type Micros } from '../money/index.ts'
import { costOf, type Rate } from '../rating/index.ts'
import { cover } from './cover.ts'

export type CoveredCall = { readonly rate: Rate; readonly coveredSeconds: number }

export type ExtensionPace = {
  /** Covered at a time. */
  readonly sliceSeconds: number
  /** So long before the end of what is covered the next slice is asked for. */
  readonly leadSeconds: number
  /** What the daily limit still allows to be held (`spendableToday`): it binds calls that live, too. */
  readonly spendableMicros: Micros
}

/**
 * The totals the hold should grow to, when it is time; null when it is not, or when the call may not go on beyond what it
 * has. They follow from what is covered alone, not from the moment of asking: call controls that ask at different moments
 * ask for the same.
 */
export function extend(
  { rate, coveredSeconds }: CoveredCall,
  elapsedSeconds: number,
  { sliceSeconds, leadSeconds, spendableMicros }: ExtensionPace,
): { readonly toSeconds: number; readonly toMicros: Micros } | null {
  const remaining = coveredSeconds - elapsedSeconds
  // Past its covered time the switch has ended the call: there is nothing left to pay for.
  if (remaining > leadSeconds || remaining < 0) return null
  // The end of a slice, more than the lead away: whoever looks again within the lead comes in time for the next.
  const wanted = (Math.floor((coveredSeconds + leadSeconds) / sliceSeconds) + 1) * sliceSeconds
  const next = cover(rate, add(costOf(rate, coveredSeconds), spendableMicros), wanted)
  return next && next.coveredSeconds > coveredSeconds
    ? { toSeconds: next.coveredSeconds, toMicros: next.holdMicros }
    : null
}
