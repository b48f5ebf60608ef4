import { describe, expect, it } from 'vitest'
import { createTill, newAdmin, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'

async function begin(kind: 'topup' | 'upgrade' = 'topup') {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  const { id, trackId } = kind === 'topup' ? await till.topUp(alice, 100) : await till.upgrade(alice)
  return { till, root, alice, id, trackId }
}

const open = async (till: Till, root: SignedIn) =>
  (await till.call('GET /api/admin/payment-reviews', { token: root.token, query: { state: 'open' } })).answer

const resolve = (till: Till, root: SignedIn, id: number, body: object) =>
  till.call('POST /api/admin/payment-reviews/:id/resolve', {
    token: root.token,
    params: { id },
    body: { reason: 'looked into it', ...body },
  })

const onlyOne = async (till: Till, root: SignedIn) => {
  const { reviews } = await open(till, root)
  expect(reviews).toHaveLength(1)
  return reviews[0] as NonNullable<(typeof reviews)[0]>
}

describe('underpaid', () => {
  it('is shown as underpaid, listed with the received amount, and credited manually', async () => {
    const { till, root, alice, id, trackId } = await begin()
    await till.lever(`pay/${trackId}`, { amount: 60 })
    expect(await till.payment(alice, id)).toMatchObject({ state: 'underpaid', credited: 0 })
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'underpaid', amount: 60, creditable: 60, payment: { id } })
    expect(await resolve(till, root, review.id, { action: 'credit', amount: 60.01 })).toMatchObject({
      status: 409,
      code: 'more_than_was_paid',
    })
    const { answer } = await resolve(till, root, review.id, { action: 'credit' })
    expect(answer.review).toMatchObject({ state: 'credited', credited: 60, resolved_by: 'root' })
    expect(await till.balance(alice)).toBe(60)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 60 })
    expect(await open(till, root)).toMatchObject({ reviews: [], open: 0 })
    await till.expectBooksToAddUp()
  })

  it('becomes paid and is credited in full when the rest arrives', async () => {
    const { till, root, alice, id, trackId } = await begin()
    await till.lever(`pay/${trackId}`, { amount: 60 })
    await till.lever(`pay/${trackId}`)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 100 })
    // The item is still open, but has nothing left to credit.
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'underpaid', creditable: 0 })
    expect((await resolve(till, root, review.id, { action: 'credit' })).code).toBe('review_not_creditable')
    await resolve(till, root, review.id, { action: 'ignore' })
    expect(await till.balance(alice)).toBe(100)
    await till.expectBooksToAddUp()
  })

  it('credited manually before the rest arrives lists the rest as late, and only the rest can be credited', async () => {
    const { till, root, alice, trackId } = await begin()
    await till.lever(`pay/${trackId}`, { amount: 60 })
    await resolve(till, root, (await onlyOne(till, root)).id, { action: 'credit' })
    await till.lever(`pay/${trackId}`)
    const late = await onlyOne(till, root)
    expect(late).toMatchObject({ reason: 'late', amount: 100, creditable: 40 })
    await resolve(till, root, late.id, { action: 'credit' })
    expect(await till.balance(alice)).toBe(100)
    await till.expectBooksToAddUp()
  })

  it('reopens the item for the difference when more arrives after the credit', async () => {
    const { till, root, alice, trackId } = await begin()
    await till.lever(`pay/${trackId}`, { amount: 30 })
    const review = await onlyOne(till, root)
    await resolve(till, root, review.id, { action: 'credit' })
    await till.lever(`pay/${trackId}`, { amount: 30 })
    expect(await onlyOne(till, root)).toMatchObject({ id: review.id, amount: 60, creditable: 30 })
    await resolve(till, root, review.id, { action: 'credit' })
    expect(await till.balance(alice)).toBe(60)
    await till.expectBooksToAddUp()
  })
})

