import { system } from '@trunkline/domain/access'
import { formatDollars, MICROS_PER_CENT, type Micros, micros, percentageOf } from '@trunkline/domain/money'
import {
  carryOut,
  creditKey,
  decide,
  type Invoice,
  isInvoiceReport,
  type Plan,
  parseStatus,
  reportedAmount,
  type Step,
} from '@trunkline/domain/payments'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { PaymentReport } from '../../../platform/payment-provider.ts'
import type { PromoCodes } from '../promo-codes/service.ts'
import type { Booking } from './booking.ts'
import {
  countOpenReviews,
  insertEvent,
  listForReview,
  listReviewsOf,
  markReturned,
  type ReviewRow,
} from './history-store.ts'
import type { InvoiceChange, InvoiceRow } from './invoice-row.ts'
import type { PaymentAlerts } from './payment-alerts.ts'
import { nextPollAt } from './polling.ts'
import { lockReportedInvoice, updateInvoice } from './store.ts'

export type Reports = ReturnType<typeof createReports>

type Deps = {
  db: Database
  clock: Clock
  book: Booking
  promoCodes: PromoCodes
  alerts: PaymentAlerts
}

/** Applies reports of the provider, from callbacks and polling. The domain decides; one transaction executes the plan. */
export function createReports({ db, clock, book, promoCodes, alerts }: Deps) {
  const owner = system('payment reports')

  /** Resolves after the commit. */
  return {
    take: (report: PaymentReport, source: 'callback' | 'poll'): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const row = await lockReportedInvoice(tx, owner, report.trackId, report.orderId)
        if (row) await takeForInvoice(tx, row, report, source)
        else await takeUnmatched(tx, report, source)
      }),
  }

  async function takeForInvoice(
    tx: Database,
    row: InvoiceRow,
    report: PaymentReport,
    source: 'callback' | 'poll',
  ): Promise<void> {
    const now = clock.now()
    const invoice = asDomain(row, await listReviewsOf(tx, owner, row.id))
    const receivedMicros = withoutPayersFee(invoice.amountMicros, reportedAmount(report))
    const plan = decide(invoice, { ...report, receivedMicros })
    const after = carryOut(invoice, plan)
    const learnt: InvoiceChange = isInvoiceReport(report)
      ? {
          ...(row.track_id === null && { track_id: report.trackId }),
          ...(row.expires_at === null && report.expiresAt && { expires_at: report.expiresAt }),
          ...receivedChange(row, report.status, receivedMicros),
        }
      : {}
    const change: InvoiceChange =
      plan.length === 0
        ? learnt
        : {
            ...learnt,
            state: after.state,
            has_expired: after.hasExpired,
            next_poll_at: nextPollAt(after.state, row.created_at, now),
          }
    const outcome: string[] = []
    for (const step of plan) {
      if (step.do === 'review') {
        const { id: invoiceId, track_id: trackId, order_id: orderId } = row
        await list(tx, { invoiceId, trackId, orderId }, row.user_id, step, now)
      }
      if (step.do !== 'credit') outcome.push(inWords(step))
      else {
        const key = creditKey(String(row.id))
        const { amountMicros } = step
        const booked = await book(tx, row, { amountMicros, key, isWhole: true, by: null, now })
        Object.assign(change, booked.change)
        outcome.push(...creditInWords(amountMicros, booked))
      }
    }
    if (plan.length > 0 && isOver(after) && !after.isCredited) await promoCodes.release(tx, row.id)
    if (Object.keys(change).length > 0) await updateInvoice(tx, owner, row.id, change)
    if (plan.some((step) => step.do === 'review')) await countOpenReviews(tx, owner, row.id)
    // Most polls bring no change and are not recorded.
    if (source === 'callback' || plan.length > 0) {
      await insertEvent(tx, { ...eventOf(report, source), invoiceId: row.id, outcome }, now)
    }
  }

  async function takeUnmatched(
    tx: Database,
    report: PaymentReport,
    source: 'callback' | 'poll',
  ): Promise<void> {
    const now = clock.now()
    const payment = { invoiceId: null, trackId: report.trackId, orderId: report.orderId }
    const outcome: string[] = []
    const carryOutStep = async (step: Step) => {
      if (step.do === 'review') await list(tx, payment, null, step, now)
      outcome.push(inWords(step))
    }
    for (const step of decide(null, report)) await carryOutStep(step)
    if (parseStatus(report.status) === 'refunded' && (await markReturned(tx, owner, report.trackId, now))) {
      const amountMicros = reportedAmount(report)
      await carryOutStep({ do: 'review', reason: 'refunded_after_credit', amountMicros })
    }
    await insertEvent(tx, { ...eventOf(report, source), invoiceId: null, outcome }, now)
  }

  async function list(
    tx: Database,
    payment: { invoiceId: number | null; trackId: string | null; orderId: string | null },
    userId: number | null,
    { reason, amountMicros }: Step & { do: 'review' },
    now: Date,
  ): Promise<void> {
    const reviewId = await listForReview(tx, owner, { ...payment, reason, amountMicros }, now)
    if (reviewId === null) return
    await alerts.listed(tx, { reviewId, paymentId: payment.invoiceId, userId, reason, amountMicros })
  }
}

