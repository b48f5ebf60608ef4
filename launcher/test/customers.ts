import { system } from '@trunkline/domain/access'
import { dollars } from '@trunkline/domain/money'
import { createLedger } from '@trunkline/server/features/money/ledger/service'
import { systemClock } from '@trunkline/server/platform/clock'
import type { Database } from '@trunkline/server/platform/database'

const CUSTOMERS = 25
export const PRICE_PER_SECOND = 1_000n
export const FIRST_BALANCE = dollars(1_000)

/** All customers pay six cents per minute and start with the same balance. */
export async function createCustomers(db: Database): Promise<string[]> {
  const now = systemClock.now()
  const stamps = { created_at: now, updated_at: now }
  const plan = await db
    .insertInto('plans')
    .values({ name: 'Gold CLI', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const trunk = await db
    .insertInto('trunks')
    .values({ name: 'Carrier', host: '192.0.2.1', capacity: 10_000, buy_rate_micros: 1_000n, ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('trunk_plans').values({ trunk_id: trunk.id, plan_id: plan.id }).execute()
  const route = await db
    .insertInto('routes')
    .values({
      country: 'GB',
      name: 'UK Gold',
      plan_id: plan.id,
      price_micros: PRICE_PER_SECOND * 60n,
      ...stamps,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const names = Array.from({ length: CUSTOMERS }, (_, index) => `caller-${index}`)
  const ledger = createLedger(db, systemClock)
  for (const username of names) {
    const { id } = await db
      .insertInto('users')
      .values({ username, password_hash: '', created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('caller_ids')
      .values({ user_id: id, callerid: '12025550100', updated_at: now })
      .execute()
    await db
      .insertInto('caller_id_requests')
      .values({
        user_id: id,
        callerid: '12025550100',
        state: 'approved',
        requested_at: now,
        decided_at: now,
      })
      .execute()
    await db
      .insertInto('selected_routes')
      .values({ user_id: id, country: 'GB', route_id: route.id, selected_at: now })
      .execute()
    await db
      .insertInto('guards')
      .values({
        user_id: id,
        set_by: 'admin',
        updated_at: now,
        daily_spend_micros: dollars(1_000_000),
        max_concurrent_calls: 10_000,
        max_calls_per_second: 10_000,
      })
      .execute()
    await ledger.post(system('test'), {
      kind: 'top_up',
      key: `fund ${id}`,
      userId: id,
      reference: 'test',
      amountMicros: FIRST_BALANCE,
    })
  }
  return names
}
