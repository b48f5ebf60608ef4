import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Timestamp } from './fields.ts'
import { PROMO_CODE_MAX } from './limits.ts'
import { ownMessages } from './messages.ts'
import { PROMO_TYPES } from './promo-types.ts'

export const PromoType = z.enum(PROMO_TYPES)
export type PromoType = z.output<typeof PromoType>

/** Case-insensitive. */
export const PromoCodeText = z
  .string({ error: ownMessages.promoCodeMissing })
  .trim()
  .toUpperCase()
  .min(1, ownMessages.promoCodeMissing)
  .max(PROMO_CODE_MAX, ownMessages.promoCodeCharacters)
  .regex(/^[A-Z0-9][A-Z0-9_-]*$/, ownMessages.promoCodeCharacters)

/** A percentage of the top-up, dollars with the top-up, or dollars immediately. */
export const PromoOffer = z.object({
  code: z.string(),
  type: PromoType,
  value: z.number(),
  expires_at: Timestamp.nullable(),
  /** `now`: redeeming credits the balance. `next_topup`: send it as promo_code with the top-up. */
  applies: z.enum(['now', 'next_topup']),
  /** The offer as text. */
  message: z.string(),
})
export type PromoOffer = z.output<typeof PromoOffer>

const refusals = ['promo_unknown', 'promo_expired', 'promo_used_up', 'promo_already_used'] as const

export const promoCodes = {
  'POST /api/promo-codes/check': {
    access: 'user',
    summary: 'Check a promo code without redeeming it',
    body: z.strictObject({ code: PromoCodeText }),
    answer: z.object({ offer: PromoOffer }),
    refusals: [...refusals, 'too_many_requests'],
  },
  'POST /api/promo-codes/redeem': {
    access: 'user',
    summary: 'Redeem a promo code. Account credit is posted immediately; a bonus is posted with its top-up',
    body: z.strictObject({ code: PromoCodeText }),
    answer: z.object({
      offer: PromoOffer,
      /** Dollars credited now. 0 for a bonus on a top-up. */
      credited: z.number(),
    }),
    refusals: [...refusals, 'too_many_requests'],
  },
} as const satisfies Endpoints
