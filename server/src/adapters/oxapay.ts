import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Micros, parseDollars, smaller, sum, toWireNumber } from '@trunkline/domain/money'
import { isInvoiceReport, UNDER_PAID_COVERAGE_BASIS_POINTS } from '@trunkline/domain/payments'
import { z } from 'zod'
import type {
  Creation,
  FoundOrders,
  LookedUp,
  Order,
  PaymentProvider,
  PaymentReport,
} from '../platform/payment-provider.ts'

/** OxaPay's merchant API v1: https://docs.oxapay.com/api-reference/payment */

type OxapayOptions = {
  baseUrl: string
  merchantKey: string
  callbackUrl: string
  timeoutMs: number
}

const LIFETIME_MINUTES = 30
const PAGE_SIZE = 200
/** Pages of history per run. The next run continues. */
const MAX_PAGES = 25

export function createOxapay({
  baseUrl,
  merchantKey,
  callbackUrl,
  timeoutMs,
}: OxapayOptions): PaymentProvider {
  /** Sends one request without retries. Throws without a JSON answer. */
  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${baseUrl}/v1/payment${path}`, {
      method,
      headers: { merchant_api_key: merchantKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { data, message, error } = envelope.parse(await response.json())
    return { status: response.status, data, message: message || null, error: error.message || null }
  }

  return {
    async createInvoice(order): Promise<Creation> {
      try {
        return readCreation(await ask('POST', '/invoice', invoiceBody(order, callbackUrl)))
      } catch (error) {
        return { outcome: 'unknown', why: reasonOf(error) }
      }
    },

    async lookUp(trackId): Promise<LookedUp> {
      try {
        const answer = await ask('GET', `/${encodeURIComponent(trackId)}`)
        if (answer.status === 404) return { outcome: 'none' }
        if (answer.status !== 200) return { outcome: 'unknown', why: answer.error ?? `HTTP ${answer.status}` }
        return { outcome: 'found', report: readPayment(answer.data) }
      } catch (error) {
        return { outcome: 'unknown', why: reasonOf(error) }
      }
    },

    async findOrders(orderIds, since): Promise<FoundOrders> {
      const wanted = new Set(orderIds)
      const reports: PaymentReport[] = []
      try {
        for (let page = 1; page <= MAX_PAGES; page++) {
          const from = Math.floor(since.getTime() / 1000)
          const query = `?from_date=${from}&sort_type=asc&size=${PAGE_SIZE}&page=${page}`
          const answer = await ask('GET', query)
          if (answer.status !== 200)
            return { outcome: 'unknown', why: answer.error ?? `HTTP ${answer.status}` }
          const { list, meta } = history.parse(answer.data)
          for (const payment of list.map(readPayment)) {
            if (isInvoiceReport(payment) && payment.orderId !== null && wanted.delete(payment.orderId))
              reports.push(payment)
          }
          if (wanted.size === 0 || page >= meta.last_page) return { outcome: 'read', reports, isWhole: true }
        }
        return { outcome: 'read', reports, isWhole: false }
      } catch (error) {
        return { outcome: 'unknown', why: reasonOf(error) }
      }
    },

    readCallback(raw, signature) {
      if (!isSigned(raw, signature, merchantKey)) return { outcome: 'forged' }
      try {
        return { outcome: 'read', report: readCallbackBody(JSON.parse(Buffer.from(raw).toString('utf8'))) }
      } catch {
        return { outcome: 'unreadable' }
      }
    },
  }
}

type Answer = { status: number; data: unknown; message: string | null; error: string | null }

/** The payload of the specification. */
const invoiceBody = (order: Order, callbackUrl: string) => ({
  amount: toWireNumber(order.amountMicros),
  currency: 'USD',
  lifetime: LIFETIME_MINUTES,
  fee_paid_by_payer: 1,
  under_paid_coverage: UNDER_PAID_COVERAGE_BASIS_POINTS / 100,
  to_currency: 'USDT',
  auto_withdrawal: false,
  mixed_payment: true,
  callback_url: callbackUrl,
  return_url: order.returnUrl,
  email: order.email,
  order_id: order.orderId,
  thanks_message: order.thanksMessage,
  description: order.description,
  sandbox: order.isSandbox,
})

/** A success has an empty `error`, a failure has an empty `data`. */
const envelope = z.object({
  data: z.unknown(),
  message: z.string().nullish(),
  error: z
    .object({ message: z.string().nullish() })
    .nullish()
    .transform((error) => error ?? {})
    .pipe(z.object({ message: z.string().nullish() })),
})

const text = z.union([z.string(), z.number()]).transform(String)
const unixTime = z.coerce
  .number()
  .positive()
  .transform((seconds) => new Date(seconds * 1000))

const created = z.object({
  track_id: text.nullish(),
  payment_url: z.url({ protocol: /^https?$/ }).nullish(),
  expired_at: unixTime.nullish().catch(null),
})

function readCreation({ status, data, message, error }: Answer): Creation {
  if (error !== null || status >= 400) {
    return {
      outcome: 'refused',
      error: error ?? message ?? `HTTP ${status}`,
      isFinal: status >= 400 && status < 500,
    }
  }
  const { track_id, payment_url, expired_at } = created.parse(data ?? {})
  if (!track_id || !payment_url) return { outcome: 'no_url', trackId: track_id ?? null, message }
  return { outcome: 'made', trackId: track_id, paymentUrl: payment_url, expiresAt: expired_at ?? null }
}

const dollars = z.coerce.number().min(0).max(1e9)
const transaction = z.object({
  status: z.string().nullish(),
  amount: dollars.nullish().catch(null),
  value: dollars.nullish().catch(null),
  currency: z.string().nullish(),
  auto_convert: z
    .object({ processed: z.boolean(), amount: dollars, currency: z.string() })
    .nullish()
    .catch(null),
})
const payment = z.object({
  track_id: text,
  order_id: text.nullish(),
  status: z.string().min(1).max(100),
  type: z.string().max(100).nullish().catch(null),
  currency: z.string().max(100).nullish().catch(null),
  expired_at: unixTime.nullish().catch(null),
  txs: z.array(transaction).nullish().catch(null),
})
const history = z.object({ list: z.array(z.unknown()), meta: z.object({ last_page: z.coerce.number() }) })

const callback = payment.extend({ value: dollars.nullish().catch(null) })

function readPayment(data: unknown): PaymentReport {
  const { track_id, order_id, status, type, currency, expired_at, txs } = payment.parse(data)
  return {
    trackId: track_id,
    orderId: order_id ?? null,
    status,
    type: type ?? null,
    currency: currency ?? null,
    receivedMicros: txs ? dollarValueOf(txs) : null,
    expiresAt: expired_at ?? null,
    whole: data as object,
  }
}

/** A callback contains the total in dollars. If its transactions sum up to less, the lower amount counts. */
function readCallbackBody(data: unknown): PaymentReport {
  const { value, txs } = callback.parse(data)
  const report = readPayment(data)
  if (value === null || value === undefined) return { ...report, receivedMicros: null }
  const total = toMicros(value)
  const confirmed = txs && txs.length > 0 ? report.receivedMicros : null
  return { ...report, receivedMicros: confirmed === null ? total : smaller(total, confirmed) }
}

/** Stablecoins: one coin is one dollar. */
const DOLLAR_COINS = ['USD', 'USDT', 'USDC', 'DAI']

/** Dollar value of the confirmed transactions. Null if one has no value. */
function dollarValueOf(txs: z.output<typeof transaction>[]): Micros | null {
  const worths = txs.filter(({ status }) => status?.toLowerCase() === 'confirmed').map(dollarsOf)
  return worths.some((worth) => worth == null) ? null : sum(worths.map((worth) => toMicros(worth ?? 0)))
}

function dollarsOf({ value, amount, currency, auto_convert }: z.output<typeof transaction>): number | null {
  if (value != null) return value
  if (amount != null && isDollarCoin(currency)) return amount
  return auto_convert?.processed && isDollarCoin(auto_convert.currency) ? auto_convert.amount : null
}

const isDollarCoin = (currency: string | null | undefined): boolean =>
  DOLLAR_COINS.includes(currency?.toUpperCase() ?? '')

/** Truncates the decimal text to micro-dollars, without float arithmetic. */
function toMicros(amount: number): Micros {
  const parsed = parseDollars(amount.toFixed(6))
  if (!parsed.ok) throw new RangeError(`${amount} is not an amount`)
  return parsed.amountMicros
}

function isSigned(raw: Uint8Array, signature: string | undefined, key: string): boolean {
  if (!signature || !/^[0-9a-f]{128}$/i.test(signature)) return false
  return timingSafeEqual(createHmac('sha512', key).update(raw).digest(), Buffer.from(signature, 'hex'))
}

/** Text for log and history, without the request, which contains the merchant key. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no answer in time'
  if (error instanceof z.ZodError || error instanceof SyntaxError) return 'an answer that makes no sense'
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message
}
