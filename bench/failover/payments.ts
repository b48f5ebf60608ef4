import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@trunkline/server/platform/database'
import { createPeople, type Person, randomFrom } from '../life/person.ts'

const PAYERS = 5
const PAY_EVERY_MS = 500
const PASSWORD = 'a password of the benchmark'

type Options = {
  apiUrl: string
  paymentUrl: string
  administrator: { username: string; password: string }
}

/** Customers top up at a constant rate. A payment is acknowledged if the API returned the invoice and the provider the payment. */
export async function startPayments({ apiUrl, paymentUrl, administrator }: Options) {
  const people = createPeople()
  const random = randomFrom(2)
  const boss = await people.signIn(apiUrl, administrator.username, administrator.password)
  const payers: Person[] = []
  for (let index = 0; index < PAYERS; index++) {
    const username = `payer-${index}`
    await boss.call('POST /api/user/add', {
      body: { username, password: PASSWORD, email: `${username}@customers.example` },
    })
    payers.push(await people.signIn(apiUrl, username, PASSWORD))
  }
  /** Amounts in micro-dollars of paid invoices, by id. */
  const paid = new Map<number, bigint>()
  const unpaid = new Set<number>()
  let refused = 0
  const pending: Promise<void>[] = []

  async function topUp(): Promise<void> {
    const begun = await random
      .of(payers)
      .call('POST /api/topup', { body: { amount: random.between(500, 20_000) / 100 } })
    if (!begun) {
      refused++
      return
    }
    const { id, amount } = begun.invoice
    const trackId = new URL(begun.payment_url).pathname.split('/').at(-1) ?? ''
    unpaid.add(id)
    await pause(random.between(100, 2_000))
    const response = await fetch(`${paymentUrl}/sandbox/pay/${trackId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wait: false }),
    })
    if (!response.ok) return
    unpaid.delete(id)
    paid.set(id, BigInt(Math.round(amount * 1_000_000)))
  }
  const timer = setInterval(() => void pending.push(topUp().catch(() => {})), PAY_EVERY_MS)

  return {
    async ended(): Promise<string> {
      clearInterval(timer)
      await Promise.all(pending)
      return `${paid.size} paid, ${refused} refused`
    },

    /** The faults: every acknowledged invoice exists, and every paid one is credited exactly once. */
    async judge(db: Database): Promise<string[]> {
      const invoices = await db.selectFrom('invoices').select(['id', 'user_id', 'credited_micros']).execute()
      const credited = new Map(invoices.map(({ id, credited_micros }) => [id, credited_micros]))
      const expected = new Map(payers.map(({ id }) => [id, 0n]))
      for (const { id, user_id } of invoices)
        expected.set(user_id, (expected.get(user_id) ?? 0n) + (paid.get(id) ?? 0n))
      const accounts = await db.selectFrom('accounts').select(['user_id', 'balance_micros']).execute()
      const balances = new Map(accounts.map(({ user_id, balance_micros }) => [user_id, balance_micros]))
      return [
        ...[...unpaid].filter((id) => !credited.has(id)).map((id) => `invoice ${id} is missing`),
        ...[...paid]
          .filter(([id, micros]) => credited.get(id) !== micros)
          .map(([id, micros]) => `invoice ${id} of ${micros} was credited with ${credited.get(id)}`),
        ...[...expected]
          .filter(([id, micros]) => (balances.get(id) ?? 0n) !== micros)
          .map(([id, micros]) => `payer ${id} has ${balances.get(id)} instead of ${micros}`),
      ]
    },
  }
}
