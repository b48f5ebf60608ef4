import { parseAmount } from '@trunkline/domain/money'
import { z } from 'zod'
import type { Endpoints } from './endpoint.ts'
import { Id, Message, Timestamp, UserRef } from './fields.ts'
import { PROMO_CODE_MAX, PROMO_LIMIT_MAX, PROMO_PER_USER_DEFAULT, PROMO_TOTAL_DEFAULT } from './limits.ts'
import { ownMessages } from './messages.ts'
import { Amount, IdInPath, Next, page } from './money.ts'
import { PromoCodeText, PromoType } from './promo-codes.ts'

export const PromoCode = z.object({
  id: Id,
  code: z.string(),
  type: PromoType,
  /** Percent for `percentage`, dollars for other types. */
  value: z.number(),
  expires_at: Timestamp.nullable(),
  /** Null means unlimited. */
  total_limit: z.int().nullable(),
  per_user_limit: z.int().nullable(),
  active: z.boolean(),
  /** Uses so far, including unpaid top-ups. Both count toward the limits. */
  used: z.int(),
  reserved: z.int(),
  created_at: Timestamp,
  /** Increases with every change. */
  version: z.int(),
})
export type PromoCode = z.output<typeof PromoCode>

export const PromoRedemption = z.object({
  id: Id,
  user: UserRef,
  payment_id: Id.nullable(),
  bonus: z.number(),
  state: z.enum(['reserved', 'used', 'released']),
  created_at: Timestamp,
  used_at: Timestamp.nullable(),
})
export type PromoRedemption = z.output<typeof PromoRedemption>

const Limit = z.int().positive().max(PROMO_LIMIT_MAX)
const Expiry = z.iso.datetime({ offset: true })
const isWithinType = ({ type, value }: { type: PromoType; value: number }) =>
  parseAmount(value).ok && (type !== 'percentage' || value <= 100)

export const adminPromoCodes = {
  'GET /api/admin/promo-codes': {
    access: 'admin',
    summary: 'List promo codes, newest first',
    query: z.strictObject({
      ...page,
      /** Part of the code, case-insensitive. */
      text: z.string().trim().max(PROMO_CODE_MAX).optional(),
    }),
    answer: z.object({ promo_codes: z.array(PromoCode), next: Next }),
  },
  'POST /api/admin/promo-codes': {
    access: 'admin',
    summary: 'Create a promo code',
    body: z
      .strictObject({
        code: PromoCodeText,
        type: PromoType,
        value: Amount,
        expires_at: Expiry.nullable().default(null),
        total_limit: Limit.nullable().default(PROMO_TOTAL_DEFAULT),
        per_user_limit: Limit.nullable().default(PROMO_PER_USER_DEFAULT),
        active: z.boolean().default(true),
      })
      .refine(isWithinType, { error: ownMessages.promoValue, path: ['value'] }),
    answer: z.object({ promo_code: PromoCode }),
    refusals: ['promo_code_taken'],
  },
  'GET /api/admin/promo-codes/:id': {
    access: 'admin',
    summary: 'Get a promo code',
    params: IdInPath,
    answer: z.object({ promo_code: PromoCode }),
    refusals: ['not_found'],
  },
  'PATCH /api/admin/promo-codes/:id': {
    access: 'admin',
    summary:
      'Update the validity and limits of a promo code. The value of a code cannot change. With `version` the request fails if someone else changed the code',
    params: IdInPath,
    body: z.strictObject({
      expires_at: Expiry.nullable().optional(),
      total_limit: Limit.nullable().optional(),
      per_user_limit: Limit.nullable().optional(),
      active: z.boolean().optional(),
      version: z.int().positive().optional(),
    }),
    answer: z.object({ promo_code: PromoCode }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'DELETE /api/admin/promo-codes/:id': {
    access: 'admin',
    summary: 'Delete an unused promo code. A used code can only be deactivated',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found', 'promo_in_use'],
  },
  'GET /api/admin/promo-codes/:id/redemptions': {
    access: 'admin',
    summary: 'List the redemptions of a promo code, newest first',
    params: IdInPath,
    query: z.strictObject(page),
    answer: z.object({ redemptions: z.array(PromoRedemption), next: Next }),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
