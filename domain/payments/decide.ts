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
  UNDER_PAID_COVERAGE_BASIS_POINTS,
} from './invoice.ts'
import { type Cell, TRANSITIONS } from './transitions.ts'

export type Step =
  | { readonly do: 'move'; readonly to: InvoiceState }
  | { readonly do: 'note_expiry' }
  /** At most once in the life of an invoice. */
  | { readonly do: 'credit'; readonly amountMicros: Micros }
  /** Put on the review list, or raise the amount of the item that stands there for the same reason. */
  | ({ readonly do: 'review' } & ReviewItem)

/** What to do, in order, in one transaction. Empty: the report changes nothing. */
export type Plan = readonly Step[]

/** Coins never convert to the last micro-dollar: under a cent too much is the rate, not an overpayment. */
const OVERPAID_FROM_MICROS = MICROS_PER_CENT

const SAYS_MONEY_CAME: readonly ProviderStatus[] = [
  'paid',
  'manual_accept',
  'underpaid',
  'refunding',
  'refunded',
]
const SAYS_ALL_CAME: readonly ProviderStatus[] = ['paid', 'manual_accept']

/** `invoice` is null when the report fits none of ours. */
export function decide(invoice: Invoice | null, report: ProviderReport): Plan {
  const status = parseStatus(report.status)
  const isRecognised = status !== null && isInvoiceReport(report)
  if (invoice && !isRecognised) {
    return isSilentOnMoney(status) ? [] : review(invoice, 'unrecognised', report.receivedMicros)
  }
  if (!invoice || !status) return isSilentOnMoney(status) ? [] : [unmatched(report, isRecognised)]
  const steps = stepsOf(TRANSITIONS[invoice.state][status], invoice, report)
  return SAYS_ALL_CAME.includes(status) && isCreditedAfter(invoice, steps)
    ? [...steps, ...reviewExcess(invoice, report, steps)]
    : steps
}

/** The invoice after its plan was carried out. */
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

/** The provider's word is not enough: the credit needs the money, or all of it but the agreed coverage. */
function creditOrReview(invoice: Invoice, receivedMicros: Micros | null): Plan {
  if (invoice.isCredited || invoice.hasExpired) return late(invoice, receivedMicros)
  if (receivedMicros === null) return review(invoice, 'unrecognised', null)
  if (receivedMicros >= leastCreditedMicros(invoice.amountMicros)) {
    return [
      { do: 'move', to: 'paid' },
      { do: 'credit', amountMicros: invoice.amountMicros },
    ]
  }
  const listed = review(invoice, 'underpaid', receivedMicros)
  return invoice.state === 'underpaid' ? listed : [{ do: 'move', to: 'underpaid' }, ...listed]
}

/** A repeated report of a payment that is listed as underpaid is no new money. */
function late(invoice: Invoice, receivedMicros: Micros | null): Plan {
  const isListed =
    receivedMicros !== null &&
    invoice.listed.some(
      ({ reason, amountMicros }) => reason === 'underpaid' && (amountMicros ?? 0n) >= receivedMicros,
    )
  return isListed ? [] : review(invoice, 'late', receivedMicros)
}

/** The shortfall is rounded down, so the least accepted amount is exactly 97.5 % or above it. */
const leastCreditedMicros = (amountMicros: Micros): Micros =>
  subtract(amountMicros, percentageOf(amountMicros, UNDER_PAID_COVERAGE_BASIS_POINTS, 'down'))

const isSilentOnMoney = (status: ProviderStatus | null): boolean =>
  status !== null && !SAYS_MONEY_CAME.includes(status)

const isCreditedAfter = (invoice: Invoice, steps: Plan): boolean =>
  invoice.isCredited || steps.some((step) => step.do === 'credit')

/** A late payment is listed whole already; its excess is part of that item. */
function reviewExcess(invoice: Invoice, report: ProviderReport, steps: Plan): Plan {
  const excess = (report.receivedMicros ?? 0n) - invoice.amountMicros
  const isListedWhole = [...invoice.listed, ...steps].some(
    (item) => 'reason' in item && item.reason === 'late',
  )
  return excess >= OVERPAID_FROM_MICROS && !isListedWhole ? review(invoice, 'overpaid', micros(excess)) : []
}

/** Listed once for each reason, and again only when more money came than the list says. */
function review(invoice: Invoice, reason: ReviewReason, amountMicros: Micros | null): Plan {
  const standing = invoice.listed.find((item) => item.reason === reason)
  const isKnown = standing && (standing.amountMicros ?? 0n) >= (amountMicros ?? 0n)
  return isKnown ? [] : [{ do: 'review', reason, amountMicros }]
}

const unmatched = (report: ProviderReport, isRecognised: boolean): Step => ({
  do: 'review',
  reason: isRecognised ? 'unmatched' : 'unrecognised',
  amountMicros: report.receivedMicros,
})
