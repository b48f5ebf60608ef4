import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { type Micros, percentageOf, toWireNumber } from '@trunkline/domain/money'
import { toMicros } from '../../common/dollars.ts'

/** The bonus in dollars; the server computes it again. A fixed bonus requires a top-up of at least its size. */
export function bonusOn(amount: number, { type, value }: Pick<PromoOffer, 'type' | 'value'>): number {
  if (type === 'account_credit') return 0
  if (type === 'fixed_amount') return amount < value ? 0 : value
  const amountMicros = toMicros(amount)
  return amountMicros === null ? 0 : shareOf(amountMicros, value)
}

/** A percentage with two decimals is a whole number of basis points. */
const shareOf = (amountMicros: Micros, percent: number): number =>
  toWireNumber(percentageOf(amountMicros, Math.round(percent * 100), 'down'))
