import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Micros } from '@trunkline/domain/money'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import { ofOwner, ownRow, updatesRow } from '../../../platform/rows.ts'
import { conditionsOf, newest, type PaymentFilter, placeOf } from './filter-store.ts'
import type { InvoiceChange, InvoiceRow } from './invoice-row.ts'

/** An invoice with its user and promo code redemption. */
export type PaymentRow = InvoiceRow & {
  username: string
  bonus_micros: bigint | null
  promo_code: string | null
  /** Part of the ledger key of the bonus. */
  redemption_id: number | null
}

/** The owner's payments, or all for administrators and the system. */
const visiblePayments = (db: Database, owner: Owner) =>
  db
    .selectFrom('invoices')
    .innerJoin('users', 'users.id', 'invoices.user_id')
    .leftJoin('promo_redemptions', (join) =>
      join
        .onRef('promo_redemptions.invoice_id', '=', 'invoices.id')
        .on('promo_redemptions.state', '<>', 'released'),
    )
    .leftJoin('promo_codes', 'promo_codes.id', 'promo_redemptions.promo_code_id')
    .selectAll('invoices')
    .select([
      'users.username',
      'promo_redemptions.id as redemption_id',
      'promo_redemptions.bonus_micros',
      'promo_codes.code as promo_code',
    ])
    .where(ofOwner(owner, 'invoices.user_id'))

type NewInvoice = {
  userId: number
  kind: 'topup' | 'upgrade'
  orderId: string
  amountMicros: Micros
  firstPollAt: Date
}

/** Locks the account against a merge until the end of the transaction. */
export async function isMerged(db: Database, userId: number): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('merged_into')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return user?.merged_into != null
}

/** Null if the order id is used, because two payments started in the same millisecond. */
export async function insertInvoice(
  db: Database,
  invoice: NewInvoice,
  now: Date,
): Promise<{ id: number } | null> {
  const row = await db
    .insertInto('invoices')
    .values({
      user_id: invoice.userId,
      kind: invoice.kind,
      order_id: invoice.orderId,
      amount_micros: invoice.amountMicros,
      state: 'creating',
      created_at: now,
      next_poll_at: invoice.firstPollAt,
    })
    .onConflict((conflict) => conflict.column('order_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row ?? null
}

export const findPayment = (db: Database, owner: Owner, id: number): Promise<PaymentRow | undefined> =>
  visiblePayments(db, owner).where('invoices.id', '=', id).executeTakeFirst()

/** Every change of an invoice requires this lock. */
export const lockInvoice = (db: Database, owner: Owner, id: number): Promise<InvoiceRow | undefined> =>
  db.selectFrom('invoices').selectAll().where(ownRow(owner, id)).forNoKeyUpdate().executeTakeFirst()

/**
 * Finds the invoice of a report by track id, or by order id while the track id is unknown. One statement, so a row still
 * matches if its track id is set while waiting for the lock.
 */
export const lockReportedInvoice = (
  db: Database,
  _scope: AllUsers,
  trackId: string,
  orderId: string | null,
): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('track_id', '=', trackId),
        eb.and([
          eb('order_id', '=', orderId),
          eb.or([eb('track_id', 'is', null), eb('track_id', '=', trackId)]),
        ]),
      ]),
    )
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function updateInvoice(
  db: Database,
  owner: Owner,
  id: number,
  change: InvoiceChange,
): Promise<void> {
  await db.updateTable('invoices').set(change).where(ownRow(owner, id)).execute()
}

type PaymentPage = { before?: number | undefined; limit: number }

/** Keyset pagination, newest first. */
export async function listPayments(
  db: Database,
  owner: Owner,
  filter: PaymentFilter,
  { before, limit }: PaymentPage,
): Promise<PaymentRow[]> {
  const behind = before === undefined ? undefined : await placeOf(db, owner, before)
  if (behind === null) return []
  const page = newest(await conditionsOf(db, owner, filter), filter, { behind, limit })
  return visiblePayments(db, owner)
    .where('invoices.id', 'in', sql<number>`(select id from ${page} as page)`)
    .orderBy('invoices.created_at', 'desc')
    .orderBy('invoices.id', 'desc')
    .execute()
}

