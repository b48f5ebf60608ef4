import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { formatDollars, type Micros, micros, parseDollars, toWireNumber, ZERO } from '@trunkline/domain/money'
import { creditKey } from '@trunkline/domain/payments'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { pageOf } from '../../../platform/pages.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findUserById } from '../../identity/users/store.ts'
import { type Ledger, orRefuse } from '../ledger/service.ts'
import type { PromoCodes } from '../promo-codes/service.ts'
import type { Booking } from './booking.ts'
import { creditableMicros } from './creditable.ts'
import {
  countAllOpenReviews,
  countOpenReviews,
  findReview,
  insertEvent,
  listReviews,
  lockReview,
  lockTrack,
  type ReviewFilter,
  type ReviewRow,
  resolveReview,
} from './history-store.ts'
import type { InvoiceRow } from './invoice-row.ts'
import type { PaymentAlerts } from './payment-alerts.ts'
import { creditInWords } from './reports.ts'
import { addToTotals, findPayment, lockInvoice, updateInvoice } from './store.ts'
import { viewReview } from './view.ts'

export type Reviews = ReturnType<typeof createReviews>

type Deps = {
  db: Database
  clock: Clock
  ledger: Ledger
  book: Booking
  promoCodes: PromoCodes
  audit: Audit
  alerts: PaymentAlerts
}

type Resolution = {
  action: 'credit' | 'ignore'
  amount?: number | undefined
  user_id?: number | undefined
  reason: string
}

