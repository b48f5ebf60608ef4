import type { Owner } from '@trunkline/domain/access'
import type { Micros } from '@trunkline/domain/money'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database.ts'
import type { InvoiceRow } from './invoice-row.ts'

export type PaymentFilter = {
  /** Matches any of these states. */
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

/** All conditions except the states, which `newest` handles one by one. */
export async function conditionsOf(
  db: Database,
  owner: Owner,
  filter: PaymentFilter,
): Promise<RawBuilder<boolean>> {
  const { kind, user, from, to, minMicros, maxMicros, text, isRefundable } = filter
  const conditions = [
    owner.userId !== null && sql`invoices.user_id = ${owner.userId}`,
    kind && sql`invoices.kind = ${kind}`,
    user !== undefined && sql`invoices.user_id = ${user}`,
    from && sql`invoices.created_at >= ${from}`,
    to && sql`invoices.created_at < ${to}`,
    minMicros !== undefined && sql`invoices.amount_micros >= ${minMicros}`,
    maxMicros !== undefined && sql`invoices.amount_micros <= ${maxMicros}`,
    // Matches the condition of the partial index.
    isRefundable && sql`invoices.refunded_micros < invoices.paid_micros`,
    text && (await textCondition(db, text)),
  ].filter((condition) => typeof condition === 'object')
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Escapes the wildcards of `like`. */
const asPrefix = (text: string): string => `${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
const ORDER_ID = /^(ORD|UPGRADE)-/i
/** Limit of matching users. Only the first are searched. */
const MAX_USERS = 200

/**
 * Chooses one indexed condition by the kind of text. A single `or` over two tables took 600 ms for a million
 * payments.
 */
async function textCondition(db: Database, text: string) {
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

/** Cursor. The timestamp is text, because PostgreSQL has microseconds and Date only milliseconds. */
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
 * The newest matches as a table of (id, created_at). The index is ordered by time within one state, so the query reads the
 * newest of each state and merges them.
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
