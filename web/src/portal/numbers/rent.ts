import type { AvailableNumber } from '@trunkline/contract/numbers'
import { sum, toWireNumber, ZERO } from '@trunkline/domain/money'
import { toMicros } from '../../common/dollars.ts'

const exactSum = (...amounts: number[]) => sum(amounts.map((amount) => toMicros(amount) ?? ZERO))

/** Dollars that are paid now, and what is left of the available balance. */
export function costsOf(
  { monthly, setup }: Pick<AvailableNumber, 'monthly' | 'setup'>,
  { bal, held }: { bal: number; held: number },
): { now: number; rest: number; isCovered: boolean } {
  const rest = exactSum(bal, -held, -monthly, -setup)
  return { now: toWireNumber(exactSum(monthly, setup)), rest: toWireNumber(rest), isCovered: rest >= ZERO }
}
