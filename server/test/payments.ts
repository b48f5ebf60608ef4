import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, system } from '@trunkline/domain/access'
import { toWireNumber } from '@trunkline/domain/money'
import { startPaymentProvider } from '@trunkline/sandbox/payment-provider/start'
import { expect } from 'vitest'
import { atEnd } from './lifetime.ts'
import { createPortal, type Portal, type SignedIn, signUp } from './portal.ts'

export const MERCHANT_KEY = 'merchant-key-of-the-tests'

export type Till = Awaited<ReturnType<typeof createTill>>

type SentCallback = {
  body: string
  signature: string
  outcome: string
  answer_status: number | null
  answer_body: string | null
  status: string
}

/**
 * A portal and the sandbox provider on real ports, so that callbacks use a socket. Tests run the reconciler explicitly.
 */
export async function createTill(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-provider-'))
  const provider = await startPaymentProvider({
    port: 0,
    folder,
    merchantKey: MERCHANT_KEY,
    callbackTimeoutMs: 60_000,
  })
  const door = await openDoor()
  // The provider uses system time; the portal's manual clock starts at the same time.
  const portal = await createPortal(
    {
      PUBLIC_URL: door.url,
      OXAPAY_BASE_URL: provider.url,
      OXAPAY_MERCHANT_KEY: MERCHANT_KEY,
      ...settings,
    },
    { startsAt: new Date().toISOString() },
  )
  await portal.api.ready()
  door.leadTo(portal)
  atEnd(async () => {
    await door.close()
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  })

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${provider.url}/sandbox/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  const till = {
    ...portal,
    door,
    /** The sandbox's test controls: pay, expire, accept, refund, callback, ... */
    lever: (path: string, body: object = {}) => ask('POST', path, body),
    faults: (change: object) => ask('POST', 'faults', change),
    honest: () => ask('DELETE', 'faults'),
    callbacks: async (trackId?: string): Promise<SentCallback[]> =>
      (await ask('GET', `callbacks${trackId ? `?track_id=${trackId}` : ''}`)).callbacks,
    providerInvoices: async () => (await ask('GET', 'invoices')).invoices,
    reconcile: () => portal.services.reconciler.run(),
    async reconcileAfter(ms: number): Promise<void> {
      portal.clock.advance(ms)
      await till.reconcile()
    },
    /** The callbacks of the payment are lost. */
    async payUnnoticed(trackId: string): Promise<void> {
      await till.faults({ callbacks: { drop: true } })
      await till.lever(`pay/${trackId}`)
    },

    async topUp(customer: SignedIn, amount: number, promo_code?: string) {
      const body = { amount, ...(promo_code && { promo_code }) }
      const { status, answer, message } = await portal.call('POST /api/topup', {
        token: customer.token,
        body,
      })
      if (status !== 200) throw new Error(message)
      return { id: answer.invoice.id, trackId: answer.payment_url.split('/').at(-1) ?? '', answer }
    },
    /** Pays an invoice that was created with our key outside the portal. Needs an invoice of the portal. */
    async payUnknown(amount: number): Promise<string> {
      const [{ callback_url }] = await till.providerInvoices()
      const answer = await fetch(`${provider.url}/v1/payment/invoice`, {
        method: 'POST',
        headers: { merchant_api_key: MERCHANT_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ amount, callback_url, order_id: 'NOT-OURS' }),
      })
      const { data } = (await answer.json()) as { data: { track_id: string } }
      await till.lever(`pay/${data.track_id}`)
      return data.track_id
    },
    async upgrade(customer: SignedIn) {
      const { status, answer, message } = await portal.call('POST /api/upgrade', {
        token: customer.token,
        body: {},
      })
      if (status !== 200) throw new Error(message)
      return { id: answer.invoice.id, trackId: answer.payment_url.split('/').at(-1) ?? '', answer }
    },
    async payment(customer: SignedIn, id: number) {
      const { answer } = await portal.call('GET /api/payments/:id', { token: customer.token, params: { id } })
      return answer.payment
    },
    async balance(user: { id: number }): Promise<number> {
      const { balanceMicros } = await portal.services.ledger.balanceOf(system('test'), user.id)
      return toWireNumber(balanceMicros)
    },
    async isPremium(customer: SignedIn): Promise<boolean> {
      return (await portal.call('GET /api/auth/me', { token: customer.token })).answer.user.is_premium
    },
    /** All rows that payments and reports create. */
    async traces(): Promise<number> {
      const { db } = portal.services
      const counts = await Promise.all(
        (['postings', 'invoice_events', 'payment_reviews', 'refunds', 'audit_log'] as const).map((table) =>
          db
            .selectFrom(table)
            .select((eb) => eb.fn.countAll<bigint>().as('rows'))
            .executeTakeFirstOrThrow(),
        ),
      )
      return counts.reduce((sum, { rows }) => sum + Number(rows), 0)
    },
    /** Runs the ledger check, and compares the admin panel's totals with the postings. */
    async expectBooksToAddUp(): Promise<void> {
      const { checks } = await portal.services.books.check()
      expect(checks.flatMap(({ faults }) => faults)).toEqual([])
      const { receivedMicros } = await portal.services.ledger.paymentTotals(system('test'))
      const { paid } = await portal.services.db
        .selectFrom('payment_totals')
        .select((eb) => eb.fn.sum<string>('paid_micros').as('paid'))
        .executeTakeFirstOrThrow()
      expect(BigInt(paid)).toBe(receivedMicros)
    },
  }
  return till
}

