import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createTill, newAdmin, newCustomers, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'
import { DAY, later } from '../../../platform/clock.ts'

async function begin() {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  return { till, root, alice }
}

async function make(till: Till, root: SignedIn, body: object) {
  const { answer, status, message } = await till.call('POST /api/admin/promo-codes', {
    token: root.token,
    body,
  })
  if (status !== 200) throw new Error(message)
  return answer.promo_code
}
const redeem = (till: Till, who: SignedIn, code: string) =>
  till.call('POST /api/promo-codes/redeem', { token: who.token, body: { code } })
const topUp = (till: Till, who: SignedIn, amount: number, promo_code: string) =>
  till.call('POST /api/topup', { token: who.token, body: { amount, promo_code } })

describe('a percentage', () => {
  it('is reserved with the top-up and credited with the payment, rounded down', async () => {
    const { till, root, alice } = await begin()
    await make(till, root, { code: 'spring', type: 'percentage', value: 12.5 })
    const { answer } = await redeem(till, alice, 'Spring')
    expect(answer).toMatchObject({
      credited: 0,
      offer: {
        code: 'SPRING',
        value: 12.5,
        applies: 'next_topup',
        message: 'SPRING adds 12.5 % to your next top-up.',
      },
    })
    const { id, trackId, answer: begun } = await till.topUp(alice, 33.33, 'SPRING')
    expect(begun.invoice).toMatchObject({ bonus: 4.16625, promo_code: 'SPRING' })
    expect(await till.balance(alice)).toBe(0)
    await till.faults({ callbacks: { copies: 5, at_once: true } })
    await till.lever(`pay/${trackId}`)
    expect(await till.payment(alice, id)).toMatchObject({ credited: 37.49625, bonus: 4.16625 })
    expect(await till.balance(alice)).toBe(37.49625)
    await till.expectBooksToAddUp()
  })
})

describe('a fixed amount', () => {
  it('is added to a top-up that is at least as large', async () => {
    const { till, root, alice } = await begin()
    await make(till, root, { code: 'FIFTY', type: 'fixed_amount', value: 50 })
    expect(await topUp(till, alice, 49.99, 'FIFTY')).toMatchObject({
      code: 'promo_topup_too_small',
      message: 'This promo code requires a larger top-up. At least $50.00.',
    })
    const { trackId } = await till.topUp(alice, 50, 'FIFTY')
    await till.lever(`pay/${trackId}`)
    expect(await till.balance(alice)).toBe(100)
  })
})

