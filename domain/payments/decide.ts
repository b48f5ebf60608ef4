import { MICROS_PER_CENT, type Micros, micros } from '../money/index.ts'
import {
  type Invoice,
  type InvoiceState,
  type ProviderReport,
  type ProviderStatus,
  parseStatus,
  type ReviewItem,
  type ReviewReason,
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
  if (!status) return invoice ? review(invoice, 'unrecognised', report.receivedMicros) : [unmatched(report)]
  if (!invoice) return SAYS_MONEY_CAME.includes(status) ? [unmatched(report)] : []
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
      return invoice.isCredited || invoice.hasExpired
        ? review(invoice, 'late', received)
        : [
            { do: 'move', to: 'paid' },
            { do: 'credit', amountMicros: invoice.amountMicros },
          ]
    case 'underpaid':
      return [{ do: 'move', to: 'underpaid' }, ...review(invoice, 'underpaid', received)]
    case 'list underpaid':
      return review(invoice, 'underpaid', received)
    case 'late':
      return review(invoice, 'late', received)
    case 'late unless credited':
      return invoice.isCredited ? [] : review(invoice, 'late', received)
    case 'note expiry':
      return invoice.hasExpired ? [] : [{ do: 'note_expiry' }]
  }
}

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

const unmatched = (report: ProviderReport): Step => ({
  do: 'review',
  reason: parseStatus(report.status) ? 'unmatched' : 'unrecognised',
  amountMicros: report.receivedMicros,
})
