import { generateHistory } from '@trunkline/sandbox/switch/history'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { faultsOf, systemOwner } from '../../../../test/ledger.ts'
import { createPortal } from '../../../../test/portal.ts'
import { ensureDemo } from '../../../app/demo.ts'
import { listStatement } from '../../money/ledger/statement-store.ts'
import { importPast } from './service.ts'

async function demoPortal() {
  const portal = await createPortal()
  await ensureDemo(portal.services, portal.clock)
  const past = generateHistory({ now: portal.clock.now().getTime(), days: 40, calls: 900 })
  const count = async (from: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${sql.raw(from)}`.execute(
      portal.services.db,
    )
    return rows[0]?.n ?? 0
  }
  return { portal, past, count }
}

/** Customers with calls. */
const CALLERS = '(select distinct user_id from cdrs) as callers'

describe('the demo history', () => {
  it('creates records, sums and a balanced ledger, with postings in time order', async () => {
    const { portal, past, count } = await demoPortal()
    const { db, books } = portal.services
    const written = await importPast(db, past)
    expect(written).toBeGreaterThan(past.length * 0.95)
    expect(await count('cdrs')).toBe(written)
    expect(await count('cdrs where not is_demo')).toBe(0)
    expect(await count('cdr_months.other')).toBe(0)
    expect(await count(`cdrs where status = 'completed'`)).toBeGreaterThan(written / 3)
    expect(await count(`cdrs where status = 'refused'`)).toBeGreaterThan(0)
    expect(await count(`holds where status <> 'settled'`)).toBe(0)
    expect(faultsOf(await books.check())).toEqual([])
    const { rows } = await sql<{ faults: number }>`
      select count(*)::integer as faults from cdrs full join postings on kind = 'call_settlement' and reference = call_id
       where (cost_micros > 0 and (postings.id is null or at <> ended_at)) or (kind = 'call_settlement' and call_id is null)`.execute(
      db,
    )
    expect(rows).toEqual([{ faults: 0 }])
  })

  it('charges incoming calls at the price of the number and counts the cost of its carrier', async () => {
    const { portal, past, count } = await demoPortal()
    const { db } = portal.services
    await importPast(db, past)
    const incoming = past.filter(({ from }) => from !== undefined)
    expect(await count(`cdrs where direction = 'in'`)).toBe(incoming.length)
    const { rows } = await sql<{ e164: string; calls: number; wrong: number; missed: number }>`
      select e164, count(*)::integer as calls,
             (count(*) filter (where cdrs.cost_micros <> ceil(seconds * numbers.price_micros / 60.0)
               or buy_micros <> ceil(seconds * numbers.cost_micros / 60.0)
               or cdrs.trunk_id is distinct from numbers.trunk_id
               or explanation <> 'Always: phones and browsers.'))::integer as wrong,
             (count(*) filter (where cdrs.status <> 'completed' and cdrs.cost_micros = 0))::integer as missed
        from cdrs join numbers on numbers.id = cdrs.number_id group by e164`.execute(db)
    expect(rows.map(({ e164 }) => e164).sort()).toEqual(['12125550140', '448081570120'])
    for (const { calls, wrong, missed } of rows) {
      expect(wrong).toBe(0)
      expect(missed).toBeGreaterThan(calls / 6)
    }
  })

  it('tries each carrier once, one after the other, until the call is answered or has failed', async () => {
    const { portal, past, count } = await demoPortal()
    await importPast(portal.services.db, past)
    const tried = `cdrs where status <> 'refused'`
    expect(await count(`${tried} and jsonb_array_length(attempts) = 0`)).toBe(0)
    expect(await count(`${tried} and jsonb_array_length(attempts) > 1`)).toBeGreaterThan(0)
    const attempts = `(select call_id, status, answered_at, ended_at, (attempt ->> 'trunk')::integer as trunk,
        (attempt ->> 'code')::integer as code, (attempt ->> 'at')::bigint as at, (attempt ->> 'until')::bigint as until,
        lag((attempt ->> 'until')::bigint) over (partition by call_id order by place) as before,
        lead(place) over (partition by call_id order by place) is null as is_last
      from cdrs, jsonb_array_elements(attempts) with ordinality as each (attempt, place)) as tried`
    expect(await count(`${attempts} where at is null or until is null or until < at or at < before`)).toBe(0)
    expect(
      await count(`(select from ${attempts} group by call_id, trunk having count(*) > 1) as twice`),
    ).toBe(0)
    expect(
      await count(`${attempts} where is_last and (status = 'completed') <> (code = 200)
        or is_last and until <> extract(epoch from coalesce(answered_at, ended_at)) * 1000`),
    ).toBe(0)
  })

  it('measures the speech of calls, worse over bad carriers', async () => {
    const { portal, past, count } = await demoPortal()
    await importPast(portal.services.db, past)
    const completed = `cdrs where status = 'completed'`
    const measured = await count(`${completed} and worst_mos(media) is not null`)
    expect(measured).toBeGreaterThan((await count(completed)) * 0.8)
    expect(await count(`cdrs where status <> 'completed' and media is not null`)).toBe(0)
    const poorShare = async (country: string) =>
      (await count(`${completed} and country = '${country}' and worst_mos(media) < 3.6`)) /
      (await count(`${completed} and country = '${country}' and worst_mos(media) is not null`))
    expect(await poorShare('IN')).toBeGreaterThan(0.15)
    expect(await poorShare('GB')).toBeLessThan(0.1)
  })

  it('creates a statement in time order that starts with the demo credit', async () => {
    const { portal, past } = await demoPortal()
    const { db } = portal.services
    await importPast(db, past)
    const { rows } = await sql<{ id: number }>`select id from users where username = 'alice'`.execute(db)
    const lines = (
      await listStatement(db, systemOwner, rows[0]?.id ?? 0, { before: null, limit: 1_000 })
    ).reverse()
    expect(lines[0]).toMatchObject({ kind: 'adjustment', reason: 'Demo credit', by: null })
    const times = lines.map(({ at }) => at.getTime())
    expect(times).toEqual([...times].sort((left, right) => left - right))
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.at(-1)?.balanceAfterMicros).toBeGreaterThanOrEqual(250_000_000n)
  })

  it('is imported once, even by two concurrent imports with different calls', async () => {
    const { portal, past, count } = await demoPortal()
    const { db, books } = portal.services
    const other = generateHistory({
      now: portal.clock.now().getTime() + 60_000,
      days: 30,
      calls: 300,
      seed: 5,
    })
    const results = await Promise.all([importPast(db, past), importPast(db, other)])
    expect(await count('cdrs')).toBe(results[0] + results[1])
    expect(await importPast(db, other)).toBe(0)
    expect(await count(`postings where kind = 'adjustment'`)).toBe(await count(CALLERS))
    expect(faultsOf(await books.check())).toEqual([])
  })

  it('rolls back an interrupted import and completes it the next time', async () => {
    const { portal, past, count } = await demoPortal()
    const { db, books } = portal.services
    // The end time of alice's last call is out of range, so that its insert fails.
    const broken = past.map((call, index) =>
      index === past.findLastIndex(({ username }) => username === 'alice')
        ? { ...call, settledAfterMs: 9e15 }
        : call,
    )
    await expect(importPast(db, broken)).rejects.toThrow()
    expect(await count(`cdrs where sip_account = 'alice'`)).toBe(0)
    expect(faultsOf(await books.check())).toEqual([])
    expect(await importPast(db, past)).toBeGreaterThan(0)
    expect(await count(`cdrs where sip_account = 'alice'`)).toBeGreaterThan(0)
    expect(await count(`postings where kind = 'adjustment'`)).toBe(await count(CALLERS))
    expect(faultsOf(await books.check())).toEqual([])
  })
})
