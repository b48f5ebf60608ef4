import { setTimeout as pause } from 'node:timers/promises'
import type { Person, Random } from './person.ts'
import type { Provider } from './provider.ts'
import type { Customer, Town } from './town.ts'

/** The planned outcome of an invoice at the payment provider. */
export type Outcome = 'paid' | 'underpaid' | 'expired' | 'left open'
export type Paid = {
  id: number
  person: Person
  kind: 'topup' | 'upgrade'
  amount: number
  bonus: number
  outcome: Outcome
}
export type PaymentsMade = { payments: Paid[]; redeemed: number }

const BONUS_CODE = 'TENMORE'
const CREDIT_CODE = 'WELCOME5'
const CREDIT = 5
const BONUS_PERCENT = 10
const OUTCOMES: readonly Outcome[] = [
  'paid',
  'paid',
  'paid',
  'paid',
  'paid',
  'paid',
  'underpaid',
  'expired',
  'left open',
]
const TOP_UP_EVERY_MS = 1_500
const UPGRADE_EVERY_MS = 12_000
const REDEEM_EVERY_MS = 4_000
/** Poll interval and timeout after a payment. */
const LOOK_EVERY_MS = 2_500
const LOOKS = 4

/** Sends every callback twice concurrently; a payment is confirmed one second after its detection. */
const HABITS = { callbacks: { copies: 2, at_once: true }, confirmation_seconds: 1 }

export async function startPayments(provider: Provider, town: Town, random: Random, until: number) {
  const payments: Paid[] = []
  let redeemed = 0
  const { boss, readers, phones, addToBooks } = town
  await sandbox('faults', HABITS)
  const makeCode = (
    code: string,
    type: 'percentage' | 'account_credit',
    value: number,
    limit: number | null,
  ) => boss.call('POST /api/admin/promo-codes', { body: { code, type, value, per_user_limit: limit } })
  await makeCode(BONUS_CODE, 'percentage', BONUS_PERCENT, null)
  await makeCode(CREDIT_CODE, 'account_credit', CREDIT, 1)

  async function sandbox(path: string, body: object): Promise<void> {
    const response = await fetch(`${provider.paymentUrl}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`the sandbox returned ${response.status} for ${path}`)
  }

  async function settle(trackId: string, outcome: Outcome, amount: number): Promise<void> {
    await pause(random.between(500, 4_000))
    const wait = false
    if (outcome === 'paid') await sandbox(`pay/${trackId}`, { wait })
    if (outcome === 'underpaid') await sandbox(`pay/${trackId}`, { amount: half(amount), wait })
    if (outcome === 'expired') await sandbox(`expire/${trackId}`, { wait })
  }

  async function pay({ person }: Customer, kind: Paid['kind'], outcome: Outcome): Promise<void> {
    const cents = random.between(500, 20_000)
    const hasBonus = kind === 'topup' && random.below(4) === 0
    const begun =
      kind === 'upgrade'
        ? await person.call('POST /api/upgrade', { body: {} })
        : await person.call('POST /api/topup', {
            body: { amount: cents / 100, ...(hasBonus && { promo_code: BONUS_CODE }) },
          })
    if (!begun) return
    const { id, amount, bonus } = begun.invoice
    payments.push({ id, person, kind, amount, bonus, outcome })
    if (outcome === 'paid' && kind === 'topup') addToBooks(person.id, amount + bonus)
    const trackId = new URL(begun.payment_url).pathname.split('/').at(-1) ?? ''
    await settle(trackId, outcome, amount)
    for (let look = 0; look < LOOKS; look++) {
      await pause(LOOK_EVERY_MS)
      const seen = await person.call('GET /api/payments/:id', { params: { id } })
      if (seen?.payment.state === 'completed') break
    }
    await person.call('GET /api/auth/me')
  }

  async function redeem({ person }: Customer): Promise<void> {
    const code = { body: { code: CREDIT_CODE } }
    await person.call('POST /api/promo-codes/check', code)
    // A double click.
    const answers = await Promise.all(
      [0, 1].map(() => person.call('POST /api/promo-codes/redeem', { ...code, allowed: [409] })),
    )
    for (const answer of answers) if (answer) addToBooks(person.id, answer.credited)
    redeemed += answers.filter(Boolean).length
  }

  /** Starts payments at a constant rate. */
  async function keepDoing(everyMs: number, act: (index: number) => Promise<void> | null): Promise<void> {
    const pending: Promise<void>[] = []
    for (let index = 0; Date.now() < until; index++) {
      const acting = act(index)
      if (acting === null) break
      pending.push(acting)
      await pause(everyMs)
    }
    await Promise.all(pending)
  }

  const payers = [...readers, ...phones]
  const upgraders = readers.slice(0, Math.floor(readers.length / 2))
  const working = Promise.all([
    keepDoing(TOP_UP_EVERY_MS, () => pay(random.of(payers), 'topup', random.of(OUTCOMES))),
    keepDoing(UPGRADE_EVERY_MS, (index) => {
      const customer = upgraders[index]
      return customer ? pay(customer, 'upgrade', 'paid') : null
    }),
    keepDoing(REDEEM_EVERY_MS, (index) => {
      const customer = payers[index]
      return customer ? redeem(customer) : null
    }),
  ])
  return {
    /** Payments so far, for refunds. */
    payments: payments as readonly Paid[],
    async ended(): Promise<PaymentsMade> {
      await working
      return { payments, redeemed }
    },
  }
}

/** An underpayment in whole cents. */
export const half = (amount: number): number => Math.round(amount * 50) / 100
