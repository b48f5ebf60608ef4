import { confirmedMicros, fromMicros, type Invoice, type Payment, type Status, sumMicros } from './invoice.ts'

/** Response bodies of OxaPay's merchant API v1. */

const VERSION = '1.0.0'
/** One coin with a rate of 1, so that amounts stay readable. */
const COIN = { currency: 'USDT', network: 'Tron Network', address: 'sandbox-address-no-real-money' }

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

export function successAnswer(data: unknown, message = 'Operation completed successfully!') {
  return { data, message, error: {}, status: 200, version: VERSION }
}

export function errorAnswer(status: number, error: { type: string; key: string; message: string }) {
  return { data: {}, message: error.message, error, status, version: VERSION }
}

export function createdInvoice(invoice: Invoice, paymentUrl: string) {
  return {
    track_id: invoice.track_id,
    payment_url: paymentUrl,
    expired_at: seconds(invoice.expiresAt),
    date: seconds(invoice.createdAt),
  }
}

/** `GET /v1/payment/{track_id}` */
export function paymentInformation(invoice: Invoice) {
  const { request } = invoice
  return {
    track_id: invoice.track_id,
    type: 'invoice',
    amount: request.amount,
    currency: request.currency,
    status: invoice.status,
    mixed_payment: request.mixed_payment,
    callback_url: request.callback_url,
    description: request.description,
    email: request.email,
    fee_paid_by_payer: request.fee_paid_by_payer,
    lifetime: request.lifetime,
    order_id: request.order_id,
    under_paid_coverage: request.under_paid_coverage,
    return_url: request.return_url,
    thanks_message: request.thanks_message,
    expired_at: seconds(invoice.expiresAt),
    date: seconds(invoice.createdAt),
    txs: invoice.payments.map((payment) => ({
      tx_hash: payment.tx_hash,
      amount: fromMicros(payment.valueMicros),
      ...COIN,
      status: payment.isConfirmed ? 'confirmed' : 'confirming',
      confirmations: payment.isConfirmed ? 20 : 0,
      auto_convert: { processed: false, amount: 0, currency: request.to_currency },
      auto_withdrawal: { processed: false },
      date: seconds(payment.at),
    })),
  }
}

/** The body of a callback. Statuses are capitalized, as in real callbacks. */
export function callbackBody(invoice: Invoice, status: Status): string {
  const { request } = invoice
  const receivedMicros = status === 'paying' ? sumMicros(invoice.payments) : confirmedMicros(invoice)
  return JSON.stringify({
    track_id: invoice.track_id,
    status: status.charAt(0).toUpperCase() + status.slice(1),
    type: 'invoice',
    module_name: 'sandbox',
    amount: request.amount,
    value: fromMicros(receivedMicros),
    sent_value: fromMicros(receivedMicros),
    currency: request.currency,
    order_id: request.order_id,
    email: request.email,
    note: '',
    fee_paid_by_payer: request.fee_paid_by_payer,
    under_paid_coverage: request.under_paid_coverage,
    description: request.description,
    date: seconds(invoice.createdAt),
    txs: invoice.payments.map(callbackTransaction),
  })
}

function callbackTransaction(payment: Payment) {
  const amount = fromMicros(payment.valueMicros)
  return {
    status: payment.isConfirmed ? 'confirmed' : 'confirming',
    tx_hash: payment.tx_hash,
    sent_amount: amount,
    sent_value: amount,
    received_amount: amount,
    value: amount,
    ...COIN,
    sender_address: 'sandbox-payer',
    memo: '',
    rate: 1,
    confirmations: payment.isConfirmed ? 20 : 0,
    auto_convert_amount: 0,
    auto_convert_currency: '',
    date: seconds(payment.at),
  }
}
