import type { Micros } from '../money/index.ts'
import { billedSeconds, costOf, type Rate } from '../rating/index.ts'

export type Settlement = {
  readonly seconds: number
  readonly billedSeconds: number
  readonly costMicros: Micros
  /** The price that the carrier charges us. */
  readonly buyMicros: Micros
}

/** The exact cost of an ended call; `talkedSeconds` is 0 for an unanswered call. Seconds beyond the cover are never charged. */
export function settle(
  call: { readonly rate: Rate; readonly coveredSeconds: number; readonly buyRate: Rate },
  talkedSeconds: number,
): Settlement {
  const seconds = Math.min(talkedSeconds, call.coveredSeconds)
  return {
    seconds,
    billedSeconds: billedSeconds(call.rate, seconds),
    costMicros: costOf(call.rate, seconds),
    buyMicros: costOf(call.buyRate, seconds),
  }
}

/** The cost of a live call so far. The first block is due at the answer. */
export const runningCost = (rate: Rate, elapsedSeconds: number): Micros =>
  costOf(rate, Math.max(1, Math.ceil(elapsedSeconds)))
