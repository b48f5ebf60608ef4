import { describe, expect, it } from 'vitest'
import { forAll } from '../../../../test/lifetime.ts'
import { createTill, newAdmin, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'

async function paid(kind: 'topup' | 'upgrade' = 'topup', received?: number) {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  const { id, trackId } = kind === 'topup' ? await till.topUp(alice, 100) : await till.upgrade(alice)
  await till.lever(`pay/${trackId}`, received === undefined ? {} : { amount: received })
  return { till, root, alice, id }
}

let keys = 0
const refund = (till: Till, root: SignedIn, id: number, body: object) =>
  till.call('POST /api/admin/payments/:id/refunds', {
    token: root.token,
    params: { id },
    body: {
      to: 'paid_out',
      reference: 'tx 1',
      reason: 'asked for it',
      request_key: `key-${++keys}-abcdef`,
      ...body,
    },
  })

describe('a refund', () => {
  it('paid out debits the top-up from the balance, in parts, at most the paid amount', async () => {
    const { till, root, alice, id } = await paid()
    const part = await refund(till, root, id, { amount: 30 })
    expect(part.answer).toMatchObject({
      refund: { amount: 30, to: 'paid_out', reference: 'tx 1', by: 'root' },
      payment: { state: 'partly_refunded', refunded: 30, paid: 100 },
    })
    expect(await till.balance(alice)).toBe(70)
    expect(await refund(till, root, id, { amount: 70.01 })).toMatchObject({
      status: 409,
      code: 'more_than_was_paid',
      message: 'The amount is higher than the amount paid. At most $70.00 is left.',
    })
    expect((await refund(till, root, id, {})).answer.payment).toMatchObject({
      state: 'refunded',
      refunded: 100,
    })
    expect(await till.balance(alice)).toBe(0)
    expect((await refund(till, root, id, {})).code).toBe('more_than_was_paid')
    await till.expectBooksToAddUp()
  })

  it('paid out is at most the received amount, if a small shortfall was credited in full', async () => {
    const { till, root, alice, id } = await paid('topup', 97.5)
    expect(await till.balance(alice)).toBe(100)
    expect(await refund(till, root, id, { amount: 97.51 })).toMatchObject({
      status: 409,
      code: 'more_than_was_paid',
      message: 'The amount is higher than the amount paid. At most $97.50 is left.',
    })
    const done = await refund(till, root, id, {})
    expect(done.answer.refund).toMatchObject({ amount: 97.5 })
    expect(await till.balance(alice)).toBe(2.5)
    expect((await refund(till, root, id, {})).code).toBe('more_than_was_paid')
    await till.expectBooksToAddUp()
  })

  it('to the balance can be the full credited amount despite a small shortfall', async () => {
    const { till, root, alice, id } = await paid('topup', 97.5)
    const done = await refund(till, root, id, { to: 'balance', reference: undefined })
    expect(done.answer.refund).toMatchObject({ amount: 100 })
    expect(await till.balance(alice)).toBe(200)
    await till.expectBooksToAddUp()
  })

  it('to the balance credits the price of an upgrade and leaves premium to the administrator', async () => {
    const { till, root, alice, id } = await paid('upgrade')
    await refund(till, root, id, { to: 'balance', reference: undefined })
    expect(await till.balance(alice)).toBe(149.99)
    expect(await till.isPremium(alice)).toBe(true)
    await till.expectBooksToAddUp()
  })

  it('of an upgrade paid out does not change the balance', async () => {
    const { till, root, alice, id } = await paid('upgrade')
    expect((await refund(till, root, id, {})).status).toBe(200)
    expect(await till.balance(alice)).toBe(0)
    const entries = await till.services.db.selectFrom('entries').selectAll().execute()
    expect(entries.filter(({ account }) => account === 'refunds')).toMatchObject([
      { amount_micros: -149_990_000n },
    ])
    await till.expectBooksToAddUp()
  })

  it('above the balance is refused and changes nothing', async () => {
    const { till, root, alice, id } = await paid()
    const spent = { user_id: alice.id, amount: -50, reason: 'spent', request_key: 'spend-the-half' }
    await till.call('POST /api/admin/balance-adjustments', { token: root.token, body: spent })
    const before = await till.traces()
    expect(await refund(till, root, id, {})).toMatchObject({ status: 402, code: 'insufficient_balance' })
    expect(await till.traces()).toBe(before)
    expect((await till.payment(alice, id)).refunded).toBe(0)
  })

  it('of an unpaid payment is refused', async () => {
    const till = await createTill()
    const root = await newAdmin(till)
    const { id } = await till.topUp(await signUp(till, 'alice'), 100)
    expect((await refund(till, root, id, {})).code).toBe('nothing_paid')
    expect((await refund(till, root, 999, {})).status).toBe(404)
  })

  const before = forAll(paid)
  it.each([
    [{ reference: undefined }, 'Please enter the transfer reference.'],
    [{ reason: ' ' }, 'Please enter a reason.'],
    [{ amount: 0 }, 'Please enter an amount in dollars.'],
    [{ amount: -1 }, 'Please enter an amount in dollars.'],
  ])('with %j is refused', async (change, words) => {
    const { till, root, id } = before()
    expect(await refund(till, root, id, change)).toMatchObject({ status: 400, message: words })
  })

  it('is done once if it is repeated, and conflicts if its key has other content', async () => {
    const { till, root, alice, id } = await paid()
    const request = { amount: 10, request_key: 'the-same-key' }
    const first = await refund(till, root, id, request)
    const again = await refund(till, root, id, request)
    expect(again.answer.refund).toEqual(first.answer.refund)
    expect((await refund(till, root, id, { ...request, amount: 11 })).code).toBe('key_conflict')
    expect((await refund(till, root, id, { request_key: 'the-same-key' })).code).toBe('key_conflict')
    expect(await till.balance(alice)).toBe(90)
  })

  it('never exceeds the paid amount in twenty concurrent requests', async () => {
    const { till, root, alice, id } = await paid()
    const all = await Promise.all(Array.from({ length: 20 }, () => refund(till, root, id, { amount: 30 })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(all.filter(({ code }) => code === 'more_than_was_paid')).toHaveLength(17)
    expect(await till.balance(alice)).toBe(10)
    expect((await till.payment(alice, id)).refunded).toBe(90)
    await till.expectBooksToAddUp()
  })

  it('is done once for twenty concurrent requests with one key', async () => {
    const { till, root, alice, id } = await paid()
    const request = { amount: 30, request_key: 'pressed-twenty-times' }
    const all = await Promise.all(Array.from({ length: 20 }, () => refund(till, root, id, request)))
    expect(all.every(({ status }) => status === 200)).toBe(true)
    expect(await till.balance(alice)).toBe(70)
  })

  it('is written to the audit log and to the history of the payment', async () => {
    const { till, root, id } = await paid()
    await refund(till, root, id, { amount: 30, reason: 'double payment' })
    const audit = await till.call('GET /api/admin/audit-log', { token: root.token })
    expect(audit.answer.entries).toMatchObject([
      {
        action: 'payment.refund',
        subject: `payment ${id}`,
        by: { username: 'root' },
        user: { username: 'alice' },
        before: { refunded: 0 },
        after: { refunded: 30, amount: 30, to: 'paid_out', reference: 'tx 1' },
        reason: 'double payment',
      },
    ])
    const detail = await till.call('GET /api/admin/payments/:id', { token: root.token, params: { id } })
    expect(detail.answer.events.at(-1)).toMatchObject({
      source: 'admin',
      by: 'root',
      outcome: ['refunded $30.00 paid out, tx 1'],
      note: 'double payment',
    })
    expect(detail.answer.refunds).toHaveLength(1)
  })
})
