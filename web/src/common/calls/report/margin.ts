import type { CdrRecord } from '@trunkline/contract/cdr'
import { formatCost, formatExact, type Micros, subtract, ZERO } from '@trunkline/domain/money'
import { toMicros } from '../../dollars.ts'

type Priced = Pick<CdrRecord, 'cost' | 'buycost'>

/** Price minus carrier cost; null if the cost is unknown. */
const marginMicros = ({ cost, buycost }: Priced): Micros | null =>
  buycost === null ? null : subtract(toMicros(cost) ?? ZERO, toMicros(buycost) ?? ZERO)

const written = (margin: Micros | null, write: (amount: Micros) => string): string | null =>
  margin === null ? null : write(margin)

/** To the nearest cent, like costs. */
export const marginInCents = (call: Priced) => written(marginMicros(call), formatCost)
export const exactMargin = (call: Priced) => written(marginMicros(call), formatExact)
export const isLoss = (call: Priced): boolean => (marginMicros(call) ?? 0n) < 0n
