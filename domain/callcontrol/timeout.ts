import { add, type Micros } from '../money/index.ts'
import { costOf, MAX_CALL_SECONDS } from '../rating/index.ts'
import type { CoveredCall } from './extend.ts'

/** Why the cover of a call was not extended. */
export function timeoutReason(
  { rate, coveredSeconds }: CoveredCall,
  spendableMicros: Micros,
): 'longest_call_reached' | 'daily_spend_used_up' | 'balance_used_up' {
  if (coveredSeconds >= MAX_CALL_SECONDS) return 'longest_call_reached'
  const oneBlockMore = costOf(rate, coveredSeconds + 1)
  const allowed = add(costOf(rate, coveredSeconds), spendableMicros)
  return oneBlockMore > allowed ? 'daily_spend_used_up' : 'balance_used_up'
}
