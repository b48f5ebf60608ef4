import type { InvoiceState, ProviderStatus } from './invoice.ts'

/**
 * The effect of a report in each state. README.md shows the same table, and a test compares the two.
 * A status only moves an invoice forward: `-` is a repeated or outdated report.
 */
export type Cell =
  | '-'
  | 'to waiting'
  | 'to paying'
  | 'to expired'
  | 'to refunding'
  | 'to refunded'
  /** Move to paid and credit. Becomes `late` if the invoice has expired or is already credited. */
  | 'credit'
  /** Move to underpaid and list the received amount. */
  | 'underpaid'
  /** List the received amount. The state stays. */
  | 'list underpaid'
  /** List the payment as late. The state stays. */
  | 'late'
  /** No effect if the invoice is credited, otherwise `late`. */
  | 'late unless credited'
  /** Set `hasExpired`. The state stays. */
  | 'note expiry'

type Row = Readonly<Record<ProviderStatus, Cell>>

const initial: Row = {
  new: 'to waiting',
  waiting: 'to waiting',
  paying: 'to paying',
  paid: 'credit',
  manual_accept: 'credit',
  underpaid: 'underpaid',
  refunding: 'to refunding',
  refunded: 'to refunded',
  expired: 'to expired',
}

const waiting: Row = { ...initial, new: '-', waiting: '-' }
const paying: Row = { ...waiting, paying: '-' }
const paid: Row = { ...paying, paid: '-', manual_accept: '-', underpaid: '-', expired: '-' }
const underpaid: Row = { ...paying, underpaid: 'list underpaid', expired: 'note expiry' }
const expired: Row = { ...paying, paid: 'late', manual_accept: 'late', expired: '-' }
const refunding: Row = {
  ...paid,
  paid: 'late unless credited',
  manual_accept: 'late unless credited',
  refunding: '-',
}
const refunded: Row = { ...refunding, refunded: '-' }
const failed: Row = { ...expired, underpaid: 'list underpaid' }

export const TRANSITIONS: Readonly<Record<InvoiceState, Row>> = {
  creating: initial,
  unknown: initial,
  waiting,
  paying,
  paid,
  underpaid,
  expired,
  refunding,
  refunded,
  failed,
}
