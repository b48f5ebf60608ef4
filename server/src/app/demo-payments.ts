import type { PromoType } from '@trunkline/contract/promo-codes'
import type { Caller } from '@trunkline/domain/access'
import { ceilDiv, dollars, type Micros, micros } from '@trunkline/domain/money'
import type { MovedClock, PastEvent } from '../features/calls/demo-history/service.ts'
import { microsOf } from '../platform/amounts.ts'
import { DAY, earlier, later, MINUTE } from '../platform/clock.ts'
import type { PaymentProvider } from '../platform/payment-provider.ts'
import type { createPaymentServices } from './payment-services.ts'

type PaymentServices = ReturnType<typeof createPaymentServices>

/** `received` is the amount that the provider reports if it differs from the price. */
type Paid = {
  daysAgo: number
  pay: number | 'upgrade'
  as: 'paid' | 'expired' | 'underpaid'
  received?: number
  code?: string
}
/** The other events refer to the latest payment of the customer. */
type DemoEvent =
  | Paid
  | { daysAgo: number; lateMoney: number }
  | { daysAgo: number; refund: number; to: 'balance' | 'paid_out'; reason: string }
  | { daysAgo: number; review: 'credit' | 'ignore'; reason: string }
  | { daysAgo: number; redeem: string }
  | { daysAgo: number; adjust: number; reason: string }

export const demoPromoCodes: readonly {
  code: string
  type: PromoType
  value: number
  createdDaysAgo: number
  /** Negative for a code that is still valid. */
  expiredDaysAgo: number | null
  totalLimit: number | null
  isActive: boolean
}[] = [
  {
    code: 'WELCOME10',
    type: 'percentage',
    value: 10,
    createdDaysAgo: 98,
    expiredDaysAgo: null,
    totalLimit: null,
    isActive: true,
  },
  {
    code: 'AUTUMN25',
    type: 'fixed_amount',
    value: 25,
    createdDaysAgo: 72,
    expiredDaysAgo: 20,
    totalLimit: 50,
    isActive: true,
  },
  {
    code: 'HELLO5',
    type: 'account_credit',
    value: 5,
    createdDaysAgo: 65,
    expiredDaysAgo: -60,
    totalLimit: 100,
    isActive: true,
  },
  {
    code: 'PARTNER15',
    type: 'percentage',
    value: 15,
    createdDaysAgo: 40,
    expiredDaysAgo: -90,
    totalLimit: 3,
    isActive: true,
  },
  {
    code: 'STAFF50',
    type: 'account_credit',
    value: 50,
    createdDaysAgo: 30,
    expiredDaysAgo: null,
    totalLimit: 2,
    isActive: false,
  },
]

const paid = (daysAgo: number, pay: number, code?: string): Paid => ({
  daysAgo,
  pay,
  as: 'paid',
  ...(code && { code }),
})

const NEARLY_OUT_OF_BALANCE = 'pixel-rentals'
const SET_UP_FEE = 15

/** Money events of each demo customer, oldest first. Unpaid invoices are older than the three days in which they are polled. */
const demoEvents: Readonly<Record<string, readonly DemoEvent[]>> = {
  alice: [
    paid(92.3, 100, 'WELCOME10'),
    { daysAgo: 64.2, redeem: 'HELLO5' },
    paid(58.5, 250),
    { daysAgo: 47.3, pay: 1_000, as: 'expired' },
    paid(31.5, 250),
    { daysAgo: 28.2, refund: 20, to: 'balance', reason: 'Calls to Mexico failed for a day' },
    { daysAgo: 13.5, pay: 500, as: 'underpaid', received: 320 },
    { daysAgo: 12.4, review: 'credit', reason: 'Customer confirmed the smaller amount' },
    paid(0.3, 500),
  ],
  paula: [
    paid(95.6, 500),
    paid(66.4, 1_000, 'AUTUMN25'),
    paid(26.9, 1_000),
    { daysAgo: 5.2, pay: 500, as: 'paid', received: 540 },
  ],
  northwind: [paid(97.8, 2_000), paid(62.9, 2_000), paid(24.7, 2_000, 'PARTNER15'), paid(1.3, 1_000)],
  'acme-dialer': [
    paid(90.1, 1_000, 'WELCOME10'),
    { daysAgo: 33.2, pay: 2_000, as: 'expired' },
    paid(33.7, 1_000),
    { daysAgo: 8.1, pay: 1_000, as: 'underpaid', received: 610 },
  ],
  'contoso-support': [
    paid(83.3, 250),
    { daysAgo: 50.6, redeem: 'HELLO5' },
    { daysAgo: 41.6, pay: 'upgrade', as: 'expired' },
    paid(22.5, 300),
    { daysAgo: 20.3, refund: 300, to: 'paid_out', reason: 'Paid twice by mistake' },
    { daysAgo: 10.3, pay: 250, as: 'expired' },
    { daysAgo: 9.8, lateMoney: 250 },
  ],
  'harbor-dental': [
    paid(76.5, 50, 'WELCOME10'),
    { daysAgo: 45.1, redeem: 'HELLO5' },
    paid(15.7, 50),
    paid(1.1, 50),
  ],
  'globe-imports': [
    paid(80.9, 250, 'WELCOME10'),
    { daysAgo: 46.2, pay: 'upgrade', as: 'paid' },
    paid(35.9, 500, 'AUTUMN25'),
    { daysAgo: 16.8, adjust: 15, reason: 'Goodwill for two dropped calls to Brazil' },
    paid(4.5, 250),
  ],
  'pixel-rentals': [
    { daysAgo: 3.6, pay: 20, as: 'expired' },
    { daysAgo: 2.3, adjust: -SET_UP_FEE, reason: 'Set-up of three phones' },
  ],
  'oldtown-cafe': [
    paid(88.8, 25, 'WELCOME10'),
    paid(44.9, 25),
    { daysAgo: 33.7, refund: 20, to: 'paid_out', reason: 'The customer closed the account' },
  ],
}

