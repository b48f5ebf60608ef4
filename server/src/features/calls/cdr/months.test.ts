import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createTestLedger, systemOwner } from '../../../../test/ledger.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { checkSums } from '../books/sums-checks-store.ts'
import { insertCdrs } from './cdr-store.ts'
import { matchesFilter } from './filter-store.ts'
import { listCdrs } from './list-store.ts'
import { createCdrMonths } from './months.ts'

async function createTestMonths() {
  const { db, clock } = await createTestLedger()
  return { db, clock, months: createCdrMonths(db, clock, pino({ level: 'silent' })) }
}

async function createMonthsAhead() {
  const made = await createTestMonths()
  await made.months.makeAhead()
  return made
}

async function tablesOf(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'cdrs'::regclass order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const counted = await sql<{
      n: number
    }>`select count(*)::integer as n from ${sql.id('cdr_months', name)}`.execute(db)
    counts[name] = counted.rows[0]?.n ?? 0
  }
  return counts
}

describe('months of call records', () => {
  it('are created ahead, once, even by two concurrent servers', async () => {
    const { db, clock, months } = await createTestMonths()
    await Promise.all([months.makeAhead(), months.makeAhead()])
    expect(await tablesOf(db)).toEqual({ m2026_03: 0, m2026_04: 0, m2026_05: 0, m2026_06: 0, other: 0 })
    clock.advance(31 * DAY)
    await months.makeAhead()
    expect(Object.keys(await tablesOf(db))).toContain('m2026_07')
  })

  it('start and end at UTC month boundaries', async () => {
    const { db } = await createMonthsAhead()
    await insertCdrs(db, systemOwner, [
      aCdr({ startedAt: new Date('2026-03-31T23:59:59.999Z') }),
      aCdr({ startedAt: new Date('2026-04-01T00:00:00.000Z') }),
    ])
    expect(await tablesOf(db)).toMatchObject({ m2026_03: 1, m2026_04: 1, other: 0 })
  })

  it('take over records from the default partition without loss or double counting', async () => {
    const { db, months } = await createTestMonths()
    const calls = ['2025-11-30', '2026-02-10', '2026-03-01', '2026-03-15', '2031-01-01'].map((day) =>
      aCdr({ startedAt: new Date(`${day}T10:00:00Z`) }),
    )
    await insertCdrs(db, systemOwner, calls)
    expect(await tablesOf(db)).toEqual({ other: 5 })
    await months.makeAhead()
    expect(await tablesOf(db)).toMatchObject({ m2025_11: 1, m2026_02: 1, m2026_03: 2, m2031_01: 1, other: 0 })
    expect(await insertCdrs(db, systemOwner, calls)).toEqual(new Set())
    expect(await listCdrs(db, systemOwner, {}, { limit: 10, now: new Date('2026-03-01') })).toHaveLength(5)
    expect((await checkSums(db, systemOwner)).flatMap(({ faults }) => faults)).toEqual([])
  })

  const searchIndexes = async (db: Database) => {
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where schemaname = 'cdr_months' and indexname like '%numbers%' order by 1`.execute(
      db,
    )
    return rows.map(({ name }) => name)
  }

  it('have a search index up to today, and a complete one when they are over', async () => {
    const { db, clock, months } = await createMonthsAhead()
    await months.tidy()
    // On March 1, no day of the month is over.
    expect(await searchIndexes(db)).toEqual(['m2026_03_numbers_01_12'])
    clock.advance(5 * DAY)
    await months.tidy()
    expect(await searchIndexes(db)).toEqual(['m2026_03_numbers_06', 'm2026_03_numbers_06_12'])
    clock.advance(DAY)
    await months.tidy()
    await months.tidy()
    expect(await searchIndexes(db)).toEqual(['m2026_03_numbers_07', 'm2026_03_numbers_07_12'])
    clock.advance(26 * DAY)
    await months.tidy()
    expect(await searchIndexes(db)).toEqual([
      'm2026_03_numbers',
      'm2026_04_numbers_02',
      'm2026_04_numbers_02_12',
    ])
  })

  it('take new records while a reader delays the end of an old index', async () => {
    const { db, clock, months } = await createMonthsAhead()
    await months.tidy()
    clock.advance(5 * DAY)
    const names = await searchIndexes(db)
    let tidied: Promise<void> | undefined
    const written = await db.transaction().execute(async (reader) => {
      await sql`select from cdrs where started_at >= '2026-03-01'`.execute(reader)
      tidied = months.tidy()
      const waits = sql`
        select from pg_stat_activity where datname = current_database() and query ilike '%index%' and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waits.execute(db)).rows.length).toBeGreaterThan(0)
      return insertCdrs(db, systemOwner, [aCdr({ startedAt: new Date('2026-03-05T10:00:00Z') })])
    })
    expect(written.size).toBe(1)
    await tidied
    expect(await searchIndexes(db)).not.toEqual(names)
  })

  it('have an index of the hours of today, which the index of the day replaces', async () => {
    const { db, clock, months } = await createMonthsAhead()
    await months.tidy()
    expect(await searchIndexes(db)).toEqual(['m2026_03_numbers_01_12'])
    clock.advance(DAY)
    await months.tidy()
    expect(await searchIndexes(db)).toEqual(['m2026_03_numbers_02', 'm2026_03_numbers_02_12'])
    clock.advance(HOUR)
    const others = Array.from({ length: 2_000 }, (_, index) =>
      aCdr({
        startedAt: new Date('2026-03-02T10:00:00Z'),
        destination: String(441_000_000_000 + index * 7_919),
      }),
    )
    await insertCdrs(db, systemOwner, others)
    await months.tidy()
    expect(await searchIndexes(db)).toEqual(['m2026_03_numbers_02', 'm2026_03_numbers_02_13'])
    const call = (callId: string, at: number) =>
      aCdr({ callId, startedAt: new Date(clock.now().getTime() - at), destination: '33142685300' })
    const early = [call('now', 1_000), call('hour', HOUR), call('day', 6 * HOUR), call('old', DAY)]
    await insertCdrs(db, systemOwner, early)
    const filter = { search: '142685300', from: new Date('2026-03-02'), to: new Date('2026-03-02T13:00:00Z') }
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain select from cdrs where ${matchesFilter(systemOwner, filter, true)}`.execute(db)
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('m2026_03_numbers_02_13')
    for (let minutes = 0; minutes < 60; minutes += 15) {
      const found = await listCdrs(db, systemOwner, { search: '142685300' }, { limit: 10, now: clock.now() })
      expect(found.map(({ call_id }) => call_id)).toEqual(['now', 'hour', 'day', 'old'])
      clock.advance(15 * MINUTE)
    }
  })

  it('return the same search results with and without an index, across today and month boundaries', async () => {
    const { db, clock, months } = await createMonthsAhead()
    clock.advance(40 * DAY)
    const days = ['03-02', '03-31', '04-01', '04-09', '04-10']
    await insertCdrs(
      db,
      systemOwner,
      days.map((day) =>
        aCdr({
          callId: `sw1/${day}`,
          startedAt: new Date(`2026-${day}T00:00:00Z`),
          destination: '33142685300',
        }),
      ),
    )
    const found = async (more = {}) =>
      (await listCdrs(db, systemOwner, { search: '4268', ...more }, { limit: 10, now: clock.now() })).map(
        ({ call_id }) => call_id.slice(4),
      )
    const asked = [
      {},
      { from: new Date('2026-04-01') },
      { to: new Date('2026-04-10') },
      { from: new Date('2026-03-31'), to: new Date('2026-04-10T00:00:00.001Z') },
      { search: '+33 1 42 68' },
      { search: '142685300' },
      { search: '142685301' },
    ]
    const without = []
    for (const more of asked) without.push(await found(more))
    expect(without[0]).toEqual([...days].reverse())
    expect(without.map((names) => names.length)).toEqual([5, 3, 4, 4, 5, 5, 0])
    await months.tidy()
    for (const [index, more] of asked.entries()) expect(await found(more)).toEqual(without[index])
  })

  it('are searched through the index', async () => {
    const { db, clock, months } = await createMonthsAhead()
    clock.advance(40 * DAY)
    const many = (day: string) =>
      Array.from({ length: 2_000 }, (_, index) =>
        aCdr({
          startedAt: new Date(`2026-${day}T10:00:00Z`),
          destination: String(441_000_000_000 + index * 7_919),
        }),
      )
    await insertCdrs(db, systemOwner, [...many('03-05'), ...many('04-05')])
    await months.tidy()
    const filter = { search: '42685301', to: new Date('2026-04-10') }
    for (const isIndexed of [false, true]) {
      const plan = await sql<{ 'QUERY PLAN': string }>`
        explain select from cdrs where ${matchesFilter(systemOwner, filter, isIndexed)}`.execute(db)
      const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(lines).toContain('m2026_03_numbers')
      expect(lines).toContain('m2026_04_numbers_10')
    }
  })

  it('get a new index after an interrupted creation', async () => {
    const { db, clock, months } = await createMonthsAhead()
    clock.advance(33 * DAY)
    await months.tidy()
    const index = sql`'cdr_months.m2026_03_numbers'::regclass`
    await sql`update pg_index set indisvalid = false where indexrelid = ${index}`.execute(db)
    await months.tidy()
    const { rows } = await sql`select indisvalid from pg_index where indexrelid = ${index}`.execute(db)
    expect(rows).toEqual([{ indisvalid: true }])
  })
})

describe('shards of sums', () => {
  it('are merged when their period is over, and late records are added', async () => {
    const { db, clock, months } = await createTestMonths()
    const startedAt = new Date('2026-02-20T10:30:00Z')
    await insertCdrs(db, systemOwner, [aCdr({ startedAt }), aCdr({ startedAt, status: 'busy' })])
    // As if written by other connections. The shard of a connection is random.
    for (const table of ['platform_hours', 'platform_days', 'trunk_days'])
      await sql`update ${sql.table(table)} set shard = case shard when 5 then 6 else 5 end`.execute(db)
    await insertCdrs(db, systemOwner, [aCdr({ startedAt }), aCdr({ startedAt: clock.now() })])
    const shards = async (table: string) =>
      (await sql<{ shard: number }>`select distinct shard from ${sql.table(table)} order by 1`.execute(db))
        .rows.length
    expect(await shards('platform_hours')).toBeGreaterThan(1)
    await months.tidy()
    for (const table of ['platform_hours', 'platform_days', 'trunk_days']) {
      const old = await sql<{ shard: number; rows: number }>`
        select shard, count(*)::integer as rows from ${sql.table(table)}
         where ${sql.ref(table === 'platform_hours' ? 'hour' : 'day')} < '2026-02-25' group by shard`.execute(
        db,
      )
      expect({ table, rows: old.rows }).toEqual({ table, rows: [{ shard: 0, rows: 1 }] })
    }
    await insertCdrs(db, systemOwner, [aCdr({ startedAt })])
    await months.tidy()
    expect((await checkSums(db, systemOwner)).flatMap(({ faults }) => faults)).toEqual([])
  })
})
