import type { AnswerOf } from '@trunkline/contract'
import type { PromoCode } from '@trunkline/contract/admin-promo-codes'
import { Refusal } from '@trunkline/contract/errors'
import type { PromoType } from '@trunkline/contract/promo-codes'
import { type Caller, everyonesData, requireAdmin } from '@trunkline/domain/access'
import { MICROS_PER_CENT, micros, parseDollars, toWireNumber } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import { type Database, isDuplicate } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound, requireUnchanged } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { shownValue } from './offers.ts'
import {
  deletePromoCode,
  findPromoCodeById,
  insertPromoCode,
  listPromoCodes,
  listRedemptions,
  lockPromoCodeById,
  PROMO_CODE_INDEX,
  type PromoCodeRow,
  type PromoCodeWithUses,
  updatePromoCode,
} from './store.ts'

export type PromoCodeAdministration = ReturnType<typeof createPromoCodeAdministration>

type NewPromoCode = {
  code: string
  type: PromoType
  value: number
  expires_at: string | null
  total_limit: number | null
  per_user_limit: number | null
  active: boolean
}
type PromoCodeEdit = {
  expires_at?: string | null | undefined
  total_limit?: number | null | undefined
  per_user_limit?: number | null | undefined
  active?: boolean | undefined
  /** The version that the client read. */
  version?: number | undefined
}
type Page = { before?: number | undefined; limit: number }

export function createPromoCodeAdministration(db: Database, clock: Clock, audit: Audit) {
  async function find(handle: Database, caller: Caller, id: number): Promise<PromoCodeWithUses> {
    return requireFound(await findPromoCodeById(handle, everyonesData(caller), id))
  }

  return {
    async list(caller: Caller, { before, limit, text }: Page & { text?: string | undefined }) {
      const rows = await listPromoCodes(db, everyonesData(caller), { before, limit: limit + 1, text })
      const { shown, next } = pageOf(rows, limit, ({ id }) => id)
      return { promo_codes: shown.map(viewPromoCode), next }
    },

    get: async (caller: Caller, id: number): Promise<PromoCode> => viewPromoCode(await find(db, caller, id)),

    async create(caller: Caller, { value, expires_at, ...given }: NewPromoCode): Promise<PromoCode> {
      try {
        return await db.transaction().execute(async (tx) => {
          requireAdmin(caller)
          const row = await insertPromoCode(tx, {
            ...given,
            ...worthOf(given.type, value),
            expires_at: expires_at === null ? null : new Date(expires_at),
            created_by: caller.userId,
            created_at: clock.now(),
          })
          await audit.write(tx, caller, {
            ...auditEntry('promo_code.create', row),
            before: null,
            after: { type: row.type, value: shownValue(row), ...termsOf(row) },
          })
          return viewPromoCode({ ...row, used: 0, reserved: 0 })
        })
      } catch (error) {
        if (isDuplicate(error, PROMO_CODE_INDEX)) throw new Refusal('promo_code_taken')
        throw error
      }
    },

    update: (caller: Caller, id: number, edit: PromoCodeEdit): Promise<PromoCode> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        const row = requireFound(await lockPromoCodeById(tx, id))
        const { expires_at, version, ...rest } = edit
        requireUnchanged(row.version, version)
        await updatePromoCode(tx, id, {
          ...rest,
          ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
        })
        const changed = await find(tx, caller, id)
        await audit.write(tx, caller, {
          ...auditEntry('promo_code.update', row),
          before: termsOf(row),
          after: termsOf(changed),
        })
        return viewPromoCode(changed)
      }),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        const row = requireFound(await lockPromoCodeById(tx, id))
        if (!(await deletePromoCode(tx, owner, id))) throw new Refusal('promo_in_use')
        await audit.write(tx, caller, {
          ...auditEntry('promo_code.delete', row),
          before: { type: row.type, value: shownValue(row), ...termsOf(row) },
          after: null,
        })
      }),

    async redemptions(
      caller: Caller,
      id: number,
      { before, limit }: Page,
    ): Promise<AnswerOf<'GET /api/admin/promo-codes/:id/redemptions'>> {
      await find(db, caller, id)
      const rows = await listRedemptions(db, everyonesData(caller), id, { before, limit: limit + 1 })
      const { shown, next } = pageOf(rows, limit, (row) => row.id)
      const redemptions = shown.map((row) => ({
        id: row.id,
        user: { id: row.user_id, username: row.username },
        payment_id: row.invoice_id,
        bonus: toWireNumber(micros(row.bonus_micros)),
        state: row.state,
        created_at: row.created_at.toISOString(),
        used_at: row.used_at?.toISOString() ?? null,
      }))
      return { redemptions, next }
    },
  }
}

/** The contract limits the value to two decimals. */
function worthOf(type: PromoType, value: number) {
  const parsed = parseDollars(value)
  if (!parsed.ok) throw new Refusal('invalid_input')
  const { amountMicros } = parsed
  return type === 'percentage'
    ? { basis_points: Number(amountMicros / MICROS_PER_CENT), amount_micros: null }
    : { basis_points: null, amount_micros: amountMicros }
}

const auditEntry = (action: string, row: PromoCodeRow) => ({ action, subject: `promo code ${row.code}` })

const termsOf = (row: PromoCodeRow) => ({
  expires_at: row.expires_at?.toISOString() ?? null,
  total_limit: row.total_limit,
  per_user_limit: row.per_user_limit,
  active: row.active,
})

const viewPromoCode = (row: PromoCodeWithUses): PromoCode => ({
  id: row.id,
  code: row.code,
  type: row.type,
  value: shownValue(row),
  ...termsOf(row),
  used: row.used,
  reserved: row.reserved,
  created_at: row.created_at.toISOString(),
  version: row.version,
})
