import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Micros } from '@trunkline/domain/money'
import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { beforeId, NEXT_VERSION, ofOwner, ROW_COUNT } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type PromoCodeRow = Selectable<Tables['promo_codes']>

/** Unique index on codes; see db/0003_payments.sql. */
export const PROMO_CODE_INDEX = 'promo_codes_code'

export const insertPromoCode = (
  db: Database,
  row: Insertable<Tables['promo_codes']>,
): Promise<PromoCodeRow> => db.insertInto('promo_codes').values(row).returningAll().executeTakeFirstOrThrow()

/** Codes have no owner. */
export const findPromoCode = (db: Database, code: string): Promise<PromoCodeRow | undefined> =>
  db.selectFrom('promo_codes').selectAll().where('code', '=', code).executeTakeFirst()

/** Serializes uses of a code, so counts stay valid until the end of the transaction. */
export const lockPromoCode = (db: Database, code: string): Promise<PromoCodeRow | undefined> =>
  db.selectFrom('promo_codes').selectAll().where('code', '=', code).forNoKeyUpdate().executeTakeFirst()

export const lockPromoCodeById = (db: Database, id: number): Promise<PromoCodeRow | undefined> =>
  db.selectFrom('promo_codes').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export type UsesOfCode = { total: number; own: number }

/** Uses and reservations of a code, in total and by one user. Counts only what has a limit. */
export async function countUses(db: Database, code: PromoCodeRow, userId: number): Promise<UsesOfCode> {
  const { rows } = await sql<UsesOfCode>`
    select
      case when ${code.total_limit !== null} then
        (select count(*) from promo_redemptions where promo_code_id = ${code.id} and state in ('reserved', 'used'))
      else 0 end::integer as total,
      case when ${code.per_user_limit !== null} then
        (select count(*) from promo_redemptions
          where promo_code_id = ${code.id} and user_id = ${userId} and state <> 'released')
      else 0 end::integer as own`.execute(db)
  return rows[0] ?? { total: 0, own: 0 }
}

type NewRedemption = {
  promoCodeId: number
  userId: number
  invoiceId: number | null
  bonusMicros: Micros
}

export const insertRedemption = (
  db: Database,
  redemption: NewRedemption,
  now: Date,
): Promise<{ id: number }> =>
  db
    .insertInto('promo_redemptions')
    .values({
      promo_code_id: redemption.promoCodeId,
      user_id: redemption.userId,
      invoice_id: redemption.invoiceId,
      bonus_micros: redemption.bonusMicros,
      state: redemption.invoiceId === null ? 'used' : 'reserved',
      created_at: now,
      used_at: redemption.invoiceId === null ? now : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/**
 * Moves the user's oldest reservation of this code from its unpaid top-up to a new one. False if a concurrent payment
 * has used it.
 */
export async function moveReservation(db: Database, redemption: NewRedemption): Promise<boolean> {
  const { rows } = await sql`
    update promo_redemptions set invoice_id = ${redemption.invoiceId}, bonus_micros = ${redemption.bonusMicros}
     where state = 'reserved' and id = (
       select id from promo_redemptions
        where promo_code_id = ${redemption.promoCodeId} and user_id = ${redemption.userId} and state = 'reserved'
        order by id limit 1 for update)
    returning id`.execute(db)
  return rows.length > 0
}

/** Takes the reserved bonus once. Null without a reservation. */
export async function takeReservation(
  db: Database,
  _scope: AllUsers,
  invoiceId: number,
  now: Date,
): Promise<{ id: number; bonusMicros: bigint; code: string } | null> {
  const row = await db
    .updateTable('promo_redemptions')
    .from('promo_codes')
    .set({ state: 'used', used_at: now })
    .whereRef('promo_codes.id', '=', 'promo_redemptions.promo_code_id')
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'reserved')
    .returning(['promo_redemptions.id', 'bonus_micros', 'promo_codes.code'])
    .executeTakeFirst()
  return row ? { id: row.id, bonusMicros: row.bonus_micros, code: row.code } : null
}

export async function releaseReservation(db: Database, _scope: AllUsers, invoiceId: number): Promise<void> {
  await db
    .updateTable('promo_redemptions')
    .set({ state: 'released' })
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'reserved')
    .execute()
}

export type PromoCodeWithUses = PromoCodeRow & { used: number; reserved: number }

const redemptionsIn = (state: 'used' | 'reserved') =>
  sql<number>`(select ${ROW_COUNT} from promo_redemptions
                where promo_code_id = promo_codes.id and state = ${state})`

const withUses = (db: Database) =>
  db
    .selectFrom('promo_codes')
    .selectAll()
    .select([redemptionsIn('used').as('used'), redemptionsIn('reserved').as('reserved')])

export const findPromoCodeById = (
  db: Database,
  _scope: AllUsers,
  id: number,
): Promise<PromoCodeWithUses | undefined> => withUses(db).where('promo_codes.id', '=', id).executeTakeFirst()

export const listPromoCodes = (
  db: Database,
  _scope: AllUsers,
  page: { before?: number | undefined; limit: number; text?: string | undefined },
): Promise<PromoCodeWithUses[]> =>
  withUses(db)
    .$if(Boolean(page.text), (query) =>
      query.where(sql<boolean>`position(${page.text?.toUpperCase() ?? ''} in code) > 0`),
    )
    .where(beforeId('promo_codes.id', page.before))
    .orderBy('promo_codes.id', 'desc')
    .limit(page.limit)
    .execute()

type PromoCodeChange = Partial<Pick<PromoCodeRow, 'expires_at' | 'total_limit' | 'per_user_limit' | 'active'>>

export async function updatePromoCode(db: Database, id: number, change: PromoCodeChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db
    .updateTable('promo_codes')
    .set({ ...change, version: NEXT_VERSION })
    .where('id', '=', id)
    .execute()
}

/** False if the code has been used. */
export async function deletePromoCode(db: Database, _scope: AllUsers, id: number): Promise<boolean> {
  const used = await db
    .selectFrom('promo_redemptions')
    .select('id')
    .where('promo_code_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (used) return false
  await db.deleteFrom('promo_codes').where('id', '=', id).execute()
  return true
}

export const listRedemptions = (
  db: Database,
  owner: Owner,
  promoCodeId: number,
  page: { before?: number | undefined; limit: number },
) =>
  db
    .selectFrom('promo_redemptions')
    .innerJoin('users', 'users.id', 'promo_redemptions.user_id')
    .selectAll('promo_redemptions')
    .select('users.username')
    .where('promo_code_id', '=', promoCodeId)
    .where(ofOwner(owner, 'promo_redemptions.user_id'))
    .where(beforeId('promo_redemptions.id', page.before))
    .orderBy('promo_redemptions.id', 'desc')
    .limit(page.limit)
    .execute()
