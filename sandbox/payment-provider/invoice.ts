import { z } from 'zod'

/** OxaPay's statuses in the order of a payment. */
export const STATUSES = [
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
export type Status = (typeof STATUSES)[number]

const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean)
const webAddress = z.url({ protocol: /^https?$/ }).max(2000)

/** The body of `POST /v1/payment/invoice`, with OxaPay's documented limits. */
export const invoiceRequest = z.object({
  amount: z.number().positive().max(1_000_000),
  currency: z.string().min(2).max(10).default('USD'),
  lifetime: z.number().int().min(15).max(2880).default(60),
  fee_paid_by_payer: z.union([z.literal(0), z.literal(1)]).default(0),
  under_paid_coverage: z.number().min(0).max(60).default(0),
  to_currency: z.string().max(10).default(''),
  auto_withdrawal: flag.default(false),
  mixed_payment: flag.default(true),
  callback_url: z.union([webAddress, z.literal('')]).default(''),
  return_url: z.union([webAddress, z.literal('')]).default(''),
  email: z.union([z.email(), z.literal('')]).default(''),
  order_id: z.string().max(100).default(''),
  thanks_message: z.string().max(500).default(''),
  description: z.string().max(500).default(''),
  sandbox: flag.default(false),
})
export type InvoiceRequest = z.infer<typeof invoiceRequest>

export interface Payment {
  tx_hash: string
  valueMicros: number
  at: number
  confirmsAt: number
  isConfirmed: boolean
}

export interface Invoice {
  track_id: string
  createdAt: number
  expiresAt: number
  status: Status
  request: InvoiceRequest
  payments: Payment[]
}

/** The new state of an invoice and the status to send to the merchant, if any. */
export interface Step {
  invoice: Invoice
  announce: Status | null
}

export function toMicros(amount: number): number {
  return Math.round(amount * 1_000_000)
}

export function fromMicros(micros: number): number {
  return micros / 1_000_000
}

export function sumMicros(payments: Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.valueMicros, 0)
}

export function confirmedMicros(invoice: Invoice): number {
  return sumMicros(invoice.payments.filter((payment) => payment.isConfirmed))
}

export function remainingMicros(invoice: Invoice): number {
  return Math.max(0, toMicros(invoice.request.amount) - sumMicros(invoice.payments))
}

/** An underpayment up to and including the coverage counts as paid. */
export function isCovered(request: InvoiceRequest, receivedMicros: number): boolean {
  const coverageHundredths = Math.round(request.under_paid_coverage * 100)
  return receivedMicros * 10_000 >= toMicros(request.amount) * (10_000 - coverageHundredths)
}

/** Opening the payment page replaces choosing a currency at the real provider. */
export function openPage(invoice: Invoice): Step {
  return { invoice: invoice.status === 'new' ? { ...invoice, status: 'waiting' } : invoice, announce: null }
}

const CLOSED: Status[] = ['paid', 'manual_accept', 'refunding', 'refunded']

/** A payment can arrive at any time, even for an expired or paid invoice. */
export function receive(invoice: Invoice, payment: Payment): Step {
  const payments = [...invoice.payments, payment]
  if (CLOSED.includes(invoice.status)) return { invoice: { ...invoice, payments }, announce: null }
  return { invoice: { ...invoice, payments, status: 'paying' }, announce: 'paying' }
}

export function confirm(invoice: Invoice, txHash: string): Step {
  // The confirmation may be scheduled twice; the second run has no effect.
  if (!invoice.payments.some((one) => one.tx_hash === txHash && !one.isConfirmed))
    return { invoice, announce: null }
  const payments = invoice.payments.map((one) =>
    one.tx_hash === txHash ? { ...one, isConfirmed: true } : one,
  )
  const confirmed = { ...invoice, payments }
  if (CLOSED.includes(invoice.status)) {
    return { invoice: confirmed, announce: invoice.status === 'paid' ? 'paid' : null }
  }
  const status = isCovered(invoice.request, confirmedMicros(confirmed)) ? 'paid' : 'underpaid'
  return { invoice: { ...confirmed, status }, announce: status }
}

/** Only an invoice without any payment expires. */
export function expire(invoice: Invoice, now: number): Step {
  const ended = { ...invoice, expiresAt: Math.min(invoice.expiresAt, now) }
  if (invoice.status === 'underpaid') return { invoice: ended, announce: null }
  if (invoice.status !== 'new' && invoice.status !== 'waiting') return { invoice, announce: null }
  return { invoice: { ...ended, status: 'expired' }, announce: 'expired' }
}

/** Manual actions of the provider's staff or of the merchant. */
const BY_HAND = {
  accept: { to: 'manual_accept', from: ['new', 'waiting', 'underpaid', 'expired'] },
  refund: { to: 'refunding', from: ['paid', 'manual_accept', 'underpaid'] },
  'complete-refund': { to: 'refunded', from: ['refunding'] },
} as const satisfies Record<string, { to: Status; from: readonly Status[] }>
export type HandAction = keyof typeof BY_HAND
export const HAND_ACTIONS = Object.keys(BY_HAND) as HandAction[]

export function canAct(invoice: Invoice, action: HandAction): boolean {
  return (BY_HAND[action].from as readonly Status[]).includes(invoice.status)
}

export function act(invoice: Invoice, action: HandAction): Step {
  if (!canAct(invoice, action)) return { invoice, announce: null }
  const status = BY_HAND[action].to
  return { invoice: { ...invoice, status }, announce: status }
}
