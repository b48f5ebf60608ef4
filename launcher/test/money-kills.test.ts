import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  freePort,
  type PortalProcess,
  post,
  preparedFolder,
  signIn,
  startPortal,
  trunkline,
} from './portal-process.ts'

const CUSTOMERS = 8
/** Number of paid invoices in each round before the portal is killed. */
const PAID_PER_ROUND = [7, 19, 1, 31]

type Customer = { username: string; token: string }
type ProviderPayment = { track_id: string; order_id: string; amount: number; status: string }

it('loses and duplicates no money when the portal is killed repeatedly during payments', async () => {
  const data = await preparedFolder()
  const port = await freePort() // the same after each restart, because the provider retries callbacks to it
  const env = { REGISTRATIONS_PER_HOUR: '1000' }
  const acknowledged: string[] = []
  let customers: Customer[] = []
  for (let round = 0; round < PAID_PER_ROUND.length; round++) {
    const portal = await startPortal(data, { env }, port)
    await post(`${provider(port)}/sandbox/faults`, {
      callbacks: { copies: 5, order: 'shuffled', at_once: true },
    })
    // Sessions survive a restart.
    if (round === 0) customers = await signInAll(portal)
    let paid = 0
    await Promise.all(
      customers.map(async (customer, index) => {
        for (;;) {
          const topUp = await beginTopUp(portal, customer, 10 + index + round / 100).catch(() => null)
          if (topUp === null) return
          acknowledged.push(topUp.orderId)
          const isPaid = await payAtProvider(port, topUp.track).catch(() => false)
          if (!isPaid) return
          paid++
          if (paid === PAID_PER_ROUND[round]) portal.child.kill('SIGKILL')
        }
      }),
    )
    expect(await portal.ended).toBe('SIGKILL')
  }

  const portal = await startPortal(data, { env }, port)
  // After four hours the provider has retried every failed callback.
  await post(`${provider(port)}/sandbox/advance`, { seconds: 4 * 3600 })
  const providerPayments = await paymentsAtProvider(port, data)
  const paidPayments = providerPayments.filter(({ status }) => status === 'paid')
  expect(paidPayments.length).toBeGreaterThanOrEqual(PAID_PER_ROUND.reduce((sum, count) => sum + count))
  const stored: string[] = []
  for (const customer of customers) {
    const mine = await allPaymentsOf(portal, customer)
    stored.push(...mine.map(({ order_id }) => order_id))
    const completed = mine.filter(({ state }) => state === 'completed').map(({ order_id }) => order_id)
    const mineAtProvider = paidPayments.filter(({ order_id }) =>
      mine.some((payment) => payment.order_id === order_id),
    )
    expect(completed.sort()).toEqual(mineAtProvider.map(({ order_id }) => order_id).sort())
    const cents = mineAtProvider.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    expect(Math.round((await balanceOf(portal, customer)) * 100)).toBe(cents)
  }
  expect(acknowledged.filter((orderId) => !stored.includes(orderId))).toEqual([])

  const books = trunkline(['check-books', '--data', data])
  expect(await books.ended, books.output()).toBe(0)
  expect(books.output()).toContain('The books add up.')
}, 300_000)

const provider = (port: number) => `http://127.0.0.1:${port + 2}`

async function signInAll(portal: PortalProcess): Promise<Customer[]> {
  const names = Array.from({ length: CUSTOMERS }, (_, index) => `payer-${index}`)
  return Promise.all(
    names.map(async (username) => {
      await post(`${portal.url}/register`, { username, password: 'long enough' })
      const { answer } = await signIn(portal.url, username, 'long enough')
      return { username, token: String(answer.token) }
    }),
  )
}

type TopUp = { orderId: string; track: string }

async function beginTopUp(portal: PortalProcess, customer: Customer, amount: number): Promise<TopUp> {
  const dollars = Math.round(amount * 100) / 100
  const { status, answer } = await post(`${portal.url}/api/topup`, { amount: dollars }, customer.token)
  if (status !== 200) throw new Error(JSON.stringify(answer))
  const { order_id } = answer.invoice as { order_id: string }
  // The payment URL ends with the provider's track ID.
  return { orderId: order_id, track: String(answer.payment_url).split('/').at(-1) ?? '' }
}

async function payAtProvider(port: number, track: string): Promise<boolean> {
  return (await post(`${provider(port)}/sandbox/pay/${track}`, {})).status === 200
}

async function paymentsAtProvider(port: number, data: string): Promise<ProviderPayment[]> {
  const key = (await readFile(join(data, 'sandbox/merchant.key'), 'utf8')).trim()
  const all: ProviderPayment[] = []
  for (let page = 1; ; page++) {
    const response = await fetch(`${provider(port)}/v1/payment?page=${page}&size=100`, {
      headers: { merchant_api_key: key },
    })
    const { data: found } = (await response.json()) as { data: { list: ProviderPayment[] } }
    all.push(...found.list)
    if (found.list.length < 100) return all
  }
}

type Payment = { id: number; order_id: string; state: string }

async function allPaymentsOf(portal: PortalProcess, customer: Customer): Promise<Payment[]> {
  const all: Payment[] = []
  for (let next: number | null = null; ; ) {
    const query: string = next === null ? '' : `&before=${next}`
    const page = await get<{ payments: Payment[]; next: number | null }>(
      `${portal.url}/api/payments?limit=50${query}`,
      customer,
    )
    all.push(...page.payments)
    next = page.next
    if (next === null) return all
  }
}

const balanceOf = async (portal: PortalProcess, customer: Customer): Promise<number> =>
  (await get<{ user: { bal: number } }>(`${portal.url}/api/auth/me`, customer)).user.bal

async function get<Answer>(url: string, { token }: Customer): Promise<Answer> {
  return (await (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json()) as Answer
}
