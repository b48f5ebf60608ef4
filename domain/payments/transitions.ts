import type { InvoiceState, ProviderStatus } from './invoice.ts'

/**
 * What a report means in each state; README.md shows the same table and a test compares the two.
 * A status only ever moves an invoice forward: `-` is a repeat, or a report that was overtaken.
 */
export type Cell =
  | '-'
  | 'to waiting'
  | 'to paying'
  | 'to expired'
  | 'to refunding'
  | 'to refunded'
  /** Move to paid and credit, unless it had expired or was credited already: then `late`. */
  | 'credit'
  /** Move to underpaid and list what came. */
  | 'underpaid'
  /** List what came, the state stays. */
  | 'list underpaid'
  /** List it as late, the state stays. */
  | 'late'
  /** Nothing if the invoice was credited, `late` if it never was. */
  | 'late unless credited'
  /** The state stays, the expiry is remembered. */
  | 'note expiry'

type Row = Readonly<Record<ProviderStatus, Cell>>

const beginning: Row = {
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

const waiting: Row = { ...beginning, new: '-', waiting: '-' }
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
  creating: beginning,
  unknown: beginning,
  waiting,
  paying,
  paid,
  underpaid,
  expired,
  refunding,
  refunded,
  failed,
}