/** The review list of unexpected payments. */
export function createReviews({ db, clock, ledger, book, promoCodes, audit, alerts }: Deps) {
  async function view(
    handle: Database,
    caller: Caller,
    review: NonNullable<Awaited<ReturnType<typeof findReview>>>,
  ) {
    const owner = everyonesData(caller)
    const payment = review.invoice_id === null ? null : await findPayment(handle, owner, review.invoice_id)
    return viewReview(review, payment ?? null, clock.now())
  }

  return {
    async list(caller: Caller, filter: ReviewFilter): Promise<AnswerOf<'GET /api/admin/payment-reviews'>> {
      const owner = everyonesData(caller)
      const now = clock.now()
      const rows = await listReviews(db, owner, { ...filter, limit: filter.limit + 1 }, now)
      const { shown, next } = pageOf(rows, filter.limit, ({ id }) => id)
      const reviews = await Promise.all(shown.map((row) => view(db, caller, row)))
      return { reviews, next, ...(await countAllOpenReviews(db, owner, now)) }
    },

    resolve: (
      caller: Caller,
      id: number,
      resolution: Resolution,
    ): Promise<AnswerOf<'POST /api/admin/payment-reviews/:id/resolve'>> =>
      db.transaction().execute(async (tx) => {
        const owner = everyonesData(caller)
        const known = requireFound(await findReview(tx, owner, id))
        // Same lock order as reports: the invoice, then its items.
        const invoice = known.invoice_id === null ? null : await lockInvoice(tx, owner, known.invoice_id)
        if (known.invoice_id === null && known.track_id !== null) await lockTrack(tx, owner, known.track_id)
        const review = await lockReview(tx, owner, id)
        if (review?.state !== 'open') throw new Refusal('review_resolved')
        await carryOut(tx, caller, review, invoice ?? null, resolution)
        const resolved = await findReview(tx, owner, id)
        if (!resolved) throw new Error(`review ${id} not found`)
        return { review: await view(tx, caller, resolved) }
      }),
  }

  async function carryOut(
    tx: Database,
    caller: Caller,
    review: ReviewRow,
    invoice: InvoiceRow | null,
    { action, amount, user_id, reason }: Resolution,
  ): Promise<void> {
    const owner = everyonesData(caller)
    const now = clock.now()
    const isCredit = action === 'credit'
    const amountMicros = isCredit ? amountOf(review, invoice, amount) : ZERO
    const userId = invoice?.user_id ?? (isCredit ? user_id : null)
    if (userId === undefined) throw new Refusal('review_needs_user')
    if (userId !== null && !(await findUserById(tx, owner, userId))) throw new Refusal('not_found')
    await resolveReview(
      tx,
      owner,
      review.id,
      {
        state: isCredit ? 'credited' : 'ignored',
        creditedMicros: amountMicros,
        by: caller.userId,
        why: reason,
      },
      now,
    )
    await alerts.resolved(tx, review.id, caller.userId)
    await audit.write(tx, caller, {
      action: isCredit ? 'payment.review_credit' : 'payment.review_ignore',
      subject: invoice ? `payment ${invoice.id}` : `review ${review.id}`,
      userId,
      before: { state: review.state, reason: review.reason, paid: dollars(invoice?.paid_micros) },
      after: {
        state: isCredit ? 'credited' : 'ignored',
        credited: toWireNumber(amountMicros),
        paid: dollars((invoice?.paid_micros ?? 0n) + amountMicros),
      },
      reason,
    })
    const outcome = !isCredit
      ? [`ignored: ${review.reason}`]
      : invoice
        ? await creditInvoice(tx, caller, review, invoice, amountMicros)
        : await creditUser(tx, caller, review, userId ?? 0, amountMicros)
    if (invoice) {
      await countOpenReviews(tx, owner, invoice.id)
      // The item is settled, so the reserved promo code must not wait for the rest.
      await promoCodes.release(tx, invoice.id)
    }
    const event = { invoiceId: invoice?.id ?? null, trackId: review.track_id, source: 'admin' as const }
    await insertEvent(tx, { ...event, outcome, actorId: caller.userId, note: reason }, now)
  }

  async function creditInvoice(
    tx: Database,
    caller: Caller,
    review: ReviewRow,
    invoice: InvoiceRow,
    amountMicros: Micros,
  ): Promise<string[]> {
    const isWhole = review.reason === 'late' && !invoice.is_credited && amountMicros === invoice.amount_micros
    const booked = await book(tx, invoice, {
      amountMicros,
      key: keyOf(creditKey(String(invoice.id), review.reason), review.credits),
      isWhole,
      by: caller.userId,
      now: clock.now(),
    })
    await updateInvoice(tx, everyonesData(caller), invoice.id, booked.change)
    return creditInWords(amountMicros, booked)
  }

  async function creditUser(
    tx: Database,
    caller: Caller,
    review: ReviewRow,
    userId: number,
    amountMicros: Micros,
  ): Promise<string[]> {
    const owner = everyonesData(caller)
    await addToTotals(tx, review.id, { micros: amountMicros, payments: review.credits === 0 ? 1 : 0 })
    const reference = review.order_id ?? review.track_id ?? `review ${review.id}`
    const key = keyOf(`review:${review.id}`, review.credits)
    const command = { kind: 'top_up', key, userId, amountMicros, reference } as const
    orRefuse(await ledger.within(tx).post(owner, command, caller.userId))
    await alerts.credited(tx, { subject: `review:${review.id}`, userId, amountMicros, reference })
    return [`credited ${formatDollars(amountMicros)}`]
  }
}

/** Each credit of a reopened item has its own ledger key. */
const keyOf = (key: string, credits: number): string => (credits === 0 ? key : `${key}:${credits}`)

/** The ledger keys of all credits of an item. */
export const reviewKeys = (invoiceId: number, { reason, credits }: ReviewRow): string[] =>
  Array.from({ length: credits }, (_, n) => keyOf(creditKey(String(invoiceId), reason), n))

function amountOf(review: ReviewRow, invoice: InvoiceRow | null, amount: number | undefined): Micros {
  const most = creditableMicros(review, invoice)
  if (most === ZERO) throw new Refusal('review_not_creditable')
  const parsed = amount === undefined ? { ok: true as const, amountMicros: most } : parseDollars(amount)
  // Without an amount from the provider, the administrator must enter it.
  const isUntold = !invoice && review.amount_micros === null && amount === undefined
  if (!parsed.ok || isUntold) throw new Refusal('invalid_input', ownMessages.amountInvalid)
  if (parsed.amountMicros > most) {
    throw new Refusal('more_than_was_paid', `${ownMessages.moreThanWasPaid} At most ${formatDollars(most)}.`)
  }
  return parsed.amountMicros
}

const dollars = (amount: bigint | undefined): number => toWireNumber(micros(amount ?? 0n))