describe('account credit', () => {
  it('is credited immediately and refused for a top-up', async () => {
    const { till, root, alice } = await begin()
    await make(till, root, { code: 'HELLO', type: 'account_credit', value: 5 })
    expect((await topUp(till, alice, 10, 'HELLO')).code).toBe('promo_not_for_topup')
    expect((await redeem(till, alice, 'hello')).answer).toMatchObject({
      credited: 5,
      offer: { applies: 'now' },
    })
    expect(await till.balance(alice)).toBe(5)
    expect(await redeem(till, alice, 'HELLO')).toMatchObject({ status: 409, code: 'promo_already_used' })
    await till.expectBooksToAddUp()
  })

  it('respects the limit per customer in ten concurrent requests', async () => {
    const { till, root, alice } = await begin()
    await make(till, root, { code: 'TWICE', type: 'account_credit', value: 5, per_user_limit: 2 })
    const all = await Promise.all(Array.from({ length: 10 }, () => redeem(till, alice, 'TWICE')))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await till.balance(alice)).toBe(10)
    await till.expectBooksToAddUp()
  })

  it('respects the total limit with forty concurrent customers', async () => {
    const { till, root } = await begin()
    const { id } = await make(till, root, { code: 'SEVEN', type: 'account_credit', value: 5, total_limit: 7 })
    const customers = await newCustomers(till, 40)
    const all = await Promise.allSettled(
      customers.map(({ caller }, n) => till.services.promoCodes.redeem(caller, 'SEVEN', `198.51.100.${n}`)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
    const { answer } = await till.call('GET /api/admin/promo-codes/:id', {
      token: root.token,
      params: { id },
    })
    expect(answer.promo_code).toMatchObject({ used: 7, reserved: 0 })
    const given = await Promise.all(customers.map((customer) => till.balance(customer)))
    expect(given.reduce((sum, each) => sum + each, 0)).toBe(35)
    await till.expectBooksToAddUp()
  })
})

describe('a reservation', () => {
  it('counts toward the limit when the top-up starts, even concurrently', async () => {
    const { till, root } = await begin()
    const { id } = await make(till, root, { code: 'FIVE', type: 'fixed_amount', value: 1, total_limit: 5 })
    const customers = await newCustomers(till, 30)
    const all = await Promise.allSettled(
      customers.map(({ caller }) => till.services.payments.topUp(caller, 10, 'FIVE')),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const invoices = await till.services.db.selectFrom('invoices').selectAll().execute()
    expect(invoices).toHaveLength(5)
    await Promise.all(invoices.map(({ track_id }) => till.lever(`pay/${track_id}`)))
    const { answer } = await till.call('GET /api/admin/promo-codes/:id', {
      token: root.token,
      params: { id },
    })
    expect(answer.promo_code).toMatchObject({ used: 5, reserved: 0 })
    await till.expectBooksToAddUp()
  })

  it('is released for others when the top-up expires or fails', async () => {
    const { till, root, alice } = await begin()
    const bob = await signUp(till, 'bob')
    await make(till, root, { code: 'ONE', type: 'fixed_amount', value: 1, total_limit: 1 })
    const { id, trackId } = await till.topUp(alice, 10, 'ONE')
    expect((await topUp(till, bob, 10, 'ONE')).code).toBe('promo_used_up')
    await till.lever(`expire/${trackId}`)
    expect((await till.payment(alice, id)).bonus).toBe(0)
    await till.faults({ create: { kind: 'error', message: 'no', times: 1 } })
    expect((await topUp(till, bob, 10, 'ONE')).code).toBe('payment_refused')
    expect((await topUp(till, bob, 10, 'ONE')).answer.invoice.bonus).toBe(1)
  })

  it('moves to a new top-up of the customer, and only one of the two gets the bonus', async () => {
    const { till, root, alice } = await begin()
    await make(till, root, { code: 'ONCE', type: 'percentage', value: 10 })
    const first = await till.topUp(alice, 10, 'ONCE')
    const second = await till.topUp(alice, 50, 'ONCE')
    expect(second.answer.invoice.bonus).toBe(5)
    await till.lever(`pay/${first.trackId}`)
    await till.lever(`pay/${second.trackId}`)
    expect(await till.balance(alice)).toBe(65)
    expect((await topUp(till, alice, 10, 'ONCE')).code).toBe('promo_already_used')
    await till.expectBooksToAddUp()
  })
})

describe('a code', () => {
  it('that is unknown, inactive or expired is refused with a specific message', async () => {
    const { till, root, alice } = await begin()
    const expires_at = later(till.clock.now(), DAY).toISOString()
    await make(till, root, { code: 'SHORT', type: 'account_credit', value: 5, expires_at })
    const { id } = await make(till, root, { code: 'OFF', type: 'account_credit', value: 5 })
    const off = { token: root.token, params: { id }, body: { active: false } }
    expect((await till.call('PATCH /api/admin/promo-codes/:id', off)).answer.promo_code.active).toBe(false)
    till.clock.advance(DAY)
    expect((await redeem(till, alice, 'NONE')).message).toBe('This promo code does not exist.')
    expect((await redeem(till, alice, 'SHORT')).message).toBe('This promo code has expired.')
    expect((await redeem(till, alice, 'OFF')).message).toBe('This promo code has expired.')
    expect((await redeem(till, alice, '')).message).toBe('Please enter a promo code.')
    expect(await till.balance(alice)).toBe(0)
  })

  it('has a rate limit of twenty failures per hour', async () => {
    const { till, root, alice } = await begin()
    await make(till, root, { code: 'REAL', type: 'percentage', value: 5 })
    const check = (code: string) =>
      till.call('POST /api/promo-codes/check', { token: alice.token, body: { code } })
    expect((await check('REAL')).answer.offer.type).toBe('percentage')
    for (let n = 0; n < 20; n++) expect((await check(`GUESS${n}`)).code).toBe('promo_unknown')
    expect((await check('REAL')).code).toBe('too_many_requests')
  })

  it('is unique regardless of letter case and can be deleted only while unused', async () => {
    const { till, root, alice } = await begin()
    const { id } = await make(till, root, { code: 'Mine', type: 'account_credit', value: 5 })
    await expect(make(till, root, { code: 'MINE', type: 'percentage', value: 5 })).rejects.toThrow(
      'already exists',
    )
    await redeem(till, alice, 'mine')
    const remove = (code: number) =>
      till.call('DELETE /api/admin/promo-codes/:id', { token: root.token, params: { id: code } })
    expect((await remove(id)).code).toBe('promo_in_use')
    const unused = await make(till, root, { code: 'UNUSED', type: 'percentage', value: 5 })
    expect((await remove(unused.id)).status).toBe(200)
    expect((await remove(unused.id)).status).toBe(404)
    const { answer } = await till.call('GET /api/admin/promo-codes/:id/redemptions', {
      token: root.token,
      params: { id },
    })
    expect(answer.redemptions).toMatchObject([{ user: { username: 'alice' }, bonus: 5, state: 'used' }])
    const log = await till.call('GET /api/admin/audit-log', { token: root.token })
    expect(log.answer.entries.map(({ action }) => action)).toEqual([
      'promo_code.delete',
      'promo_code.create',
      'promo_code.create',
    ])
  })

  const shop = forAll(begin)
  it.each([
    { code: 'A', type: 'percentage', value: 100.01 },
    { code: 'A', type: 'fixed_amount', value: 10000.01 },
    { code: 'A', type: 'percentage', value: 1.005 },
    { code: 'A', type: 'percentage', value: 0 },
    { code: 'A B', type: 'percentage', value: 1 },
    { code: 'A', type: 'gift', value: 1 },
    { code: 'A', type: 'percentage', value: 1, total_limit: 0 },
  ])('refuses to create %j', async (body) => {
    const { till, root } = shop()
    expect((await till.call('POST /api/admin/promo-codes', { token: root.token, body })).status).toBe(400)
  })
})

it('refuses the second of two conflicting changes', async () => {
  const { till, root } = await begin()
  const { id, version } = await make(till, root, { code: 'SHARED', type: 'percentage', value: 5 })
  const change = (body: object) =>
    till.call('PATCH /api/admin/promo-codes/:id', { token: root.token, params: { id }, body })
  expect((await change({ total_limit: 10, version })).answer.promo_code.total_limit).toBe(10)
  expect(await change({ total_limit: 99, version })).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  expect((await change({ active: false, version: version + 1 })).answer.promo_code).toMatchObject({
    total_limit: 10,
    active: false,
  })
  const found = async (text: string) =>
    (
      await till.call('GET /api/admin/promo-codes', { token: root.token, query: { text } })
    ).answer.promo_codes.map(({ code }) => code)
  expect(await found('hare')).toEqual(['SHARED'])
  expect(await found('%')).toEqual([])
})

describe('account credit redeemed from one address', () => {
  const redeem = (till: Till, { token }: SignedIn, from: string) =>
    till.call('POST /api/promo-codes/redeem', { token, body: { code: 'WELCOME' }, from })

  it('is limited to three accounts per day and address, and raises an alert', async () => {
    const till = await createTill()
    const root = await signUp(till, 'root', { isAdmin: true })
    const body = { code: 'WELCOME', type: 'account_credit', value: 5 }
    const { answer } = await till.call('POST /api/admin/promo-codes', { token: root.token, body })
    expect(answer.promo_code.total_limit).toBe(100)
    const people: SignedIn[] = []
    for (let n = 0; n < 6; n++) people.push(await signUp(till, `person${n}`))
    const [a, b, c, d, e, f] = people as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn, SignedIn]
    for (const one of [a, b, a, a, c]) await redeem(till, one, '198.51.100.1')
    expect(await redeem(till, d, '198.51.100.1')).toMatchObject({
      status: 429,
      message: 'This code was used too many times from your network today. Please try again tomorrow.',
    })
    expect(await Promise.all([a, b, c, d].map((one) => till.balance(one)))).toEqual([5, 5, 5, 0])
    const alerts = await till.services.db
      .selectFrom('alerts')
      .select(['kind', 'message'])
      .where('kind', '=', 'promo_abuse')
      .execute()
    expect(alerts).toMatchObject([{ message: expect.stringContaining('198.51.100.1') }])
    expect((await redeem(till, e, '198.51.100.2')).status).toBe(200)
    till.clock.advance(24 * 60 * 60_000)
    expect((await redeem(till, f, '198.51.100.1')).status).toBe(200)
  })

  it('respects the limit in concurrent requests', async () => {
    const till = await createTill()
    const root = await signUp(till, 'root', { isAdmin: true })
    const body = { code: 'WELCOME', type: 'account_credit', value: 5, total_limit: null }
    await till.call('POST /api/admin/promo-codes', { token: root.token, body })
    const people = []
    for (let n = 0; n < 10; n++) people.push(await signUp(till, `person${n}`))
    const answers = await Promise.all(people.map((one) => redeem(till, one, '198.51.100.1')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  })
})