export async function createTillWithCustomer(settings: Record<string, string> = {}) {
  const till = await createTill(settings)
  return { till, alice: await signUp(till, 'alice') }
}

/** The callback server: opened before the portal exists, and closed to simulate an outage. */
async function openDoor() {
  let portal: Portal | null = null
  let isShut = false
  const server = createServer((request, response) => {
    if (isShut || !portal) request.socket.destroy()
    else portal.api.server.emit('request', request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (to: Portal) => {
      portal = to
    },
    shut: () => {
      isShut = true
    },
    open: () => {
      isShut = false
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const newAdmin = (portal: Portal, username = 'root'): Promise<SignedIn> =>
  signUp(portal, username, { isAdmin: true })

/** Creates many customers without hashing passwords; they use the services directly. */
export async function newCustomers(till: Till, count: number): Promise<{ id: number; caller: Caller }[]> {
  const rows = await till.services.db
    .insertInto('users')
    .values(
      Array.from({ length: count }, (_, n) => ({
        username: `customer-${n}`,
        password_hash: 'nobody signs in with this',
        created_at: till.clock.now(),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => ({ id, caller: { userId: id, isAdmin: false } }))
}

type BegunInvoice = { id: number; trackId: string; customerId: number; amount: number }

/** Top-ups with different whole-dollar amounts, distributed over the customers. */
export async function beginMany(
  till: Till,
  customers: { id: number; caller: Caller }[],
  count: number,
): Promise<BegunInvoice[]> {
  const begun: BegunInvoice[] = []
  const each = async (n: number) => {
    const customer = customers[n % customers.length]
    if (!customer) throw new Error('no customers')
    const amount = 10 + n
    const { invoice, payment_url } = await till.services.payments.topUp(customer.caller, amount, undefined)
    begun.push({
      id: invoice.id,
      trackId: payment_url.split('/').at(-1) ?? '',
      customerId: customer.id,
      amount,
    })
  }
  for (let at = 0; at < count; at += customers.length) {
    till.clock.advance(1)
    await Promise.all(Array.from({ length: Math.min(customers.length, count - at) }, (_, n) => each(at + n)))
  }
  return begun
}

/** Checks that each top-up was credited once to its customer, and nothing else. */
export async function expectEachCreditedOnce(till: Till, begun: BegunInvoice[]): Promise<void> {
  const postings = await till.services.db.selectFrom('postings').select(['key', 'kind']).execute()
  expect(postings.map(({ key }) => key).sort()).toEqual(begun.map(({ id }) => `invoice:${id}`).sort())
  const owed = new Map<number, number>()
  for (const { customerId, amount } of begun) owed.set(customerId, (owed.get(customerId) ?? 0) + amount)
  const accounts = await till.services.db.selectFrom('accounts').selectAll().execute()
  expect(new Map(accounts.map((row) => [row.user_id, Number(row.balance_micros) / 1e6]))).toEqual(
    new Map(accounts.map((row) => [row.user_id, owed.get(row.user_id) ?? 0])),
  )
  const states = await till.services.db
    .selectFrom('invoices')
    .select(['shown_state', 'open_reviews'])
    .execute()
  expect(new Set(states.map((row) => `${row.shown_state} ${row.open_reviews}`))).toEqual(
    new Set(['completed 0']),
  )
  await till.expectBooksToAddUp()
}
