import { describe, expect, it } from 'vitest'
import { createTill, createTillWithCustomer, newAdmin } from '../../../../test/payments.ts'
import { signUp } from '../../../../test/portal.ts'
import { made as answerMade, recordProvider } from '../../../../test/recording-provider.ts'
import { MINUTE } from '../../../platform/clock.ts'

describe('a top-up', () => {
  it('redirects the customer to the provider and credits the payment', async () => {
    const till = await createTill()
    const alice = await signUp(till, 'alice', { email: 'alice@example.com' })
    const { id, trackId, answer } = await till.topUp(alice, 1000)
    expect(answer.invoice).toMatchObject({
      kind: 'topup',
      amount: 1000,
      state: 'pending',
      credited: 0,
      payment_url: answer.payment_url,
    })
    await till.lever(`pay/${trackId}`)
    expect(await till.payment(alice, id)).toMatchObject({
      state: 'completed',
      credited: 1000,
      paid_at: till.clock.now().toISOString(),
      payment_url: null,
    })
    expect(await till.balance(alice)).toBe(1000)
    await till.expectBooksToAddUp()
  })

  it('sends the payload of the specification to the provider', async () => {
    const till = await createTill({ SITE_NAME: 'Acme Voice' })
    const alice = await signUp(till, 'alice', { email: 'alice@example.com' })
    const { id } = await till.topUp(alice, 12.34)
    const [invoice] = await till.providerInvoices()
    expect(invoice).toMatchObject({
      amount: 12.34,
      currency: 'USD',
      lifetime: 30,
      fee_paid_by_payer: 1,
      under_paid_coverage: 2.5,
      mixed_payment: true,
      callback_url: `${till.door.url}/api/payments/callback`,
      return_url: `${till.door.url}/dashboard/topup?success=1&invoice=${id}`,
      email: 'alice@example.com',
      order_id: `ORD-${alice.id}-${till.clock.now().getTime()}`,
      description: 'Acme Voice: top-up of $12.34',
    })
  })

  it('shows the states confirming and expired', async () => {
    const { till, alice } = await createTillWithCustomer()
    const first = await till.topUp(alice, 10)
    await till.faults({ confirmation_seconds: 600 })
    await till.lever(`pay/${first.trackId}`)
    expect(await till.payment(alice, first.id)).toMatchObject({ state: 'paying', credited: 0 })
    expect(await till.balance(alice)).toBe(0)
    await till.lever('advance', { seconds: 600 })
    expect((await till.payment(alice, first.id)).state).toBe('completed')
    const second = await till.topUp(alice, 20)
    await till.lever(`expire/${second.trackId}`)
    expect(await till.payment(alice, second.id)).toMatchObject({ state: 'expired', payment_url: null })
  })

  it('is paid in full if the payer pays the provider’s fee', async () => {
    const { till, alice } = await createTillWithCustomer()
    await till.faults({ payer_fee_percent: 1.5 })
    const { id, trackId } = await till.topUp(alice, 1000)
    await till.lever(`pay/${trackId}`)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 1000 })
    expect(await till.services.db.selectFrom('payment_reviews').selectAll().execute()).toEqual([])
  })

  it('has a unique order id, even in the same millisecond', async () => {
    const { till, alice } = await createTillWithCustomer()
    const begun = await Promise.all([1, 2, 3, 4].map((amount) => till.topUp(alice, amount)))
    expect(new Set(begun.map(({ answer }) => answer.invoice.order_id)).size).toBe(4)
  })
})

describe('an upgrade', () => {
  it('grants premium when it is paid and does not change the balance', async () => {
    const { till, alice } = await createTillWithCustomer()
    const { id, trackId, answer } = await till.upgrade(alice)
    expect(answer.invoice).toMatchObject({ kind: 'upgrade', amount: 149.99 })
    expect(answer.invoice.order_id).toBe(`UPGRADE-${till.clock.now().getTime()}`)
    expect(await till.isPremium(alice)).toBe(false)
    await till.lever(`pay/${trackId}`)
    expect(await till.isPremium(alice)).toBe(true)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 0 })
    expect(await till.balance(alice)).toBe(0)
    const again = await till.call('POST /api/upgrade', { token: alice.token, body: {} })
    expect(again).toMatchObject({ status: 409, code: 'already_premium' })
    await till.expectBooksToAddUp()
  })

  it('paid several times concurrently grants premium once and credits the rest to the balance', async () => {
    const { till, alice } = await createTillWithCustomer()
    const all = await Promise.all(Array.from({ length: 6 }, () => till.upgrade(alice)))
    await till.faults({ callbacks: { copies: 2, at_once: true } })
    await Promise.all(all.map(({ trackId }) => till.lever(`pay/${trackId}`)))
    expect(await till.isPremium(alice)).toBe(true)
    expect(await till.balance(alice)).toBe(749.95)
    const shown = await Promise.all(all.map(({ id }) => till.payment(alice, id)))
    expect(shown.map(({ credited }) => credited).sort()).toEqual([0, ...Array(5).fill(149.99)])
    await till.expectBooksToAddUp()
  })

  it.each([
    ['yes', true],
    ['no', false],
  ])('uses the test mode of the provider only if configured: %s', async (setting, isTrial) => {
    let made = 0
    const { asked, url } = await recordProvider(() => answerMade(String(++made)))
    const { till, alice } = await createTillWithCustomer({
      OXAPAY_TRIAL_UPGRADES: setting,
      OXAPAY_BASE_URL: url,
    })
    await till.topUp(alice, 10)
    await till.upgrade(alice)
    expect(asked.map(({ body }) => body)).toMatchObject([{ sandbox: false }, { sandbox: isTrial }])
  })
})

