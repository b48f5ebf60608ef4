import type { Owner } from '@trunkline/domain/access'
import type { Micros } from '@trunkline/domain/money'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { InvoiceRow } from './invoice-row.ts'

/** Which payments. */
export type PaymentFilter = {
  /** Any of these. */
  states?: readonly InvoiceRow['shown_state'][] | undefined
  kind?: InvoiceRow['kind'] | undefined
  user?: number | undefined
  from?: Date | undefined
  to?: Date | undefined
  minMicros?: Micros | undefined
  maxMicros?: Micros | undefined
  text?: string | undefined
  isRefundable?: boolean | undefined
}

/** What all the payments asked for have in common but their states, which newest() takes one by one. */
export async function fits(db: Database, owner: Owner, filter: PaymentFilter): Promise<RawBuilder<boolean>> {
  const { kind, user, from, to, minMicros, maxMicros, text, isRefundable } = filter
  const conditions = [
    owner.userId !== null && sql`invoices.user_id = ${owner.userId}`,
    kind && sql`invoices.kind = ${kind}`,
    user !== undefined && sql`invoices.user_id = ${user}`,
    from && sql`invoices.created_at >= ${from}`,
    to && sql`invoices.created_at < ${to}`,
    minMicros !== undefined && sql`invoices.amount_micros >= ${minMicros}`,
    maxMicros !== undefined && sql`invoices.amount_micros <= ${maxMicros}`,
    // In the words of its index.
    isRefundable && sql`invoices.refunded_micros < invoices.paid_micros`,
    text && (await textFits(db, text)),
  ].filter((condition) => typeof condition === 'object')
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** What `like` takes for its own. */
const asPrefix = (text: string): string => `${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
const ORDER_ID = /^(ORD|UPGRADE)-/i
/** A name that fits more users than this is no search; the first of them are shown. */
const MAX_USERS = 200

/**
 * Each kind of text has a question of its own that an index answers: as one `or` over two tables, a million payments
 * took 600 ms to search.
 */
async function textFits(db: Database, text: string) {
  if (ORDER_ID.test(text)) return sql`invoices.order_id like ${asPrefix(text.toUpperCase())}`
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
    .limit(MAX_USERS)
    .execute()
  const ids = users.map(({ id }) => id)
  return sql`(invoices.track_id = ${text} or invoices.user_id = any(${ids}::integer[]))`
}

/** The place of a payment in the order of time. As text: the database knows finer moments than we do. */
export type Place = { createdAt: string; id: number }

export async function placeOf(db: Database, owner: Owner, id: number): Promise<Place | null> {
  const { rows } = await sql<Place>`
    select created_at::text as "createdAt", id from invoices
     where id = ${id}::bigint and ${owner.userId === null ? sql`true` : sql`user_id = ${owner.userId}`}`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * The newest that fit, as a table of (id, created_at). An index leads through one state in the order of time, not through
 * several at once: each state gives its own newest, and the newest of those are taken.
 */
export function newest(
  condition: RawBuilder<boolean>,
  { states }: PaymentFilter,
  { behind, limit }: { behind?: Place | undefined; limit: number },
): RawBuilder<unknown> {
  const place = behind
    ? sql`(invoices.created_at, invoices.id) < (${behind.createdAt}::timestamptz, ${behind.id}::integer)`
    : sql`true`
  const of = (state: RawBuilder<unknown>) => sql`
    (select id, created_at from invoices where ${condition} and ${place} and ${state}
      order by created_at desc, id desc limit ${limit})`
  if (!states) return of(sql`true`)
  if (states.length === 0) return of(sql`false`)
  const each = states.map((state) => of(sql`invoices.shown_state = ${state}`))
  return sql`
    (select id, created_at from (${sql.join(each, sql` union all `)}) as of_each
      order by created_at desc, id desc limit ${limit})`
}
