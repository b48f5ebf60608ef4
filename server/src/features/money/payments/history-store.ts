import type { AgeCounts } from '@trunkline/contract/age-counts'
import type { AgeBand } from '@trunkline/contract/ages'
import type { AllUsers, Owner } from '@trunkline/domain/access'
import type { Micros } from '@trunkline/domain/money'
import type { ReviewReason } from '@trunkline/domain/payments'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { countByAge, isOfAge } from '../../../platform/ages.ts'
import type { Database } from '../../../platform/database.ts'
import { beforeId, ofOwner } from '../../../platform/rows.ts'
import type { Tables } from '../../../platform/tables.ts'

export type EventRow = Selectable<Tables['invoice_events']> & { actor_name: string | null }
export type ReviewRow = Selectable<Tables['payment_reviews']> & {
  /** All credits of a payment without an invoice. */
  credited_of_track: bigint
}
export type ReviewRowWithName = ReviewRow & { resolver_name: string | null }

export type NewEvent = {
  invoiceId: number | null
  source: EventRow['source']
  outcome: string[]
  trackId?: string | null
  status?: string | null
  receivedMicros?: Micros | null
  actorId?: number | null
  note?: string | null
  report?: object | null
}

export async function insertEvent(db: Database, event: NewEvent, now: Date): Promise<void> {
  await db
    .insertInto('invoice_events')
    .values({
      invoice_id: event.invoiceId,
      at: now,
      source: event.source,
      track_id: event.trackId ?? null,
      status: event.status ?? null,
      received_micros: event.receivedMicros ?? null,
      outcome: event.outcome,
      actor_id: event.actorId ?? null,
      note: event.note ?? null,
      report: event.report ? JSON.stringify(event.report) : null,
    })
    .execute()
}

/** Oldest first. */
export const listEvents = (db: Database, owner: Owner, invoiceId: number): Promise<EventRow[]> =>
  db
    .selectFrom('invoice_events')
    .innerJoin('invoices', 'invoices.id', 'invoice_events.invoice_id')
    .leftJoin('users as actor', 'actor.id', 'invoice_events.actor_id')
    .selectAll('invoice_events')
    .select('actor.username as actor_name')
    .where('invoice_events.invoice_id', '=', invoiceId)
    .where(ofOwner(owner, 'invoices.user_id'))
    .orderBy('invoice_events.id')
    .limit(1_000)
    .execute()

export type Listed = {
  invoiceId: number | null
  trackId: string | null
  orderId: string | null
  reason: ReviewReason
  amountMicros: Micros | null
}

/**
 * Adds an item to the review list, or raises the item with the same reason. Reopens a resolved item if more money
 * arrived.
 */
/** Returns the item if it is new or raised, otherwise null. */
export async function listForReview(
  db: Database,
  _scope: AllUsers,
  listed: Listed,
  now: Date,
): Promise<number | null> {
  const { invoiceId, trackId, orderId, reason, amountMicros } = listed
  const conflict =
    invoiceId === null ? sql`(track_id, reason) where invoice_id is null` : sql`(invoice_id, reason)`
  const { rows } = await sql<{ id: number }>`
    insert into payment_reviews as standing (invoice_id, track_id, order_id, reason, amount_micros, created_at, open_since)
    values (${invoiceId}, ${trackId}, ${orderId}, ${reason}, ${amountMicros}, ${now}, ${now})
    on conflict ${conflict} do update
      set amount_micros = excluded.amount_micros,
          open_since = case when standing.state = 'open' then standing.open_since else excluded.open_since end,
          state = 'open', resolved_at = null, resolved_by = null, resolution = null
    where coalesce(excluded.amount_micros, 0) > coalesce(standing.amount_micros, 0)
    returning id`.execute(db)
  return rows[0]?.id ?? null
}

/**
 * Marks the items of a payment without an invoice as returned to the payer. Returns whether one of them has been credited and had
 * not been returned yet.
 */
export async function markReturned(
  db: Database,
  _scope: AllUsers,
  trackId: string,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .updateTable('payment_reviews')
    .set({ returned_at: now })
    .where('invoice_id', 'is', null)
    .where('track_id', '=', trackId)
    .where('returned_at', 'is', null)
    .returning('credits')
    .execute()
  return rows.some(({ credits }) => credits > 0)
}

