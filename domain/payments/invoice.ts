import { type Micros, ZERO } from '../money/index.ts'

export const INVOICE_STATES = [
  'creating',
  'unknown',
  'waiting',
  'paying',
  'paid',
  'underpaid',
  'expired',
  'refunding',
  'refunded',
  'failed',
] as const

/**
 * creating: the row exists, but no request was sent to the provider. unknown: the request timed out.
 * failed: the provider refused to create the invoice. All others are reported by the provider.
 */
export type InvoiceState = (typeof INVOICE_STATES)[number]

export const PROVIDER_STATUSES = [
  'new',
  'waiting',
  'paying',
  'paid',
  'manual_accept',
  'underpaid',
  'refunding',
  'refunded',
  'expired',
] as const

export type ProviderStatus = (typeof PROVIDER_STATUSES)[number]

export type ReviewReason =
  | 'underpaid'
  | 'overpaid'
  /** Paid after the invoice was expired, refunding, refunded, failed, or settled by an administrator. */
  | 'late'
  /** The provider refunded money that we had credited. */
  | 'refunded_after_credit'
  /** The report matches no invoice. */
  | 'unmatched'
  /** An undocumented status or type, another currency, a payment without an amount, or a manual acceptance without money. */
  | 'unrecognised'

/** `amountMicros` is null if the report has no amount. */
export type ReviewItem = { readonly reason: ReviewReason; readonly amountMicros: Micros | null }

export type Invoice = {
  readonly state: InvoiceState
  /** Fixed when we create the invoice. The only amount that is credited automatically. */
  readonly amountMicros: Micros
  /** Set by the first credit, whether by a report or by an administrator. */
  readonly isCredited: boolean
  /** Separate from the state, because an underpaid invoice stays underpaid after it expires. */
  readonly hasExpired: boolean
  readonly listed: readonly ReviewItem[]
}

/** We credit in full despite a shortfall of up to 2.5 %. Each invoice sends this value to the provider. */
export const UNDER_PAID_COVERAGE_BASIS_POINTS = 250

export type ProviderReport = {
  readonly status: string
  /** The provider also reports payouts, donations and static addresses, which we do not use. */
  readonly type: string | null
  /** Currency of the invoice, not of the payment. */
  readonly currency: string | null
  /** Total received so far, in dollars. Null if the report has no amount. */
  readonly receivedMicros: Micros | null
}

export const newInvoice = (amountMicros: Micros): Invoice => ({
  state: 'creating',
  amountMicros,
  isCredited: false,
  hasExpired: false,
  listed: [],
})

/** The provider sends statuses in varying letter case. */
export function parseStatus(word: string): ProviderStatus | null {
  const lower = word.trim().toLowerCase()
  return PROVIDER_STATUSES.find((status) => status === lower) ?? null
}

/** The reported amount. A manual acceptance needs no transaction, so its zero is an unknown amount. */
export const reportedAmount = ({
  status,
  receivedMicros,
}: Pick<ProviderReport, 'status' | 'receivedMicros'>): Micros | null =>
  parseStatus(status) === 'manual_accept' && receivedMicros === ZERO ? null : receivedMicros

/** True if the report is about an invoice in dollars. Other reports never change an invoice. */
export const isInvoiceReport = ({ type, currency }: Pick<ProviderReport, 'type' | 'currency'>): boolean =>
  type?.trim().toLowerCase() === 'invoice' && currency?.trim().toUpperCase() === 'USD'

/** True if the reconciler still has to poll the invoice. */
export const isOpen = (state: InvoiceState): boolean =>
  ['creating', 'unknown', 'waiting', 'paying', 'refunding'].includes(state)
