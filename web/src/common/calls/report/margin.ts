import type { CdrRecord } from '@trunkline/contract/cdr'
import { formatExact, subtract, ZERO } from '@trunkline/domain/money'
import { toMicros } from '../../dollars.ts'

/** What a call left after the carrier took its part; null where nobody knows what that was. */
export const marginOf = ({ cost, buycost }: Pick<CdrRecord, 'cost' | 'buycost'>): string | null =>
  buycost === null ? null : formatExact(subtract(toMicros(cost) ?? ZERO, toMicros(buycost) ?? ZERO))
