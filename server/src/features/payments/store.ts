import type { Owner } from '@trunkline/domain/access'
import type { Micros } from '@trunkline/domain/money'
import type { Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { Tables } from '../../platform/tables.ts'

export type InvoiceRow = Selectable<Tables['invoices']>
export type InvoiceChange = Updateable<Tables['invoices']>

/** An invoice with what its views need of others: whose it is and which bonus is promised or was given. */
export type PaymentRow = InvoiceRow & {
  username: string
  bonus_micros: bigint | null
  promo_code: string | null
}

/** Payments the owner may see: their own, or all for an administrator and the house. */
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
    .select(['users.username', 'promo_redemptions.bonus_micros', 'promo_codes.code as promo_code'])
    .$if(owner.userId !== null, (query) => query.where('invoices.user_id', '=', owner.userId ?? 0))

export type NewInvoice = {
  userId: number
  kind: 'topup' | 'upgrade'
  orderId: string
  amountMicros: Micros
  firstPollAt: Date
}

/** Null when the order id is taken: two began in the same millisecond. */
export async function insertInvoice(
  db: Database,
  _owner: Owner,
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

/** Whatever happens to an invoice happens under this lock, one thing after the other. */
export const lockInvoice = (db: Database, owner: Owner, id: number): Promise<InvoiceRow | undefined> =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .$if(owner.userId !== null, (query) => query.where('user_id', '=', owner.userId ?? 0))
    .forNoKeyUpdate()
    .executeTakeFirst()

/**
 * The invoice a report is about: by the provider's id, or by ours while the provider's is not known yet. One statement,
 * so that a row whose track id is written at this very moment still fits after the wait for its lock.
 */
export const lockReportedInvoice = (
  db: Database,
  _owner: Owner,
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
  _owner: Owner,
  id: number,
  change: InvoiceChange,
): Promise<void> {
  await db.updateTable('invoices').set(change).where('id', '=', id).execute()
}

export type PaymentFilter = {
  before?: number | undefined
  limit: number
  state?: InvoiceRow['shown_state'] | undefined
  kind?: InvoiceRow['kind'] | undefined
  user?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
  minMicros?: Micros | undefined
  maxMicros?: Micros | undefined
  text?: string | undefined
}

/** What `like` takes for its own. */
const asPrefix = (text: string): string => `${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
const ORDER_ID = /^(ORD|UPGRADE)-/i
/** A name that fits more users than this is no search; the first of them are shown. */
const MOST_USERS = 200

/**
 * Each kind of text has a question of its own that an index answers: as one `or` over two tables, a million payments
 * took 600 ms to search.
 */
async function textFilter(db: Database, text: string) {
  if (ORDER_ID.test(text)) return sql<boolean>`invoices.order_id like ${asPrefix(text.toUpperCase())}`
  const users = await db
    .selectFrom('users')
    .select('id')
    .where((user) =>
      user.or([
        user(sql`lower(username)`, 'like', asPrefix(text.toLowerCase())),
        user(sql`lower(email)`, '=', text.toLowerCase()),
      ]),
    )
    .orderBy(sql`lower(username)`)
    .limit(MOST_USERS)
    .execute()
  const ids = users.map(({ id }) => id)
  return sql<boolean>`(invoices.track_id = ${text} or invoices.user_id = any(${ids}::integer[]))`
}

export async function listPayments(db: Database, owner: Owner, filter: PaymentFilter): Promise<PaymentRow[]> {
  const { before, state, kind, user, from, to, minMicros, maxMicros, text } = filter
  let query = visiblePayments(db, owner)
  if (before !== undefined) query = query.where('invoices.id', '<', sql<number>`${before}::bigint`)
  if (state) query = query.where('invoices.shown_state', '=', state)
  if (kind) query = query.where('invoices.kind', '=', kind)
  if (user !== undefined) query = query.where('invoices.user_id', '=', user)
  if (from) query = query.where('invoices.created_at', '>=', from)
  if (to) query = query.where('invoices.created_at', '<', to)
  if (minMicros !== undefined) query = query.where('invoices.amount_micros', '>=', minMicros)
  if (maxMicros !== undefined) query = query.where('invoices.amount_micros', '<=', maxMicros)
  if (text) query = query.where(await textFilter(db, text))
  return query.orderBy('invoices.id', 'desc').limit(filter.limit).execute()
}

export type DueInvoice = Pick<InvoiceRow, 'id' | 'state' | 'track_id' | 'order_id' | 'created_at'>

/**
 * Takes the invoices whose hour has come and puts off the next one, so that of several workers each asks about others,
 * and one that dies has not asked for ever.
 */
export async function claimDueInvoices(
  db: Database,
  _owner: Owner,
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
  _owner: Owner,
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

export async function readTotals(
  db: Database,
  _owner: Owner,
): Promise<{ paidMicros: bigint; payments: number }> {
  const { rows } = await sql<{ paid: bigint; payments: number }>`
    select sum(paid_micros)::bigint as paid, sum(payments)::integer as payments from payment_totals`.execute(
    db,
  )
  return { paidMicros: rows[0]?.paid ?? 0n, payments: rows[0]?.payments ?? 0 }
}

/** True for whoever made them premium: of two upgrades paid at once, one. */
export async function becomePremium(db: Database, _owner: Owner, userId: number): Promise<boolean> {
  const made = await db
    .updateTable('users')
    .set({ is_premium: true })
    .where('id', '=', userId)
    .where('is_premium', '=', false)
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}
