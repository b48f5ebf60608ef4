import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { CallbackLogEntry } from '../payment-provider/callbacks.ts'
import { startPaymentProvider } from '../payment-provider/start.ts'
import type { createdInvoice, paymentInformation } from '../payment-provider/wire.ts'
import { startMerchant } from './merchant.ts'

export const KEY = 'SANDBX-TEST-KEY'

export type Information = ReturnType<typeof paymentInformation>
export type Created = ReturnType<typeof createdInvoice>
export interface Envelope<T> {
  data: T
  message: string
  error: { type: string; key: string; message: string }
  status: number
}

export async function jsonOf<T>(answer: Response | Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-sandbox-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A provider and a merchant, with helpers for tests. */
async function startPair(folder: string) {
  const merchant = await startMerchant()
  // Generous, so that callbacks do not time out on a busy machine.
  const provider = await startPaymentProvider({
    port: 0,
    folder,
    merchantKey: KEY,
    callbackTimeoutMs: 60_000,
  })
  const call = (method: string, path: string, body?: unknown, key = KEY, signal?: AbortSignal) =>
    fetch(`${provider.url}${path}`, {
      method,
      headers: { merchant_api_key: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })

  return {
    merchant,
    provider,
    call,
    /** The payload of the specification. */
    invoiceBody: (change: Record<string, unknown> = {}) => ({
      amount: 1000,
      currency: 'USD',
      lifetime: 30,
      fee_paid_by_payer: 1,
      under_paid_coverage: 2.5,
      to_currency: 'USDT',
      auto_withdrawal: false,
      mixed_payment: true,
      callback_url: merchant.callbackUrl,
      return_url: 'http://127.0.0.1:3000/dashboard/topup?success=true',
      email: 'alice@example.com',
      order_id: 'ORD-7-1700000000',
      thanks_message: 'Thank you, Alice',
      description: 'Top up of $1000',
      sandbox: false,
      ...change,
    }),
    async create(change: Record<string, unknown> = {}): Promise<string> {
      const answer = await call('POST', '/v1/payment/invoice', this.invoiceBody(change))
      return (await jsonOf<Envelope<Created>>(answer)).data.track_id
    },
    async control(path: string, body: unknown = {}): Promise<Information> {
      const answer = await call('POST', `/sandbox/${path}`, body)
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return jsonOf(answer)
    },
    async status(trackId: string): Promise<string> {
      return (await jsonOf<Envelope<Information>>(call('GET', `/v1/payment/${trackId}`))).data.status
    },
    receivedStatuses: () => merchant.received.map((one) => one.body.status),
    async log() {
      return (await jsonOf<{ callbacks: CallbackLogEntry[] }>(call('GET', '/sandbox/callbacks'))).callbacks
    },
    async close() {
      await provider.close()
      await merchant.close()
    },
  }
}

export type Pair = Awaited<ReturnType<typeof startPair>>

/** A new pair for every test of a file. */
export function startPairForEach(use: (pair: Pair) => void): void {
  let pair: Pair
  let place: ReturnType<typeof temporaryFolder>
  beforeEach(async () => {
    place = temporaryFolder()
    pair = await startPair(place.folder)
    use(pair)
  })
  afterEach(async () => {
    await pair.close()
    place.remove()
  })
}
