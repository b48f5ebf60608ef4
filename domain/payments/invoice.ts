import type { Micros } from '../money/index.ts'

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
 * creating: our row stands, the provider was not yet asked. unknown: it was asked, no answer came.
 * failed: it refused to make the invoice. The others are what the provider told us.
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
  /** Money after the end we had recorded: expired, refunding, refunded, failed, or settled by an admin. */
  | 'late'
  /** The provider returned money that we had credited. */
  | 'refunded_after_credit'
  /** A report that fits no invoice of ours. */
  | 'unmatched'
  /** A status or type the provider never promised, another currency, or a payment of unknown value. */
  | 'unrecognised'

/** `amountMicros`: the money in question, null when the report does not tell. */
export type ReviewItem = { readonly reason: ReviewReason; readonly amountMicros: Micros | null }

export type Invoice = {
  readonly state: InvoiceState
  /** Ours, fixed when the invoice was made; the only amount that is ever credited unasked. */
  readonly amountMicros: Micros
  /** True from the first credit on, be it by a report or by an admin who resolved a review. */
  readonly isCredited: boolean
  /** Remembered beside the state, because an underpaid invoice stays underpaid when it expires. */
  readonly hasExpired: boolean
  readonly listed: readonly ReviewItem[]
}

/** Credit covers a shortfall of at most 2.5 %, as agreed with the provider for every invoice. */
export const UNDER_PAID_COVERAGE_BASIS_POINTS = 250

export type ProviderReport = {
  readonly status: string
  /** The provider also reports payouts, donations and static addresses. We only create invoices. */
  readonly type: string | null
  /** The currency of the invoice, not of the coins that paid it. */
  readonly currency: string | null
  /** What arrived so far, in dollars' worth; null when the report does not tell. */
  readonly receivedMicros: Micros | null
}

export const newInvoice = (amountMicros: Micros): Invoice => ({
  state: 'creating',
  amountMicros,
  isCredited: false,
  hasExpired: false,
  listed: [],
})

/** Statuses come in any letter case. */
export function parseStatus(word: string): ProviderStatus | null {
  const lower = word.trim().toLowerCase()
  return PROVIDER_STATUSES.find((status) => status === lower) ?? null
}

/** True if the report describes an invoice in dollars. Every other report moves no invoice and credits nothing. */
export const isInvoiceReport = ({ type, currency }: Pick<ProviderReport, 'type' | 'currency'>): boolean =>
  type?.trim().toLowerCase() === 'invoice' && currency?.trim().toUpperCase() === 'USD'

/** What the reconciler still has to ask about. */
export const isOpen = (state: InvoiceState): boolean =>
  ['creating', 'unknown', 'waiting', 'paying', 'refunding'].includes(state)