/** Whole dollars that cover the calls and leave a rest. */
export function openingCredit(username: string, spentMicros: Micros): Micros {
  const left = username === NEARLY_OUT_OF_BALANCE ? dollars(2 + SET_UP_FEE) : dollars(25)
  return micros(ceilDiv(spentMicros + left, dollars(1)) * dollars(1))
}

type Past = { services: PaymentServices; clock: MovedClock; now: Date; admin: Caller }

/** Creates the promo codes. */
export const promoCodeEvents = ({ services, now, admin }: Past): PastEvent[] =>
  demoPromoCodes.map(({ createdDaysAgo, expiredDaysAgo, totalLimit, isActive, ...code }) => ({
    at: daysBefore(now, createdDaysAgo),
    async run() {
      await services.promoCodeAdministration.create(admin, {
        ...code,
        expires_at: expiredDaysAgo === null ? null : daysBefore(now, expiredDaysAgo).toISOString(),
        total_limit: totalLimit,
        per_user_limit: 1,
        active: isActive,
      })
    },
  }))

/** The time for late payments is over, so that the real provider is never asked about these invoices. */
export const endOfPolling = ({ services, now }: Past): PastEvent => ({
  at: now,
  run: () => services.reconciler.run(),
})

/** The money events of a customer, carried out by the real services. */
export function moneyEventsOf(
  customer: { id: number; username: string },
  { services, clock, now, admin }: Past,
): PastEvent[] {
  const { payments, refunds, reviews, promoCodes, balances } = services
  const caller = { userId: customer.id, isAdmin: false }
  const keyOf = (index: number) => `demo-${customer.username}-${index}`
  let latest = { id: 0, order_id: '' }

  async function pay({ pay: price, as, received, code }: Paid): Promise<void> {
    const at = clock.now()
    clock.moveTo(earlier(at, as === 'expired' ? INVOICE_LIFETIME : PAYING_TIME))
    const { invoice } =
      price === 'upgrade' ? await payments.upgrade(caller) : await payments.topUp(caller, price, code)
    latest = invoice
    clock.moveTo(at)
    await report(as, as === 'expired' ? null : (received ?? invoice.amount))
  }

  const report = (status: string, received: number | null): Promise<void> =>
    payments.handleCallback(encode({ orderId: latest.order_id, status, received }), undefined)

  async function resolve(action: 'credit' | 'ignore', reason: string): Promise<void> {
    const { reviews: open } = await reviews.list(admin, { state: 'open', limit: 100 })
    const review = open.find(({ payment }) => payment?.id === latest.id)
    if (!review) throw new Error(`payment ${latest.id} is not on the review list`)
    await reviews.resolve(admin, review.id, { action, reason })
  }

  async function carryOut(event: DemoEvent, key: string): Promise<void> {
    if ('pay' in event) await pay(event)
    else if ('lateMoney' in event) await report('paid', event.lateMoney)
    else if ('review' in event) await resolve(event.review, event.reason)
    else if ('redeem' in event) await promoCodes.redeem(caller, event.redeem, ADDRESS)
    else if ('adjust' in event)
      await balances.adjust(admin, {
        user_id: customer.id,
        amount: event.adjust,
        reason: event.reason,
        request_key: key,
      })
    else
      await refunds.refund(admin, latest.id, {
        amount: event.refund,
        to: event.to,
        reason: event.reason,
        request_key: key,
        ...(event.to === 'paid_out' && { reference: `USDT transfer ${key}` }),
      })
  }

  return (demoEvents[customer.username] ?? []).map((event, index) => ({
    at: daysBefore(now, event.daysAgo),
    run: () => carryOut(event, keyOf(index)),
  }))
}

const daysBefore = (now: Date, days: number): Date => earlier(now, Math.round(days * DAY))

const INVOICE_LIFETIME = 30 * MINUTE
const PAYING_TIME = 7 * MINUTE
/** From a range reserved for documentation. */
const ADDRESS = '203.0.113.200'

type Told = { orderId: string; status: string; received: number | null }

const encode = (told: Told): Uint8Array => new TextEncoder().encode(JSON.stringify(told))

const trackOf = (orderId: string): string => `demo-${orderId}`

/** A provider whose invoices exist only in the demo history. Nothing is sent anywhere. */
export const pastProvider = (clock: MovedClock, publicUrl: string): PaymentProvider => ({
  createInvoice: async ({ orderId }) => ({
    outcome: 'made',
    trackId: trackOf(orderId),
    paymentUrl: `${publicUrl}/dashboard/topup`,
    expiresAt: later(clock.now(), INVOICE_LIFETIME),
  }),
  lookUp: async () => ({ outcome: 'none' }),
  findOrders: async () => ({ outcome: 'read', reports: [], isWhole: false }),
  readCallback(raw) {
    const { orderId, status, received } = JSON.parse(new TextDecoder().decode(raw)) as Told
    return {
      outcome: 'read',
      report: {
        trackId: trackOf(orderId),
        orderId,
        status,
        type: 'invoice',
        currency: 'USD',
        receivedMicros: received === null ? null : microsOf(received),
        expiresAt: null,
        whole: { track_id: trackOf(orderId), order_id: orderId, status, received },
      },
    }
  },
})
