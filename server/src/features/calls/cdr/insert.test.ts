import { micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createTestLedger, faultsOf, systemOwner } from '../../../../test/ledger.ts'
import type { Database } from '../../../platform/database.ts'
import { checkSums } from '../books/sums-checks-store.ts'
import { insertCdrs, type NewCdr } from './cdr-store.ts'

const faults = async (db: Database) => (await checkSums(db, systemOwner)).flatMap((check) => check.faults)

describe('inserting records', () => {
  it('inserts and counts a repeated call once', async () => {
    const { db, newUser } = await createTestLedger()
    const userId = await newUser()
    const first = aCdr({ userId })
    const second = aCdr({ userId, status: 'busy' })
    expect(await insertCdrs(db, systemOwner, [first, second])).toEqual(new Set([first.callId, second.callId]))
    expect(await insertCdrs(db, systemOwner, [second, first])).toEqual(new Set())
    const third = aCdr({ userId, costMicros: micros(7n) })
    expect(await insertCdrs(db, systemOwner, [first, third, third])).toEqual(new Set([third.callId]))
    const { rows } =
      await sql`select calls, completed, busy, seconds, cost_micros from account_hours`.execute(db)
    expect(rows).toEqual([{ calls: 3, completed: 2, busy: 1, seconds: 120n, cost_micros: 10_007n }])
    expect((await sql`select from cdrs`.execute(db)).rows).toHaveLength(3)
  })

  it('stores every field unchanged', async () => {
    const { db, newUser } = await createTestLedger()
    const attempts = [{ trunk: 4, name: 'B "quoted" \\ 日本', code: 503, reason: "it's full" }]
    const given = aCdr({
      userId: await newUser(),
      attempts,
      dialed: '+44 20 7946 0000\u0000\ud800',
      ratePrefix: '4420',
    })
    await insertCdrs(db, systemOwner, [given])
    const { rows } = await sql<Record<string, unknown>>`select * from cdrs`.execute(db)
    expect(rows[0]).toMatchObject({
      call_id: given.callId,
      attempts,
      // Characters that PostgreSQL cannot store are removed.
      dialed: '+44 20 7946 0000\ufffd',
      rate_prefix: '4420',
      price_micros: 10_000n,
      started_at: given.startedAt,
      answered_at: given.answeredAt,
      cost_micros: 10_000n,
      hung_up_by: 'caller',
    })
  })

  it('counts calls of unknown callers only in platform sums', async () => {
    const { db } = await createTestLedger()
    await insertCdrs(db, systemOwner, [
      aCdr({ status: 'refused', reason: 'unknown_caller', country: null, routeId: null, attempts: [] }),
    ])
    expect((await sql`select from account_hours`.execute(db)).rows).toEqual([])
    expect((await sql`select from account_days`.execute(db)).rows).toEqual([])
    const { rows } = await sql`select calls, refused from platform_hours`.execute(db)
    expect(rows).toEqual([{ calls: 1, refused: 1 }])
  })

  it('counts every attempted trunk, and the answering one once', async () => {
    const { db } = await createTestLedger()
    const failed = { trunk: 7, name: 'A', code: 503, reason: '' }
    const talked = { trunk: 8, name: 'B', code: 200, reason: 'OK' }
    await insertCdrs(db, systemOwner, [
      aCdr({ trunkId: 8, attempts: [failed] }),
      aCdr({ trunkId: 8, attempts: [failed, talked] }),
      aCdr({ status: 'busy', attempts: [failed, { ...talked, code: 486 }] }),
    ])
    const { rows } = await sql`
      select trunk_id, attempts, answered, unreached, seconds from trunk_days order by trunk_id`.execute(db)
    expect(rows).toEqual([
      { trunk_id: 7, attempts: 3, answered: 0, unreached: 0, seconds: 0n },
      { trunk_id: 8, attempts: 3, answered: 2, unreached: 1, seconds: 120n },
    ])
  })

  it('rejects an unanswered call with a cost', async () => {
    const { db } = await createTestLedger()
    await expect(
      insertCdrs(db, systemOwner, [aCdr({ status: 'busy', costMicros: micros(1n) })]),
    ).rejects.toThrow('cdrs_unanswered_is_free')
    await expect(insertCdrs(db, systemOwner, [aCdr({ answeredAt: null })])).rejects.toThrow('cdrs_completed')
    expect(await faults(db)).toEqual([])
  })
})

