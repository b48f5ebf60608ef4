import type { Micros } from '@trunkline/domain/money'

/** Implemented by an adapter. */
export type PaymentProvider = {
  /** Sends one request without retries. The caller must have stored the invoice first. */
  createInvoice(order: Order): Promise<Creation>
  /** Reads the status of a payment. */
  lookUp(trackId: string): Promise<LookedUp>
  /** Finds invoices by our order ids, for requests that timed out. */
  findOrders(orderIds: readonly string[], since: Date): Promise<FoundOrders>
  /** Verifies the signature over the raw bytes and parses the report. */
  readCallback(raw: Uint8Array, signature: string | undefined): ReadCallback
}

export type Order = {
  orderId: string
  amountMicros: Micros
  email: string
  returnUrl: string
  description: string
  thanksMessage: string
  /** Test mode of the provider. No money moves. */
  isSandbox: boolean
}

export type Creation =
  | { outcome: 'made'; trackId: string; paymentUrl: string; expiresAt: Date | null }
  /** The invoice may exist, but there is no URL to pay it. */
  | { outcome: 'no_url'; trackId: string | null; message: string | null }
  /** `isFinal`: the invoice certainly does not exist. */
  | { outcome: 'refused'; error: string; isFinal: boolean }
  /** No valid answer, so the invoice may or may not exist. */
  | { outcome: 'unknown'; why: string }

export type PaymentReport = {
  trackId: string
  orderId: string | null
  /** Unparsed status of the provider. */
  status: string
  /** `invoice`, or another type of the provider. */
  type: string | null
  /** Currency of the invoice. */
  currency: string | null
  /** Total received so far, in dollars. Null if unknown. */
  receivedMicros: Micros | null
  expiresAt: Date | null
  /** The complete report. */
  whole: object
}

export type LookedUp =
  | { outcome: 'found'; report: PaymentReport }
  | { outcome: 'none' }
  | { outcome: 'unknown'; why: string }

export type FoundOrders =
  /** `isWhole`: all invoices since then were read, so missing ones do not exist. */
  { outcome: 'read'; reports: PaymentReport[]; isWhole: boolean } | { outcome: 'unknown'; why: string }

type ReadCallback =
  | { outcome: 'read'; report: PaymentReport }
  | { outcome: 'forged' }
  /** Valid signature, invalid content. */
  | { outcome: 'unreadable' }
