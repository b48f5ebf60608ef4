import type { CdrRecord } from '@trunkline/contract/cdr'
import { formatCost, formatExact, type Micros, subtract, ZERO } from '@trunkline/domain/money'
import { toMicros } from '../../dollars.ts'

type Priced = Pick<CdrRecord, 'cost' | 'buycost'>

/** What a call left after the carrier took its part; null where nobody knows what that was. */
const marginMicros = ({ cost, buycost }: Priced): Micros | null =>
  buycost === null ? null : subtract(toMicros(cost) ?? ZERO, toMicros(buycost) ?? ZERO)

const written = (margin: Micros | null, write: (amount: Micros) => string): string | null =>
  margin === null ? null : write(margin)

/** To the nearest cent, as costs are shown beside it. */
export const marginInCents = (call: Priced) => written(marginMicros(call), formatCost)
export const exactMargin = (call: Priced) => written(marginMicros(call), formatExact)