describe('other unexpected money', () => {
  it('overpaid: credits the invoice amount automatically, the rest manually', async () => {
    const { till, root, alice, id, trackId } = await begin()
    await till.lever(`pay/${trackId}`, { amount: 130 })
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 100 })
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'overpaid', amount: 30, creditable: 30 })
    await resolve(till, root, review.id, { action: 'credit', amount: 20 })
    expect(await till.balance(alice)).toBe(120)
    await till.expectBooksToAddUp()
  })

  it('late: an administrator can credit it', async () => {
    const { till, root, alice, id, trackId } = await begin()
    await till.lever(`expire/${trackId}`)
    await till.lever(`pay/${trackId}`)
    expect(await till.payment(alice, id)).toMatchObject({ state: 'in_review', credited: 0 })
    await resolve(till, root, (await onlyOne(till, root)).id, { action: 'credit' })
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 100 })
    await till.expectBooksToAddUp()
  })

  it('accepted manually without a transaction: an administrator can credit the invoice amount', async () => {
    const { till, root, alice, id, trackId } = await begin()
    await till.lever(`accept/${trackId}`)
    await till.reconcile()
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'unrecognised', amount: null, creditable: 100 })
    expect(review.payment).toMatchObject({ received: null })
    expect((await resolve(till, root, review.id, { action: 'credit', amount: 100.01 })).code).toBe(
      'more_than_was_paid',
    )
    await resolve(till, root, review.id, { action: 'credit' })
    expect(await till.payment(alice, id)).toMatchObject({ state: 'completed', credited: 100 })
    await till.reconcileAfter(HOUR)
    expect((await open(till, root)).reviews).toEqual([])
    await till.expectBooksToAddUp()
  })

  it('late, with a promo code: credits no bonus, because the code was released when the payment expired', async () => {
    const till = await createTill()
    const root = await newAdmin(till)
    const alice = await signUp(till, 'alice')
    const code = { code: 'TEN', type: 'percentage' as const, value: 10 }
    await till.call('POST /api/admin/promo-codes', { token: root.token, body: code })
    const { id, trackId } = await till.topUp(alice, 100, 'TEN')
    await till.lever(`expire/${trackId}`)
    await till.lever(`pay/${trackId}`)
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'late', payment: { paid: 0, bonus: 0 } })
    await resolve(till, root, review.id, { action: 'credit' })
    expect(await till.balance(alice)).toBe(100)
    expect(await till.payment(alice, id)).toMatchObject({ credited: 100, bonus: 0 })
    const redemptions = await till.services.db.selectFrom('promo_redemptions').select('state').execute()
    expect(redemptions).toEqual([{ state: 'released' }])
    await till.expectBooksToAddUp()
  })

  it('late, for an upgrade: the credit grants premium', async () => {
    const { till, root, alice, trackId } = await begin('upgrade')
    await till.lever(`expire/${trackId}`)
    await till.lever(`pay/${trackId}`)
    await resolve(till, root, (await onlyOne(till, root)).id, { action: 'credit' })
    expect(await till.isPremium(alice)).toBe(true)
    expect(await till.balance(alice)).toBe(0)
    await till.expectBooksToAddUp()
  })

  it('ignored: no money moves and the reason is stored', async () => {
    const { till, root, alice, id, trackId } = await begin()
    await till.lever(`expire/${trackId}`)
    await till.lever(`pay/${trackId}`)
    const { answer } = await resolve(till, root, (await onlyOne(till, root)).id, {
      action: 'ignore',
      reason: 'returned by hand',
    })
    expect(answer.review).toMatchObject({ state: 'ignored', resolution: 'returned by hand' })
    expect((await till.payment(alice, id)).state).toBe('expired')
    expect(await till.balance(alice)).toBe(0)
  })

  it('refunded by the provider after the credit: listed with nothing to credit', async () => {
    const { till, root, id, trackId, alice } = await begin()
    await till.lever(`pay/${trackId}`)
    await till.lever(`refund/${trackId}`)
    await till.lever(`complete-refund/${trackId}`)
    expect((await till.payment(alice, id)).state).toBe('refunded')
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'refunded_after_credit', creditable: 0 })
    expect((await resolve(till, root, review.id, { action: 'credit' })).code).toBe('review_not_creditable')
  })

  it('cannot be credited after the provider returned it', async () => {
    for (const prepare of [
      (till: Till, trackId: string) => till.lever(`pay/${trackId}`, { amount: 60 }),
      async (till: Till, trackId: string) => {
        await till.lever(`expire/${trackId}`)
        await till.lever(`pay/${trackId}`)
      },
    ]) {
      const { till, root, alice, trackId } = await begin()
      await prepare(till, trackId)
      await till.lever(`refund/${trackId}`)
      await till.lever(`complete-refund/${trackId}`)
      const review = await onlyOne(till, root)
      expect(review).toMatchObject({ creditable: 0, payment: { state: 'refunded' } })
      expect((await resolve(till, root, review.id, { action: 'credit' })).code).toBe('review_not_creditable')
      expect(await till.balance(alice)).toBe(0)
      await resolve(till, root, review.id, { action: 'ignore' })
      await till.expectBooksToAddUp()
    }
  })

  it('unmatched: credits the customer that the administrator selects', async () => {
    const { till, root, alice } = await begin()
    await till.faults({ callbacks: { copies: 3, at_once: true } })
    await till.payUnknown(77)
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'unmatched', amount: 77, payment: null, order_id: 'NOT-OURS' })
    expect((await resolve(till, root, review.id, { action: 'credit' })).code).toBe('review_needs_user')
    const nobody = await resolve(till, root, review.id, { action: 'credit', user_id: 999 })
    expect(nobody.status).toBe(404)
    await resolve(till, root, review.id, { action: 'credit', user_id: alice.id })
    expect(await till.balance(alice)).toBe(77)
    await till.expectBooksToAddUp()
  })

  it('unmatched: cannot be credited after the provider returned it', async () => {
    const { till, root, alice } = await begin()
    const trackId = await till.payUnknown(77)
    await till.lever(`refund/${trackId}`)
    await till.lever(`complete-refund/${trackId}`)
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({ reason: 'unmatched', amount: 77, creditable: 0, is_returned: true })
    const refused = await resolve(till, root, review.id, { action: 'credit', user_id: alice.id })
    expect(refused.code).toBe('review_not_creditable')
    await resolve(till, root, review.id, { action: 'ignore' })
    expect(await till.balance(alice)).toBe(0)
  })

  it('unmatched: is credited once, also if a report without a known status came first', async () => {
    const { till, root, alice } = await begin()
    const trackId = await till.payUnknown(77)
    await till.services.db
      .insertInto('payment_reviews')
      .values({
        track_id: trackId,
        order_id: 'NOT-OURS',
        reason: 'unrecognised',
        amount_micros: 80_000_000n,
        created_at: till.clock.now(),
        open_since: till.clock.now(),
        invoice_id: null,
        returned_at: null,
        resolved_at: null,
        resolved_by: null,
        resolution: null,
      })
      .execute()
    const [unclear, unmatched] = (await open(till, root)).reviews
    expect([unclear?.creditable, unmatched?.creditable]).toEqual([80, 77])
    await resolve(till, root, unmatched?.id ?? 0, { action: 'credit', user_id: alice.id })
    expect((await open(till, root)).reviews).toMatchObject([{ reason: 'unrecognised', creditable: 3 }])
    const rest = { action: 'credit', user_id: alice.id, amount: 4 }
    expect((await resolve(till, root, unclear?.id ?? 0, rest)).code).toBe('more_than_was_paid')
    expect(await till.balance(alice)).toBe(77)
    await till.expectBooksToAddUp()
  })

  it('unmatched: is listed again if the provider returns it after the credit', async () => {
    const { till, root, alice } = await begin()
    const trackId = await till.payUnknown(77)
    const { id } = await onlyOne(till, root)
    await till.lever(`refund/${trackId}`)
    await resolve(till, root, id, { action: 'credit', user_id: alice.id })
    await till.lever(`complete-refund/${trackId}`)
    const review = await onlyOne(till, root)
    expect(review).toMatchObject({
      reason: 'refunded_after_credit',
      amount: 77,
      creditable: 0,
      is_returned: true,
    })
    await till.faults({ callbacks: { copies: 3, at_once: true } })
    await resolve(till, root, review.id, { action: 'ignore' })
    await till.lever(`callback/${trackId}`, { status: 'refunded' })
    expect((await open(till, root)).open).toBe(0)
    await till.expectBooksToAddUp()
  })
})

