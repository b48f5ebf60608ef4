import { type ErrorCode, Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import type { PromoOffer } from '@trunkline/contract/promo-codes'
import { formatDollars, type Micros, micros, percentageOf, toWireNumber, ZERO } from '@trunkline/domain/money'
import type { PromoCodeRow, UsesOfCode } from './store.ts'

/** Pure rules for the value and the limits of promo codes. */

/** Percent or dollars, for API answers. */
export const shownValue = (code: PromoCodeRow): number =>
  code.basis_points !== null ? code.basis_points / 100 : toWireNumber(amountOf(code))

export const amountOf = (code: PromoCodeRow): Micros => micros(code.amount_micros ?? 0n)

/** Why the user cannot use the code, or null. */
export function faultOf(code: PromoCodeRow | undefined, uses: UsesOfCode, now: Date): ErrorCode | null {
  if (!code) return 'promo_unknown'
  if (!code.active || (code.expires_at !== null && code.expires_at <= now)) return 'promo_expired'
  // The customer's own limit first, because it is the most helpful message.
  if (code.per_user_limit !== null && uses.own >= code.per_user_limit) return 'promo_already_used'
  if (code.total_limit !== null && uses.total >= code.total_limit) return 'promo_used_up'
  return null
}

/** The bonus on a top-up. A fixed bonus requires a top-up of at least the same amount. */
export function bonusOn(code: PromoCodeRow, amountMicros: Micros): Micros {
  if (code.type === 'account_credit') throw new Refusal('promo_not_for_topup')
  if (code.basis_points !== null) return percentageOf(amountMicros, code.basis_points, 'down')
  if (amountMicros < amountOf(code)) {
    const least = formatDollars(amountOf(code))
    throw new Refusal('promo_topup_too_small', `${ownMessages.promoTopupTooSmall} At least ${least}.`)
  }
  return amountOf(code)
}

export const isBonus = (amount: Micros): boolean => amount > ZERO

export const offerOf = (code: PromoCodeRow): PromoOffer => ({
  code: code.code,
  type: code.type,
  value: shownValue(code),
  expires_at: code.expires_at?.toISOString() ?? null,
  applies: code.type === 'account_credit' ? 'now' : 'next_topup',
  message: inWords(code),
})

function inWords(code: PromoCodeRow): string {
  const amount = formatDollars(amountOf(code))
  switch (code.type) {
    case 'percentage':
      return `${code.code} adds ${shownValue(code)} % to your next top-up.`
    case 'fixed_amount':
      return `${code.code} adds ${amount} to your next top-up of at least ${amount}.`
    case 'account_credit':
      return `${code.code} adds ${amount} to your balance.`
  }
}
