import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTill, newAdmin, type Till } from '../../../../test/payments.ts'
import { type SignedIn, signUp } from '../../../../test/portal.ts'

type Query = Record<string, string | number>

const list = async (till: Till, root: SignedIn, query: Query = {}) =>
  (await till.call('GET /api/admin/payments', { token: root.token, query })).answer
const sums = async (till: Till, root: SignedIn, query: Query = {}) =>
  (await till.call('GET /api/admin/payments/totals', { token: root.token, query })).answer.totals
const csv = async (till: Till, root: SignedIn, query: Query = {}) => {
  const { body, headers } = await till.api.inject({
    url: '/api/admin/payments.csv',
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: { authorization: `Bearer ${root.token}` },
  })
  return { lines: body.trim().split('\n'), headers }
}

it('applies the same filters to list, totals and CSV', async () => {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  const paid = await till.topUp(alice, 100)
  await till.lever(`pay/${paid.trackId}`)
  till.clock.advance(1_000)
  const half = await till.topUp(alice, 40)
  await till.lever(`pay/${half.trackId}`, { amount: 10 })
  till.clock.advance(1_000)
  const begun = await till.topUp(alice, 7.5)
  const refund = { amount: 30, to: 'balance', reason: 'bad line', request_key: 'refund-of-the-list' }
  await till.call('POST /api/admin/payments/:id/refunds', {
    token: root.token,
    params: { id: paid.id },
    body: refund,
  })

  const ids = async (query: Query) => (await list(till, root, query)).payments.map(({ id }) => id)
  expect(await ids({ status: 'Completed' })).toEqual([paid.id])
  expect(await ids({ status: 'Pending' })).toEqual([begun.id, half.id])
  expect(await ids({ status: 'Failed' })).toEqual([])
  expect(await ids({ status: 'Pending', state: 'underpaid' })).toEqual([half.id])
  expect(await ids({ status: 'Failed', state: 'underpaid' })).toEqual([])
  expect(await ids({ refundable: 1 })).toEqual([paid.id])
  expect(await sums(till, root)).toEqual({
    payments: 3,
    amount: 147.5,
    paid: 100,
    refunded: 30,
    is_capped: false,
  })
  expect(await sums(till, root, { status: 'Pending' })).toMatchObject({ payments: 2, amount: 47.5, paid: 0 })

  const file = await csv(till, root, { timezone: 'Asia/Tokyo' })
  expect(file.headers['content-disposition']).toBe('attachment; filename="payments.csv"')
  expect(file.lines[0]).toBe(
    'id,date,time,user_id,user,type,amount,status,state,received,paid,credited,refunded,order_id,track_id,created_at,paid_at',
  )
  const rows = file.lines.slice(1).map((line) => line.split(','))
  expect(
    rows.map(([id, , , , user, type, amount, status, state]) => [id, user, type, amount, status, state]),
  ).toEqual([
    [String(begun.id), 'alice', 'Top-up', '7.500000', 'Pending', 'Pending'],
    [String(half.id), 'alice', 'Top-up', '40.000000', 'Pending', 'Underpaid'],
    [String(paid.id), 'alice', 'Top-up', '100.000000', 'Completed', 'Partially refunded'],
  ])
  expect((await csv(till, root, { text: `alice' or '1'='1` })).lines).toHaveLength(1)
  expect((await csv(till, root, { text: 'ALI', status: 'Completed' })).lines).toHaveLength(2)

  await till.call('POST /api/admin/payments/:id/refunds', {
    token: root.token,
    params: { id: paid.id },
    body: { to: 'balance', reason: 'the rest', request_key: 'refund-of-the-rest' },
  })
  expect(await ids({ refundable: 1 })).toEqual([])
})

it('pages through thousands of payments without gaps or repeats, and limits the totals', async () => {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  // Several payments within a millisecond, with ids in another order than their timestamps.
  await sql`
    insert into invoices (user_id, kind, order_id, amount_micros, state, created_at)
    select ${alice.id}, 'topup', 'ORD-' || n, 1000000, (array['expired', 'failed', 'waiting'])[1 + n % 3],
           timestamptz '2026-01-01' - (n / 7) * interval '3 microseconds'
      from generate_series(1, 10050) as n`.execute(till.services.db)
  const seen: number[] = []
  let before: number | null = null
  do {
    const query: Query = { limit: 40, status: 'Failed', ...(before !== null && { before }) }
    const page = await list(till, root, query)
    seen.push(...page.payments.map(({ id }) => id))
    before = page.next
  } while (before !== null && seen.length < 400)
  const { rows } = await sql<{ id: number }>`
    select id from invoices where shown_state in ('expired', 'failed')
     order by created_at desc, id desc limit 400`.execute(till.services.db)
  expect(seen).toEqual(rows.map(({ id }) => id))
  expect(await sums(till, root)).toMatchObject({ payments: 10_000, amount: 10_000, is_capped: true })
  expect(await sums(till, root, { state: 'failed' })).toMatchObject({ payments: 3_350, is_capped: false })
  expect((await csv(till, root, { status: 'Failed' })).lines).toHaveLength(6_701)
})

it('includes every posting in the history of a payment', async () => {
  const till = await createTill()
  const root = await newAdmin(till)
  const alice = await signUp(till, 'alice')
  const post = (path: 'POST /api/admin/promo-codes', body: object) =>
    till.call(path, { token: root.token, body })
  await post('POST /api/admin/promo-codes', { code: 'TEN', type: 'percentage', value: 10 })
  const { id, trackId } = await till.topUp(alice, 100, 'TEN')
  // Overpaid by $20: listed and credited manually.
  await till.lever(`pay/${trackId}`, { amount: 120 })
  const reviews = await till.call('GET /api/admin/payment-reviews', {
    token: root.token,
    query: { state: 'open' },
  })
  await till.call('POST /api/admin/payment-reviews/:id/resolve', {
    token: root.token,
    params: { id: reviews.answer.reviews[0]?.id ?? 0 },
    body: { action: 'credit', reason: 'theirs' },
  })
  await till.call('POST /api/admin/payments/:id/refunds', {
    token: root.token,
    params: { id },
    body: { amount: 50, to: 'paid_out', reference: 'tx', reason: 'asked', request_key: 'refund-of-history' },
  })
  const { answer } = await till.call('GET /api/admin/payments/:id', { token: root.token, params: { id } })
  expect(
    answer.postings.map(({ kind, amount, to_balance, balance, by }) => [
      kind,
      amount,
      to_balance,
      balance,
      by,
    ]),
  ).toEqual([
    ['top_up', 100, 100, 100, null],
    ['promo_credit', 10, 10, 110, null],
    ['top_up', 20, 20, 130, 'root'],
    ['refund_paid_out', 50, -50, 80, 'root'],
  ])
  expect(await till.balance(alice)).toBe(80)

  const premium = await till.upgrade(alice)
  await till.lever(`pay/${premium.trackId}`)
  await till.call('POST /api/admin/payments/:id/refunds', {
    token: root.token,
    params: { id: premium.id },
    body: { to: 'paid_out', reference: 'tx 2', reason: 'asked', request_key: 'refund-of-premium' },
  })
  const bought = await till.call('GET /api/admin/payments/:id', {
    token: root.token,
    params: { id: premium.id },
  })
  expect(bought.answer.postings).toMatchObject([
    { kind: 'upgrade_purchase', amount: 149.99, to_balance: 0, balance: 80 },
    { kind: 'refund_paid_out', amount: 149.99, to_balance: 0, balance: 80 },
  ])
  await till.expectBooksToAddUp()
})
