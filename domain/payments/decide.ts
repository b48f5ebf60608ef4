import { MICROS_PER_CENT, type Micros, micros, percentageOf, subtract } from '../money/index.ts'
import {
  type Invoice,
  type InvoiceState,
  isInvoiceReport,
  type ProviderReport,
  type ProviderStatus,
  parseStatus,
  type ReviewItem,
  type ReviewReason,
  reportedAmount,
  UNDER_PAID_COVERAGE_BASIS_POINTS,
} from './invoice.ts'
import { type Cell, TRANSITIONS } from './transitions.ts'

export type Step =
  | { readonly do: 'move'; readonly to: InvoiceState }
  | { readonly do: 'note_expiry' }
  /** At most once per invoice. */
  | { readonly do: 'credit'; readonly amountMicros: Micros }
  /** Adds an item to the review list, or raises the amount of the item with the same reason. */
  | ({ readonly do: 'review' } & ReviewItem)

/** Steps to carry out in order, in one transaction. Empty if the report changes nothing. */
export type Plan = readonly Step[]

/** A smaller excess is a rounding difference of the exchange rate. */
const OVERPAID_FROM_MICROS = MICROS_PER_CENT

const MONEY_RECEIVED: readonly ProviderStatus[] = [
  'paid',
  'manual_accept',
  'underpaid',
  'refunding',
  'refunded',
]
const FULLY_PAID: readonly ProviderStatus[] = ['paid', 'manual_accept']

/** `invoice` is null if the report matches none of ours. */
export function decide(invoice: Invoice | null, given: ProviderReport): Plan {
  const report = { ...given, receivedMicros: reportedAmount(given) }
  const status = parseStatus(report.status)
  const isRecognized = status !== null && isInvoiceReport(report)
  if (invoice && !isRecognized) {
    return reportsNoMoney(status) ? [] : review(invoice, 'unrecognised', report.receivedMicros)
  }
  if (!invoice || !status) return reportsNoMoney(status) ? [] : [unmatched(report, isRecognized)]
  const steps = stepsOf(TRANSITIONS[invoice.state][status], invoice, report)
  return FULLY_PAID.includes(status) && isCreditedAfter(invoice, steps)
    ? [...steps, ...reviewExcess(invoice, report, steps)]
    : steps
}

export const carryOut = (invoice: Invoice, plan: Plan): Invoice => plan.reduce(carryOutStep, invoice)

function carryOutStep(invoice: Invoice, step: Step): Invoice {
  switch (step.do) {
    case 'move':
      return { ...invoice, state: step.to, hasExpired: invoice.hasExpired || step.to === 'expired' }
    case 'note_expiry':
      return { ...invoice, hasExpired: true }
    case 'credit':
      return { ...invoice, isCredited: true }
    case 'review': {
      const others = invoice.listed.filter((item) => item.reason !== step.reason)
      return { ...invoice, listed: [...others, { reason: step.reason, amountMicros: step.amountMicros }] }
    }
  }
}

function stepsOf(cell: Cell, invoice: Invoice, report: ProviderReport): Plan {
  const received = report.receivedMicros
  switch (cell) {
    case '-':
      return []
    case 'to waiting':
      return [{ do: 'move', to: 'waiting' }]
    case 'to paying':
      return [{ do: 'move', to: 'paying' }]
    case 'to expired':
      return [{ do: 'move', to: 'expired' }]
    case 'to refunding':
      return [{ do: 'move', to: 'refunding' }]
    case 'to refunded':
      return [
        { do: 'move', to: 'refunded' },
        ...(invoice.isCredited ? review(invoice, 'refunded_after_credit', received) : []),
      ]
    case 'credit':
      return creditOrReview(invoice, received)
    case 'underpaid':
      return [{ do: 'move', to: 'underpaid' }, ...review(invoice, 'underpaid', received)]
    case 'list underpaid':
      return review(invoice, 'underpaid', received)
    case 'late':
      return late(invoice, received)
    case 'late unless credited':
      return invoice.isCredited ? [] : late(invoice, received)
    case 'note expiry':
      return invoice.hasExpired ? [] : [{ do: 'note_expiry' }]
  }
}

/** Credits only if the reported amount covers the invoice, minus the agreed shortfall. The status alone is not enough. */
function creditOrReview(invoice: Invoice, receivedMicros: Micros | null): Plan {
  if (invoice.isCredited || invoice.hasExpired) return late(invoice, receivedMicros)
  if (receivedMicros === null) return review(invoice, 'unrecognised', null)
  if (receivedMicros >= minimumCreditMicros(invoice.amountMicros)) {
    return [
      { do: 'move', to: 'paid' },
      { do: 'credit', amountMicros: invoice.amountMicros },
    ]
  }
  const listed = review(invoice, 'underpaid', receivedMicros)
  return invoice.state === 'underpaid' ? listed : [{ do: 'move', to: 'underpaid' }, ...listed]
}

/** Ignores a repeated report of money that is listed as underpaid, or that was listed without an amount and then credited. */
function late(invoice: Invoice, receivedMicros: Micros | null): Plan {
  const isListed = invoice.listed.some(({ reason, amountMicros }) =>
    receivedMicros === null
      ? invoice.isCredited && reason === 'unrecognised' && amountMicros === null
      : reason === 'underpaid' && (amountMicros ?? 0n) >= receivedMicros,
  )
  return isListed ? [] : review(invoice, 'late', receivedMicros)
}

/** Rounds the shortfall down, so the minimum is never below 97.5 %. */
const minimumCreditMicros = (amountMicros: Micros): Micros =>
  subtract(amountMicros, percentageOf(amountMicros, UNDER_PAID_COVERAGE_BASIS_POINTS, 'down'))

const reportsNoMoney = (status: ProviderStatus | null): boolean =>
  status !== null && !MONEY_RECEIVED.includes(status)

const isCreditedAfter = (invoice: Invoice, steps: Plan): boolean =>
  invoice.isCredited || steps.some((step) => step.do === 'credit')

/** A late payment is listed with its full amount, which includes the excess. */
function reviewExcess(invoice: Invoice, report: ProviderReport, steps: Plan): Plan {
  const excess = (report.receivedMicros ?? 0n) - invoice.amountMicros
  const isListedAsLate = [...invoice.listed, ...steps].some(
    (item) => 'reason' in item && item.reason === 'late',
  )
  return excess >= OVERPAID_FROM_MICROS && !isListedAsLate ? review(invoice, 'overpaid', micros(excess)) : []
}

/** Lists each reason once, and again only if the amount has grown. */
function review(invoice: Invoice, reason: ReviewReason, amountMicros: Micros | null): Plan {
  const listed = invoice.listed.find((item) => item.reason === reason)
  const isKnown = listed && (listed.amountMicros ?? 0n) >= (amountMicros ?? 0n)
  return isKnown ? [] : [{ do: 'review', reason, amountMicros }]
}

const unmatched = (report: ProviderReport, isRecognized: boolean): Step => ({
  do: 'review',
  reason: isRecognized ? 'unmatched' : 'unrecognised',
  amountMicros: report.receivedMicros,
})