/** Totals cover at most this many payments. */
const MAX_IN_TOTALS = 10_000

export type PaymentSums = {
  payments: number
  amountMicros: bigint
  paidMicros: bigint
  refundedMicros: bigint
  isCapped: boolean
}

export async function sumPayments(db: Database, owner: Owner, filter: PaymentFilter): Promise<PaymentSums> {
  const some = newest(await conditionsOf(db, owner, filter), filter, { limit: MAX_IN_TOTALS + 1 })
  const { rows } = await sql<{ fitting: number; amount: bigint; paid: bigint; refunded: bigint }>`
    with numbered as materialized (
      select id, row_number() over (order by created_at desc, id desc) as place from ${some} as newest)
    select count(*)::integer as fitting,
           coalesce(sum(amount_micros) filter (where place <= ${MAX_IN_TOTALS}), 0)::bigint as amount,
           coalesce(sum(paid_micros) filter (where place <= ${MAX_IN_TOTALS}), 0)::bigint as paid,
           coalesce(sum(refunded_micros) filter (where place <= ${MAX_IN_TOTALS}), 0)::bigint as refunded
      from numbered join invoices using (id)`.execute(db)
  const { fitting = 0, amount = 0n, paid = 0n, refunded = 0n } = rows[0] ?? {}
  return {
    payments: Math.min(fitting, MAX_IN_TOTALS),
    amountMicros: amount,
    paidMicros: paid,
    refundedMicros: refunded,
    isCapped: fitting > MAX_IN_TOTALS,
  }
}

export type DueInvoice = Pick<InvoiceRow, 'id' | 'state' | 'track_id' | 'order_id' | 'created_at'>

/**
 * Claims due invoices by setting their next poll time. Concurrent workers get different invoices, and invoices of a
 * crashed worker become due again.
 */
export async function claimDueInvoices(
  db: Database,
  _scope: AllUsers,
  limit: number,
  nextPollAt: (invoice: DueInvoice) => Date | null,
  now: Date,
): Promise<DueInvoice[]> {
  return db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('invoices')
      .select(['id', 'state', 'track_id', 'order_id', 'created_at'])
      .where('next_poll_at', '<=', now)
      .orderBy('next_poll_at')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const ids = due.map(({ id }) => id)
    const times = due.map(nextPollAt)
    await sql`
      update invoices set next_poll_at = put_off.at
        from unnest(${ids}::integer[], ${times}::timestamptz[]) as put_off (id, at)
       where invoices.id = put_off.id`.execute(tx)
    return due
  })
}

const SHARDS = 16

export async function addToTotals(
  db: Database,
  invoiceId: number,
  added: { micros: Micros; payments: number },
): Promise<void> {
  await db
    .updateTable('payment_totals')
    .set((eb) => ({
      paid_micros: eb('paid_micros', '+', added.micros as bigint),
      payments: eb('payments', '+', BigInt(added.payments)),
    }))
    .where('shard', '=', invoiceId % SHARDS)
    .execute()
}

export async function readTotals(db: Database): Promise<{ paidMicros: bigint; payments: number }> {
  const { rows } = await sql<{ paid: bigint; payments: number }>`
    select sum(paid_micros)::bigint as paid, sum(payments)::integer as payments from payment_totals`.execute(
    db,
  )
  return { paidMicros: rows[0]?.paid ?? 0n, payments: rows[0]?.payments ?? 0 }
}

/** True if this call granted premium. Of two concurrent upgrades, one gets true. */
export const becomePremium = (db: Database, userId: number): Promise<boolean> =>
  updatesRow(
    db
      .updateTable('users')
      .set({ is_premium: true })
      .where('id', '=', userId)
      .where('is_premium', '=', false),
  )