const asDomain = (row: InvoiceRow, reviews: readonly ReviewRow[]): Invoice => ({
  state: row.state,
  amountMicros: micros(row.amount_micros),
  isCredited: row.is_credited,
  hasExpired: row.has_expired,
  listed: reviews.map(({ reason, amount_micros }) => ({
    reason,
    amountMicros: amount_micros === null ? null : micros(amount_micros),
  })),
})

/** The payer pays the provider's fee of up to 1.5 %, which reports include in the received amount. */
const PAYERS_FEE_BASIS_POINTS = 150

/** Removes an excess of up to the fee. A larger excess is kept in full for review. */
function withoutPayersFee(askedMicros: Micros, receivedMicros: Micros | null): Micros | null {
  if (receivedMicros === null) return null
  const fee = percentageOf(askedMicros, PAYERS_FEE_BASIS_POINTS, 'up')
  const excess = receivedMicros - askedMicros
  return excess > 0n && excess < fee + MICROS_PER_CENT ? askedMicros : receivedMicros
}

/** Unconfirmed money does not count as received. */
function receivedChange(row: InvoiceRow, status: string, receivedMicros: Micros | null): InvoiceChange {
  const word = parseStatus(status)
  const isOnItsWay = word === 'new' || word === 'waiting' || word === 'paying'
  const isMore = receivedMicros !== null && receivedMicros > (row.received_micros ?? -1n)
  return isMore && !isOnItsWay ? { received_micros: receivedMicros } : {}
}

/** True if no more money is expected. Its reserved promo code can then be released. */
const isOver = ({ state, hasExpired }: Invoice): boolean =>
  hasExpired || ['failed', 'refunding', 'refunded'].includes(state)

const eventOf = (report: PaymentReport, source: 'callback' | 'poll') => ({
  source,
  trackId: report.trackId,
  status: report.status,
  receivedMicros: report.receivedMicros,
  report: report.whole,
})

export const creditInWords = (
  amountMicros: Micros,
  booked: { isPremiumBought: boolean; bonusMicros: Micros },
): string[] => [
  booked.isPremiumBought
    ? `${formatDollars(amountMicros)} bought premium`
    : `credited ${formatDollars(amountMicros)}`,
  ...(booked.bonusMicros > 0n ? [`credited a bonus of ${formatDollars(booked.bonusMicros)}`] : []),
]

function inWords(step: Plan[number]): string {
  switch (step.do) {
    case 'move':
      return `now ${step.to}`
    case 'note_expiry':
      return 'its time is over'
    case 'credit':
      return `credited ${formatDollars(step.amountMicros)}`
    case 'review':
      return `listed for review: ${step.reason}${step.amountMicros === null ? '' : ` ${formatDollars(step.amountMicros)}`}`
  }
}