describe('sums', () => {
  const statuses = ['completed', 'busy', 'no-answer', 'cancelled', 'failed', 'refused'] as const
  const anyCall = fc
    .record({
      name: fc.nat(40),
      user: fc.nat(3),
      status: fc.constantFrom(...statuses),
      minute: fc.nat(4 * 24 * 60),
      country: fc.constantFrom('GB', 'US', null),
      route: fc.constantFrom(1, 2, null),
      seconds: fc.integer({ min: 1, max: 500 }),
    })
    .map(({ name, user, status, minute, country, route, seconds }) =>
      aCdr({
        callId: `sw1/${name}`,
        userId: user === 0 ? null : user,
        status,
        startedAt: new Date(Date.parse('2026-02-27T00:00:00Z') + (name + minute) * 60_000),
        country,
        routeId: route,
        ...(status === 'completed' && { seconds }),
      }),
    )

  it('equal the records after concurrent batches with repetitions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyCall, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 }),
        async (batches) => {
          const { db } = await createTestLedger()
          const written = await Promise.all(
            [...batches, ...batches.slice(0, 3)].map((batch) => insertCdrs(db, systemOwner, batch)),
          )
          const expected = new Map<string, NewCdr>()
          for (const cdr of batches.flat()) {
            const key = `${cdr.callId} ${cdr.startedAt.toISOString()}`
            if (!expected.has(key)) expected.set(key, cdr)
          }
          expect(written.reduce((sum, names) => sum + names.size, 0)).toBeLessThanOrEqual(expected.size)
          const { rows } = await sql<{ calls: number; records: number }>`
            select (select sum(calls) from platform_hours)::integer as calls,
                   (select count(*) from cdrs)::integer as records`.execute(db)
          expect(rows[0]).toEqual({ calls: expected.size, records: expected.size })
          expect(await faults(db)).toEqual([])
          // Closed here, because the connections of all runs would exceed the server's limit.
          await db.destroy()
        },
      ),
      { numRuns: 15 },
    )
  })

  it('equal a simple calculation in TypeScript', async () => {
    const { db, newUser } = await createTestLedger()
    const [alice, paula] = [await newUser(), await newUser()]
    const at = (time: string) => new Date(`2026-03-01T${time}Z`)
    await insertCdrs(db, systemOwner, [
      aCdr({ userId: alice, startedAt: at('10:59:59.999'), seconds: 30 }),
      aCdr({ userId: alice, startedAt: at('11:00:00.000'), seconds: 90 }),
      aCdr({ userId: alice, startedAt: at('23:59:59.999'), status: 'failed' }),
      aCdr({ userId: paula, startedAt: at('11:30:00.000'), country: 'US', routeId: 2 }),
    ])
    const hours = await sql`
      select user_id, hour, calls, completed, failed, seconds, cost_micros, buy_micros
        from account_hours order by user_id, hour`.execute(db)
    expect(hours.rows).toEqual([
      {
        user_id: alice,
        hour: at('10:00:00'),
        calls: 1,
        completed: 1,
        failed: 0,
        seconds: 30n,
        cost_micros: 5_000n,
        buy_micros: 2_000n,
      },
      {
        user_id: alice,
        hour: at('11:00:00'),
        calls: 1,
        completed: 1,
        failed: 0,
        seconds: 90n,
        cost_micros: 15_000n,
        buy_micros: 6_000n,
      },
      {
        user_id: alice,
        hour: at('23:00:00'),
        calls: 1,
        completed: 0,
        failed: 1,
        seconds: 0n,
        cost_micros: 0n,
        buy_micros: 0n,
      },
      {
        user_id: paula,
        hour: at('11:00:00'),
        calls: 1,
        completed: 1,
        failed: 0,
        seconds: 60n,
        cost_micros: 10_000n,
        buy_micros: 4_000n,
      },
    ])
    const days = await sql`
      select user_id, day, country, route_id, calls, seconds from account_days order by user_id`.execute(db)
    expect(days.rows).toEqual([
      { user_id: alice, day: at('00:00:00'), country: 'GB', route_id: 1, calls: 3, seconds: 120n },
      { user_id: paula, day: at('00:00:00'), country: 'US', route_id: 2, calls: 1, seconds: 60n },
    ])
  })

  it('that were tampered with are found by the ledger check', async () => {
    const { db, books, newUser } = await createTestLedger()
    await insertCdrs(db, systemOwner, [aCdr({ userId: await newUser() }), aCdr()])
    expect(faultsOf(await books.check())).toEqual([])
    await sql`update account_hours set calls = 2`.execute(db)
    await sql`delete from trunk_days`.execute(db)
    await sql`update platform_days set cost_micros = cost_micros + 1`.execute(db)
    const found = faultsOf(await books.check())
    expect(found).toHaveLength(3)
    expect(found.map((fault) => fault.split(' ')[0])).toEqual([
      'account_hours',
      'platform_days',
      'trunk_days',
    ])
  })
})