it('credits unmatched money to one customer despite concurrent decisions', async () => {
  const { till, root, alice } = await begin()
  const bob = await signUp(till, 'bob')
  await till.payUnknown(77)
  const { id } = await onlyOne(till, root)
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      resolve(till, root, id, { action: 'credit', user_id: n % 2 ? alice.id : bob.id }),
    ),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await till.balance(alice)) + (await till.balance(bob))).toBe(77)
  await till.expectBooksToAddUp()
})

it('credits and audits an item once despite concurrent decisions', async () => {
  const { till, root, alice, trackId } = await begin()
  await till.lever(`pay/${trackId}`, { amount: 60 })
  const { id } = await onlyOne(till, root)
  const all = await Promise.all(
    Array.from({ length: 8 }, () => resolve(till, root, id, { action: 'credit' })),
  )
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  expect(await till.balance(alice)).toBe(60)
  const { answer } = await till.call('GET /api/admin/audit-log', { token: root.token })
  expect(answer.entries).toMatchObject([
    {
      action: 'payment.review_credit',
      by: { username: 'root' },
      user: { username: 'alice' },
      before: { paid: 0 },
      after: { paid: 60 },
      reason: 'looked into it',
    },
  ])
  await till.expectBooksToAddUp()
})

it('counts open items by the time they have waited, and finds them by it', async () => {
  const { till, root, trackId } = await begin()
  await till.lever(`pay/${trackId}`, { amount: 60 })
  const { token } = root
  const read = async (query: Record<string, string> = { state: 'open' }) =>
    (await till.call('GET /api/admin/payment-reviews', { token, query })).answer
  const none = { under_4h: 0, '4h_to_1d': 0, '1d_to_3d': 0, over_3d: 0 }
  expect((await read()).ages).toEqual({ ...none, under_4h: 1 })
  for (const [wait, band] of [
    [4 * HOUR, '4h_to_1d'],
    [20 * HOUR, '1d_to_3d'],
    [2 * DAY, 'over_3d'],
  ] as const) {
    till.clock.advance(wait - 1)
    expect((await read()).ages[band]).toBe(0)
    till.clock.advance(1)
    expect((await read()).ages).toEqual({ ...none, [band]: 1 })
    expect((await read({ age: band })).reviews).toHaveLength(1)
    expect((await read({ age: 'under_4h' })).reviews).toEqual([])
  }
})

it('starts to wait again when a resolved item is reopened', async () => {
  const { till, root, trackId } = await begin()
  await till.lever(`pay/${trackId}`, { amount: 60 })
  const review = await onlyOne(till, root)
  await resolve(till, root, review.id, { action: 'ignore' })
  till.clock.advance(2 * DAY)
  await till.lever(`pay/${trackId}`, { amount: 10 })
  const again = await onlyOne(till, root)
  expect(again.id).toBe(review.id)
  expect(again.created_at).toBe(review.created_at)
  expect(new Date(again.open_since).getTime() - new Date(review.open_since).getTime()).toBeGreaterThanOrEqual(
    2 * DAY,
  )
  expect((await open(till, root)).ages).toMatchObject({ under_4h: 1, '1d_to_3d': 0 })
})
