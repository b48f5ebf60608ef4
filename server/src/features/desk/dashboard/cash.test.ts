import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
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
  const pay = async (kind: string, paidAt: string, dollars: number) => {
    const { rows } = await sql<{ id: number }>`
      insert into invoices (user_id, kind, order_id, amount_micros, paid_micros, is_credited, state, created_at, paid_at)
      values (${alice}, ${kind}, ${`${kind}-${paidAt}`}, ${dollars * 1e6}, ${dollars * 1e6}, true, 'paid', ${paidAt}, ${paidAt})
      returning id`.execute(db)
    return rows[0]?.id ?? 0
  }
  const first = await pay('topup', '2026-02-28T23:30:00Z', 100)
  await pay('upgrade', '2026-03-02T00:00:00Z', 149.99)
  await pay('topup', '2026-03-03T00:00:00Z', 50)
  await pay('topup', '2025-03-31T23:59:59Z', 1_000)
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
  expect(owed).toBe(42.5)
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
