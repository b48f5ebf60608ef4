import type { RequestOf } from '@trunkline/contract'
import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import {
  PROMO_CODE_MAX,
  PROMO_LIMIT_MAX,
  PROMO_PER_USER_DEFAULT,
  PROMO_TOTAL_DEFAULT,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import type { PromoType } from '@trunkline/contract/promo-types'
import { parseAmount } from '@trunkline/domain/money'
import { formatExactMoney } from '../../common/format/money.ts'
import { formatShortPercent } from '../../common/format/numbers.ts'
import type { FieldErrors } from '../../common/forms/use-form.ts'
import { spanOfDays, writeDay } from '../../common/period.ts'

/** When and how often a code can be used. An empty limit means no limit. */
export type Terms = { expiry: string; total_limit: string; per_user_limit: string; active: boolean }
export type NewCode = Terms & { code: string; type: PromoType; value: string }
type TermErrors = FieldErrors<'expiry' | 'total_limit' | 'per_user_limit'>

export const blank: NewCode = {
  code: '',
  type: 'percentage',
  value: '',
  expiry: '',
  total_limit: String(PROMO_TOTAL_DEFAULT),
  per_user_limit: String(PROMO_PER_USER_DEFAULT),
  active: true,
}

export const termsOf = (code: PromoCode): Terms => ({
  expiry: lastDayOf(code.expires_at),
  total_limit: code.total_limit?.toString() ?? '',
  per_user_limit: code.per_user_limit?.toString() ?? '',
  active: code.active,
})

/** A code expires at the end of a day in the viewer's time zone. */
export const endOf = (day: string): string | null =>
  day === '' ? null : (spanOfDays({ to: day }).to ?? null)

export const lastDayOf = (expiresAt: string | null): string =>
  expiresAt === null ? '' : writeDay(new Date(new Date(expiresAt).getTime() - 1))

const CODE = /^[A-Z0-9][A-Z0-9_-]*$/

export function validateCode(typed: NewCode, today: string): TermErrors & FieldErrors<'code' | 'value'> {
  const code = typed.code.trim().toUpperCase()
  const value = Number(typed.value)
  const isValue = typed.value.trim() !== '' && parseAmount(value).ok
  return {
    ...(code === ''
      ? { code: ownMessages.promoCodeMissing }
      : (!CODE.test(code) || code.length > PROMO_CODE_MAX) && { code: ownMessages.promoCodeCharacters }),
    ...((!isValue || (typed.type === 'percentage' && value > 100)) && { value: ownMessages.promoValue }),
    ...validateTerms(typed, today),
  }
}

export const validateTerms = (
  { expiry, total_limit, per_user_limit }: Terms,
  today: string | null,
): TermErrors => ({
  ...(today !== null && expiry !== '' && expiry < today && { expiry: 'This date has passed.' }),
  ...(!isLimit(total_limit) && { total_limit: LIMIT_INVALID }),
  ...(!isLimit(per_user_limit) && { per_user_limit: LIMIT_INVALID }),
})

const LIMIT_INVALID = `Please enter a whole number from 1 to ${PROMO_LIMIT_MAX}, or nothing for no limit.`

const isLimit = (typed: string): boolean =>
  typed.trim() === '' ||
  (/^\d{1,7}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= PROMO_LIMIT_MAX)

export const termLabels: Readonly<Record<keyof Terms, string>> = {
  expiry: 'Expiry',
  total_limit: 'Total uses',
  per_user_limit: 'Uses per user',
  active: 'Active',
}

const limitFrom = (typed: string): number | null => (typed.trim() === '' ? null : Number(typed))

export const newCodeFrom = (typed: NewCode): RequestOf<'POST /api/admin/promo-codes'>['body'] => ({
  code: typed.code,
  type: typed.type,
  value: Number(typed.value),
  expires_at: endOf(typed.expiry),
  total_limit: limitFrom(typed.total_limit),
  per_user_limit: limitFrom(typed.per_user_limit),
  active: typed.active,
})

type Change = RequestOf<'PATCH /api/admin/promo-codes/:id'>['body']

/** Only changed fields; null without a change. The exact expiry stays unless another day is chosen. */
export function changeFrom(typed: Terms, read: PromoCode): Change | null {
  const before = termsOf(read)
  const change: Change = {
    ...(typed.expiry !== before.expiry && { expires_at: endOf(typed.expiry) }),
    ...(typed.total_limit.trim() !== before.total_limit && { total_limit: limitFrom(typed.total_limit) }),
    ...(typed.per_user_limit.trim() !== before.per_user_limit && {
      per_user_limit: limitFrom(typed.per_user_limit),
    }),
    ...(typed.active !== before.active && { active: typed.active }),
  }
  return Object.keys(change).length === 0 ? null : { ...change, version: read.version }
}

export function inWords(type: PromoType, typed: string): string {
  const value = Number(typed)
  const known = typed.trim() !== '' && parseAmount(value).ok
  switch (type) {
    case 'percentage':
      return `Adds ${known ? formatShortPercent(value) : '…%'} of a top-up to the balance when it is paid.`
    case 'fixed_amount':
      return `Adds ${known ? formatExactMoney(value) : 'this amount'} to a top-up of at least the same amount when it is paid.`
    case 'account_credit':
      return `Adds ${known ? formatExactMoney(value) : 'this amount'} to the balance immediately, without a payment.`
  }
}

export const shownValue = ({ type, value }: Pick<PromoCode, 'type' | 'value'>): string =>
  type === 'percentage' ? formatShortPercent(value) : formatExactMoney(value)

export type CodeState = 'active' | 'inactive' | 'expired' | 'used up'

export function stateOf(code: PromoCode, now: Date): CodeState {
  if (!code.active) return 'inactive'
  if (code.expires_at !== null && new Date(code.expires_at) <= now) return 'expired'
  return code.total_limit !== null && code.used + code.reserved >= code.total_limit ? 'used up' : 'active'
}

/** Without characters that look alike. */
const CHARACTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const LENGTH = 10

/** 31 characters to the power of ten: too many to guess. */
export function generateCode(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const characters: string[] = []
  while (characters.length < LENGTH)
    // Bytes from 248 on are dropped, so that every character is equally likely.
    for (const byte of random(new Uint8Array(LENGTH)))
      if (byte < 248 && characters.length < LENGTH)
        characters.push(CHARACTERS[byte % CHARACTERS.length] ?? '')
  return characters.join('')
}
