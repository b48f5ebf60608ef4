import type { Micros } from '@trunkline/domain/money'

/** What features need of a payment provider; the adapter that speaks its protocol is handed in. */
export type PaymentProvider = {
  /** Asks once. Whoever calls has written down beforehand that it will. */
  createInvoice(order: Order): Promise<Creation>
  /** What became of a payment. */
  lookUp(trackId: string): Promise<LookedUp>
  /** Finds invoices whose creation was never answered, by our own order ids, among those made since. */
  findOrders(orderIds: readonly string[], since: Date): Promise<FoundOrders>
  /** A report if the signature is the provider's, over exactly these bytes. */
  readCallback(raw: Uint8Array, signature: string | undefined): ReadCallback
}

export type Order = {
  orderId: string
  amountMicros: Micros
  email: string
  returnUrl: string
  description: string
  thanksMessage: string
  /** The provider takes it for a trial: no money moves. */
  isSandbox: boolean
}

export type Creation =
  | { outcome: 'made'; trackId: string; paymentUrl: string; expiresAt: Date | null }
  /** An invoice may stand, but nobody can be sent to it. */
  | { outcome: 'no_url'; trackId: string | null; message: string | null }
  /** `isFinal`: it was surely not made. */
  | { outcome: 'refused'; error: string; isFinal: boolean }
  /** No answer, or none that makes sense: it may have been made or not. */
  | { outcome: 'unknown'; why: string }

export type PaymentReport = {
  trackId: string
  orderId: string | null
  /** In the provider's own words. */
  status: string
  /** `invoice`, or something else that the provider reports to the same address. */
  type: string | null
  /** The currency of the invoice. */
  currency: string | null
  /** What arrived so far, in dollars' worth; null where the provider does not tell. */
  receivedMicros: Micros | null
  expiresAt: Date | null
  /** Everything it said. */
  whole: object
}

export type LookedUp =
  | { outcome: 'found'; report: PaymentReport }
  | { outcome: 'none' }
  | { outcome: 'unknown'; why: string }

export type FoundOrders =
  /** `isWhole`: everything since then was read, so what is not among the reports was never made. */
  { outcome: 'read'; reports: PaymentReport[]; isWhole: boolean } | { outcome: 'unknown'; why: string }

type ReadCallback =
  | { outcome: 'read'; report: PaymentReport }
  | { outcome: 'forged' }
  /** The signature is right, the content makes no sense. */
  | { outcome: 'unreadable' }
