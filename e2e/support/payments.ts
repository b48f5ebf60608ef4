import { mkdir, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import { test as base, demo, expect, type Person, signIn } from './story.ts'

export { demo, expect, signIn }

type PaymentStory = {
  /** The payment provider of the sandbox, without faults before and after the story. */
  provider: Provider
}

export type Provider = {
  set(faults: object): Promise<void>
  advance(seconds: number): Promise<void>
}

/** Faults and clock of the provider are shared, so stories use it one at a time. */
export const test = base.extend<PaymentStory>({
  provider: async ({ request, baseURL, visited, newcomer }, use) => {
    const turn = await takeTurn(baseURL)
    try {
      const { origin } = new URL(await paymentUrlOf(request, newcomer))
      visited.add(origin)
      const tell = async (path: string, data: object) =>
        expect((await request.post(`${origin}/sandbox/${path}`, { data })).ok()).toBe(true)
      await request.delete(`${origin}/sandbox/faults`)
      await use({
        set: (faults) => tell('faults', faults),
        advance: (seconds) => tell('advance', { seconds }),
      })
      await request.delete(`${origin}/sandbox/faults`)
    } finally {
      await rmdir(turn).catch(() => {})
    }
  },
})

/** Longer than the timeout of a slow story. */
const LONGEST_TURN_MS = 600_000

/** Creates the lock folder; removing it releases the lock. */
async function takeTurn(baseURL: string): Promise<string> {
  const turn = join(tmpdir(), `trunkline-provider-of-${new URL(baseURL).port}`)
  for (;;) {
    const isMine = await mkdir(turn).then(
      () => true,
      () => false,
    )
    if (isMine) return turn
    // The owner was killed.
    const since = await stat(turn).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    )
    if (Date.now() - since > LONGEST_TURN_MS) await rmdir(turn).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export async function bearerOf(request: APIRequestContext, person: Person) {
  const answer = await request.post('/api/auth/login', { data: person })
  const { token } = await answer.json()
  return { authorization: `Bearer ${token}` }
}

/** The address of the provider, read from an invoice of another user. */
async function paymentUrlOf(request: APIRequestContext, newcomer: Person): Promise<string> {
  const scout = { ...newcomer, username: `${newcomer.username}x` }
  expect((await request.post('/register', { data: scout })).ok()).toBe(true)
  const headers = await bearerOf(request, scout)
  const answer = await request.post('/api/topup', { headers, data: { amount: 0.01 } })
  const { payment_url } = await answer.json()
  return payment_url
}

/** Chooses the amount on the Top Up page and follows its button. */
export async function beginTopUp(page: Page, preset: string): Promise<void> {
  await page.goto('/dashboard/topup')
  await page.getByRole('button', { name: preset, exact: true }).click()
  await page.getByRole('button', { name: 'Top Up Now' }).click()
  await page.waitForURL(/\/pay\/\d+$/)
}

export async function payAndReturn(page: Page, button: string | RegExp = /^Pay \$/): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await returnToPortal(page)
}

/** Signs in and pays less than the requested $1000. */
export async function underpay(page: Page, person: Person): Promise<void> {
  await signIn(page, person)
  await beginTopUp(page, '$1000')
  await payAndReturn(page, 'Pay less')
  await expect(panelOf(page)).toContainText('Underpaid')
}

export const returnToPortal = (page: Page) => page.getByRole('link', { name: 'Return to merchant' }).click()

/** The panel with the result of the payment after the return. */
export const panelOf = (page: Page) => page.getByRole('region', { name: 'Your payment' })

/** Read it again after a page load. */
export const markPage = (page: Page) => page.evaluate("document.body.dataset.marked = 'yes'")
export const isMarked = async (page: Page) => (await page.evaluate('document.body.dataset.marked')) === 'yes'

export async function makePromoCode(
  request: APIRequestContext,
  code: { type: 'percentage' | 'fixed_amount' | 'account_credit'; value: number; [term: string]: unknown },
): Promise<string> {
  const name = `S${Date.now().toString(36)}${Math.floor(performance.now() * 1000).toString(36)}`.toUpperCase()
  const headers = await bearerOf(request, demo.admin)
  const answer = await request.post('/api/admin/promo-codes', { headers, data: { code: name, ...code } })
  expect(answer.ok()).toBe(true)
  return name
}

/**
 * Pays a top-up, in full by default, and resolves when the portal has processed it. Holds the lock of the provider only
 * during that time.
 */
export async function toppedUp(
  request: APIRequestContext,
  person: Person,
  amount: number,
  { pays = amount, promo_code }: { pays?: number; promo_code?: string } = {},
): Promise<{ id: number; orderId: string }> {
  const headers = await bearerOf(request, person)
  const turn = await takeTurn(process.env.TRUNKLINE_STORY_URL ?? '')
  try {
    const data = { amount, ...(promo_code && { promo_code }) }
    const { payment_url, invoice } = await (await request.post('/api/topup', { headers, data })).json()
    if (pays > 0) await pay(request, payment_url, pays)
    const state = async () =>
      (await (await request.get(`/api/payments/${invoice.id}`, { headers })).json()).payment.state
    await expect.poll(state).toMatch(pays > 0 ? /^(completed|underpaid)$/ : /^pending$/)
    return { id: invoice.id, orderId: invoice.order_id }
  } finally {
    await rmdir(turn).catch(() => {})
  }
}

async function pay(request: APIRequestContext, paymentUrl: string, amount: number): Promise<void> {
  const { origin, pathname } = new URL(paymentUrl)
  const path = `/sandbox/pay/${pathname.split('/').at(-1)}`
  expect((await request.post(`${origin}${path}`, { data: { amount } })).ok()).toBe(true)
}

/** A toast with this text. */
export const toastOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
