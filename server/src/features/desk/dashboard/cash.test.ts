import { cents } from '@trunkline/domain/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { pay, systemOwner } from '../../../../test/ledger.ts'
import { createTillWithCustomer, newAdmin } from '../../../../test/payments.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { DAY } from '../../../platform/clock.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'

it('shows what was received, paid out and earned in each month, and the sum of all balances', async () => {
  const portal = await createPortal({}, { startsAt: '2026-03-10T10:20:00Z' })
  const { token, id: root } = await signUp(portal, 'root', { isAdmin: true })
  const { id: alice } = await signUp(portal, 'alice')
  const { db } = portal.services
  for (const [amount, key] of [
    [30, 'one'],
    [12.5, 'two'],
  ] as const)
    await portal.call('POST /api/admin/balance-adjustments', {
      token,
      body: { user_id: alice, amount, reason: 'test', request_key: `cash-test-${key}` },
    })
  await pay(db, alice, 'top_up', '2026-02-28T23:30:00Z', cents(10_000))
  await pay(db, alice, 'upgrade_purchase', '2026-03-02T00:00:00Z', cents(14_999))
  await pay(db, alice, 'top_up', '2026-03-03T00:00:00Z', cents(5_000))
  await pay(db, alice, 'top_up', '2025-03-31T23:59:59Z', cents(100_000))
  const { rows } = await sql<{ id: number }>`
    insert into invoices (user_id, kind, order_id, amount_micros, paid_micros, is_credited, state, created_at, paid_at)
    values (${alice}, 'topup', 'order', 100000000, 100000000, true, 'paid', '2026-02-28', '2026-02-28')
    returning id`.execute(db)
  const first = rows[0]?.id ?? 0
  const refund = (dollars: number, to: string) =>
    sql`
    insert into refunds (invoice_id, user_id, amount_micros, destination, reference, reason, was_whole, request_key, created_by, created_at)
    values (${first}, ${alice}, ${dollars * 1e6}, ${to}, 'ref', 'test', false, ${`${to}-${dollars}`}, ${root}, '2026-03-01T00:00:00Z')`.execute(
      db,
    )
  await refund(20, 'paid_out')
  await refund(5, 'balance')
  await insertCdrs(db, systemOwner, [
    aCdr({ userId: alice, startedAt: new Date('2026-03-01T00:00:00Z'), seconds: 600 }),
    aCdr({ userId: alice, startedAt: new Date('2026-02-28T23:45:00Z'), seconds: 60 }),
  ])

  const read = async (timezone: string) =>
    (await portal.call('GET /api/admin/dashboard/cash', { token, query: { timezone } })).answer.cash
  const { owed, months } = await read('UTC')
  expect(owed).toBe(1_192.5)
  expect(months).toHaveLength(12)
  expect(months.slice(0, 2)).toEqual([
    {
      month: '2026-03',
      top_ups: 50,
      upgrades: 149.99,
      paid_out: 20,
      call_revenue: 0.1,
      carrier_cost: 0.04,
      margin: 0.06,
    },
    {
      month: '2026-02',
      top_ups: 100,
      upgrades: 0,
      paid_out: 0,
      call_revenue: 0.01,
      carrier_cost: 0.004,
      margin: 0.006,
    },
  ])
  expect(months.at(-1)).toMatchObject({ month: '2025-04', top_ups: 0 })
  const [march] = (await read('Europe/Berlin')).months
  expect(march).toMatchObject({ month: '2026-03', top_ups: 150, call_revenue: 0.11 })
})

it.each([
  ['before', false],
  ['after', true],
])('begins months at midnight in half-hour time zones, %s the figures are added', async (_, isAdded) => {
  const portal = await createPortal({}, { startsAt: '2026-03-10T10:20:00Z' })
  const { token } = await signUp(portal, 'root', { isAdmin: true })
  const { id: alice } = await signUp(portal, 'alice')
  const { db } = portal.services
  // March begins at 18:30 in Kolkata.
  await pay(db, alice, 'top_up', '2026-02-28T18:40:00Z', cents(10_000))
  await insertCdrs(db, systemOwner, [
    aCdr({ userId: alice, startedAt: new Date('2026-02-28T18:10:00Z'), seconds: 600 }),
    aCdr({ userId: alice, startedAt: new Date('2026-02-28T18:40:00Z'), seconds: 60 }),
  ])
  if (isAdded) await portal.services.callFigures.addQueued()
  const query = { timezone: 'Asia/Kolkata' }
  const { cash } = (await portal.call('GET /api/admin/dashboard/cash', { token, query })).answer
  expect(cash.months.slice(0, 2)).toMatchObject([
    { month: '2026-03', top_ups: 100, call_revenue: 0.01, carrier_cost: 0.004, margin: 0.006 },
    { month: '2026-02', top_ups: 0, call_revenue: 0.1, carrier_cost: 0.04, margin: 0.06 },
  ])
})

it('shows credits from the review list in the month of each credit', async () => {
  const { till, alice } = await createTillWithCustomer()
  const creditAll = async (token: string) => {
    const { answer } = await till.call('GET /api/admin/payment-reviews', { token, query: { state: 'open' } })
    for (const { id } of answer.reviews) {
      const body = { action: 'credit' as const, reason: 'test', user_id: alice.id }
      const request = { token, params: { id }, body }
      expect(await till.call('POST /api/admin/payment-reviews/:id/resolve', request)).toMatchObject({
        status: 200,
      })
    }
  }
  const { trackId } = await till.topUp(alice, 100)
  await till.lever(`pay/${trackId}`, { amount: 30 })
  await creditAll((await newAdmin(till)).token)
  till.clock.advance(32 * DAY)
  // Earlier sessions have expired.
  const { token } = await newAdmin(till, 'later')
  await till.lever(`pay/${trackId}`, { amount: 20 })
  await till.payUnknown(77)
  await creditAll(token)
  till.clock.advance(1)
  const query = { timezone: 'UTC' }
  const { cash } = (await till.call('GET /api/admin/dashboard/cash', { token, query })).answer
  expect(cash.months.map(({ top_ups }) => top_ups).filter((amount) => amount > 0)).toEqual([97, 30])
  const { today } = (await till.call('GET /api/admin/dashboard/today', { token, query })).answer
  expect(today.top_ups.today).toBe(97)
  await till.expectBooksToAddUp()
})