export const listReviewsOf = (db: Database, owner: Owner, invoiceId: number): Promise<ReviewRowWithName[]> =>
  reviewsOf(db, owner).where('invoice_id', '=', invoiceId).execute()

const creditedOfTrack = sql<bigint>`(
  select coalesce(sum(p.credited_micros), 0)::bigint from payment_reviews as p
   where p.invoice_id is null and p.track_id = payment_reviews.track_id)`.as('credited_of_track')

const reviewsOf = (db: Database, owner: Owner) =>
  db
    .selectFrom('payment_reviews')
    .leftJoin('users as resolver', 'resolver.id', 'payment_reviews.resolved_by')
    .selectAll('payment_reviews')
    .select([creditedOfTrack, 'resolver.username as resolver_name'])
    .$if(owner.userId !== null, (query) =>
      query.where('invoice_id', 'in', (eb) =>
        eb
          .selectFrom('invoices')
          .select('invoices.id')
          .where('user_id', '=', owner.userId ?? 0),
      ),
    )
    .orderBy('payment_reviews.id', 'desc')

/** Updates the counter on the invoice, which the caller has locked. */
export async function countOpenReviews(db: Database, _scope: AllUsers, invoiceId: number): Promise<void> {
  await sql`
    update invoices set open_reviews =
      (select count(*) from payment_reviews where invoice_id = ${invoiceId} and state = 'open')
     where id = ${invoiceId}`.execute(db)
}

export const findReview = (db: Database, owner: Owner, id: number): Promise<ReviewRowWithName | undefined> =>
  reviewsOf(db, owner).where('payment_reviews.id', '=', id).executeTakeFirst()

export const lockReview = (db: Database, _scope: AllUsers, id: number): Promise<ReviewRow | undefined> =>
  db
    .selectFrom('payment_reviews')
    .selectAll()
    .select(creditedOfTrack)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Locks all items of a payment without an invoice, so that their credits do not change. */
export async function lockTrack(db: Database, _scope: AllUsers, trackId: string): Promise<void> {
  await db
    .selectFrom('payment_reviews')
    .select('id')
    .where('invoice_id', 'is', null)
    .where('track_id', '=', trackId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export type ReviewFilter = {
  before?: number | undefined
  limit: number
  state?: ReviewRow['state'] | undefined
  reason?: ReviewReason | undefined
  /** Open items that have waited this long. */
  age?: AgeBand | undefined
}

export const listReviews = (
  db: Database,
  owner: Owner,
  filter: ReviewFilter,
  now: Date,
): Promise<ReviewRowWithName[]> =>
  reviewsOf(db, owner)
    .where(beforeId('payment_reviews.id', filter.before))
    .$if(filter.state !== undefined, (query) =>
      query.where('payment_reviews.state', '=', filter.state ?? 'open'),
    )
    .$if(filter.reason !== undefined, (query) =>
      query.where('payment_reviews.reason', '=', filter.reason ?? 'late'),
    )
    .$if(filter.age !== undefined, (query) =>
      query
        .where('payment_reviews.state', '=', 'open')
        .where(isOfAge('payment_reviews.open_since', filter.age ?? 'under_4h', now)),
    )
    .limit(filter.limit)
    .execute()

export async function countAllOpenReviews(
  db: Database,
  _scope: AllUsers,
  now: Date,
): Promise<{ open: number; ages: AgeCounts }> {
  const { rows } = await sql<{ open: number; ages: AgeCounts }>`
    select count(*)::integer as open, ${countByAge('open_since', now)} as ages from payment_reviews where state = 'open'`.execute(
    db,
  )
  if (!rows[0]) throw new Error('an aggregate has one row')
  return rows[0]
}

export async function resolveReview(
  db: Database,
  _scope: AllUsers,
  id: number,
  resolved: { state: 'credited' | 'ignored'; creditedMicros: Micros; by: number; why: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('payment_reviews')
    .set((eb) => ({
      state: resolved.state,
      credited_micros: eb('credited_micros', '+', resolved.creditedMicros as bigint),
      credits: eb('credits', '+', resolved.state === 'credited' ? 1 : 0),
      resolved_at: now,
      resolved_by: resolved.by,
      resolution: resolved.why,
    }))
    .where('id', '=', id)
    .execute()
}