describe('a customer', () => {
  it('pages through their own payments only, newest first', async () => {
    const { till, alice } = await createTillWithCustomer()
    const bob = await signUp(till, 'bob')
    for (const amount of [1, 2, 3, 4, 5]) await till.topUp(alice, amount)
    const bobs = await till.topUp(bob, 99)
    const first = await till.call('GET /api/payments', { token: alice.token, query: { limit: 3 } })
    expect(first.answer.payments.map(({ amount }) => amount)).toEqual([5, 4, 3])
    const rest = await till.call('GET /api/payments', {
      token: alice.token,
      query: { limit: 3, before: first.answer.next ?? 0 },
    })
    expect(rest.answer.payments.map(({ amount }) => amount)).toEqual([2, 1])
    expect(rest.answer.next).toBeNull()
    const stranger = { token: alice.token, params: { id: bobs.id } }
    expect((await till.call('GET /api/payments/:id', stranger)).status).toBe(404)
  })
})

describe('an administrator', () => {
  it('filters payments', async () => {
    const till = await createTill()
    const root = await newAdmin(till)
    const alice = await signUp(till, 'alice', { email: 'alice@example.com' })
    const bob = await signUp(till, 'bob_x')
    const small = await till.topUp(alice, 10)
    till.clock.advance(MINUTE)
    const later = till.clock.now().toISOString()
    const large = await till.topUp(bob, 5000)
    const premium = await till.upgrade(bob)
    await till.lever(`pay/${large.trackId}`)
    const found = async (query: Record<string, string | number>) => {
      const { answer } = await till.call('GET /api/admin/payments', { token: root.token, query })
      return answer.payments.map(({ id }) => id)
    }
    expect(await found({})).toEqual([premium.id, large.id, small.id])
    expect(await found({ state: 'completed' })).toEqual([large.id])
    expect(await found({ state: 'pending', kind: 'upgrade' })).toEqual([premium.id])
    expect(await found({ user: alice.id })).toEqual([small.id])
    expect(await found({ from: later })).toEqual([premium.id, large.id])
    expect(await found({ to: later })).toEqual([small.id])
    expect(await found({ min: 100, max: 200 })).toEqual([premium.id])
    expect(await found({ text: 'upgrade-' })).toEqual([premium.id])
    expect(await found({ text: small.trackId })).toEqual([small.id])
    expect(await found({ text: 'BOB' })).toEqual([premium.id, large.id])
    expect(await found({ text: 'alice@example.com' })).toEqual([small.id])
    expect(await found({ text: '%' })).toEqual([])
    expect(await found({ limit: 1, before: premium.id })).toEqual([large.id])
  })

  it('sees the history of a payment and the totals', async () => {
    const till = await createTill()
    const root = await newAdmin(till)
    const alice = await signUp(till, 'alice')
    const { id, trackId } = await till.topUp(alice, 25)
    await till.lever(`pay/${trackId}`)
    const { answer } = await till.call('GET /api/admin/payments/:id', { token: root.token, params: { id } })
    expect(answer.payment).toMatchObject({
      user: { username: 'alice' },
      track_id: trackId,
      received: 25,
      paid: 25,
    })
    expect(answer.events.map(({ source, status, outcome }) => [source, status, outcome])).toEqual([
      ['us', null, ['begun']],
      ['us', null, ['now waiting']],
      ['callback', 'Paying', ['now paying']],
      ['callback', 'Paid', ['now paid', 'credited $25.00']],
    ])
    const total = await till.call('GET /api/total-payments', { token: root.token })
    const count = await till.call('GET /api/successful-payments', { token: root.token })
    expect([total.answer, count.answer]).toEqual([{ total_credit: 25 }, { count: 1 }])
  })
})
