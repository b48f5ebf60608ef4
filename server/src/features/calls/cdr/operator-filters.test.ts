import { ownDataOf } from '@trunkline/domain/access'
import { micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { createTestLedger, systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { DAY } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { insertCdrs, type NewCdr } from './cdr-store.ts'
import { type CdrFilter, matchesFilter } from './filter-store.ts'
import { listCdrs } from './list-store.ts'
import { createCdrMonths } from './months.ts'
import { addUp } from './totals.ts'

type Query = Record<string, string | number>

async function portalWith(calls: readonly NewCdr[]) {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'root', { isAdmin: true })
  await insertCdrs(portal.services.db, systemOwner, calls)
  const list = async (query: Query) => {
    const { answer } = await portal.call('GET /api/admin/cdr', { token, query: { limit: 500, ...query } })
    return answer.records
  }
  const totals = async (query: Query) =>
    (await portal.call('GET /api/admin/cdr/totals', { token, query })).answer.totals
  const csv = (query: Query) =>
    portal.api.inject({
      url: `/api/admin/cdr.csv?${new URLSearchParams(query as Record<string, string>)}`,
      headers: { authorization: `Bearer ${token}` },
    })
  return { portal, token, list, totals, csv }
}

describe('filters of administrators', () => {
  const calls = [
    aCdr({ callId: 'sw1/good', startedAt: new Date('2026-03-01T10:00:00Z'), trunkId: 3, routeId: 7 }),
    aCdr({
      callId: 'sw1/loss',
      startedAt: new Date('2026-03-01T10:10:00Z'),
      trunkId: 4,
      routeId: 8,
      buyMicros: micros(10_001n),
      callerId: '442079460000',
    }),
    aCdr({
      callId: 'sw1/failed',
      startedAt: new Date('2026-03-01T10:20:00Z'),
      status: 'failed',
      reason: 'carrier_failed',
      sipCode: 503,
      trunkId: 3,
      routeId: 7,
      sourceAddress: '2001:db8::10',
      device: 'Yealink SIP-T54W 96.86',
    }),
    aCdr({
      callId: 'sw1/refused',
      startedAt: new Date('2026-03-01T10:30:00Z'),
      status: 'refused',
      reason: 'no_balance',
      sipCode: 402,
      routeId: null,
      callerId: '',
      attempts: [],
    }),
  ]
  const asked: [string, Query, string[]][] = [
    ['carrier', { trunk: 3 }, ['failed', 'good']],
    ['no route', { without: 'route' }, ['refused']],
    ['no caller ID', { without: 'caller' }, ['refused']],
    ['no country', { without: 'country' }, []],
    ['route', { route: 8 }, ['loss']],
    ['SIP code', { sip_code: 503 }, ['failed']],
    ['reason', { reason: 'no_balance' }, ['refused']],
    ['whole caller ID', { caller_id: '+44 20 7946 0000' }, ['loss']],
    ['first digits of the caller ID', { caller_id: '1202' }, ['failed', 'good']],
    ['digits inside the caller ID', { caller_id: '2025550100' }, []],
    ['source address', { source_address: '2001:db8::10' }, ['failed']],
    ['first letters of the device, in another case', { device: 'yealink sip-T' }, ['failed']],
    ['letters inside the device', { device: 'SIP' }, []],
    ['margin below zero', { margin_below: 0 }, ['loss']],
    [
      'margin from a loss up',
      { min_margin: -0.000001, margin_below: 0.000001 },
      ['refused', 'failed', 'loss'],
    ],
    ['margin from, which is included', { min_margin: 0.006 }, ['good']],
    ['carrier, SIP code and hour', { trunk: 3, sip_code: 503, from: '2026-03-01T10:00:00Z' }, ['failed']],
    ['another hour', { trunk: 3, from: '2026-03-01T11:00:00Z', to: '2026-03-01T12:00:00Z' }, []],
  ]

  it('apply to the list, the totals and the export', async () => {
    const { list, totals, csv } = await portalWith(calls)
    for (const [what, query, names] of asked) {
      const found = (await list(query)).map(({ uniqueid }) => uniqueid.slice(4))
      expect({ what, found }).toEqual({ what, found: names })
      expect({ what, ...(await totals(query)) }).toMatchObject({ what, calls: names.length })
      const lines = (await csv(query)).body.trim().split('\n').slice(1)
      expect({ what, lines: lines.length }).toEqual({ what, lines: names.length })
    }
  })

  it('tell calls that a carrier answered from those that it failed and another one completed', async () => {
    const tried = (trunk: number, code: number) => ({ trunk, name: `Carrier ${trunk}`, code, reason: '' })
    const at = (minute: number) => ({ startedAt: new Date(`2026-03-01T10:0${minute}:00Z`) })
    const { list, totals, csv } = await portalWith([
      aCdr({ callId: 'sw1/good', ...at(0), trunkId: 3 }),
      aCdr({ callId: 'sw1/rescued', ...at(1), trunkId: 4, attempts: [tried(3, 503), tried(4, 200)] }),
      aCdr({ callId: 'sw1/busy', ...at(2), status: 'busy', trunkId: 3, attempts: [tried(3, 486)] }),
      aCdr({
        callId: 'sw1/missed',
        ...at(3),
        status: 'no-answer',
        direction: 'in',
        attempts: [tried(-1, 480)],
      }),
    ])
    const expected: [Query, string[]][] = [
      [{ trunk: 3 }, ['busy', 'rescued', 'good']],
      [{ trunk: 3, carrier_result: 'answered' }, ['good']],
      [{ trunk: 3, carrier_result: 'failed' }, ['busy', 'rescued']],
      [{ trunk: 4, carrier_result: 'failed' }, []],
      [{ carrier_result: 'failed' }, ['busy', 'rescued']],
      [{ carrier_result: 'answered' }, ['rescued', 'good']],
    ]
    for (const [query, names] of expected) {
      expect((await list(query)).map(({ uniqueid }) => uniqueid.slice(4))).toEqual(names)
      expect((await totals(query)).calls).toBe(names.length)
      expect((await csv(query)).body.trim().split('\n')).toHaveLength(names.length + 1)
    }
  })

  it('are refused if they are not valid', async () => {
    const { portal, token } = await portalWith([])
    const wrong: Query[] = [
      { trunk: 0 },
      { route: 'x' },
      { carrier_result: 'lost' },
      { without: 'status' },
      { sip_code: 99 },
      { sip_code: 700 },
      { reason: 'bad luck' },
      { caller_id: 'alice' },
      { caller_id: '+' },
      { source_address: '' },
      { device: ' ' },
      { min_margin: 'much' },
      { margin_below: 0.0000001 },
    ]
    for (const query of wrong)
      for (const address of ['GET /api/admin/cdr', 'GET /api/admin/cdr/totals'] as const)
        expect({ query, ...(await portal.call(address, { token, query })) }).toMatchObject({
          query,
          status: 400,
          code: 'invalid_input',
        })
  })

  it('show carrier and SIP code in the list', async () => {
    const { list } = await portalWith(calls)
    expect((await list({ sip_code: 503 }))[0]).toMatchObject({ trunk_id: 3, sip_code: 503 })
    expect((await list({ sip_code: 402 }))[0]).toMatchObject({ trunk: null, trunk_id: null, sip_code: 402 })
  })
})

const START = Date.parse('2026-02-26T00:00:00Z')
const MINUTE = 60_000
const NOW = new Date('2026-03-01T12:00:00Z')

/** Calls of four days, up to the current one. */
const randomCalls = (users: readonly number[]): NewCdr[] =>
  fc
    .sample(
      fc.record({
        minute: fc.nat(3 * 1_440 + 700),
        userId: fc.constantFrom(...users, null),
        isAnswered: fc.boolean(),
        trunkId: fc.constantFrom(1, 2, 3, null),
        routeId: fc.constantFrom(1, 2, null),
        ratePrefix: fc.constantFrom('44', '4420', null),
        attempts: fc.array(
          fc.record({
            trunk: fc.constantFrom(1, 2, 4),
            name: fc.constant('Carrier'),
            code: fc.constant(503),
            reason: fc.constant(''),
          }),
          { maxLength: 2 },
        ),
        sipCode: fc.constantFrom(404, 486, 503, null),
        reason: fc.constantFrom('busy', 'no_answer', 'carrier_failed' as const),
        callerId: fc.constantFrom('', '1', '12025550100', '12025550199', '442079460000'),
        sourceAddress: fc.constantFrom('192.0.2.1', '192.0.2.10'),
        device: fc.constantFrom('', 'Yealink T54W', 'YEASTAR P560', 'ÿ phone'),
        seconds: fc.integer({ min: 1, max: 300 }),
        buyMicros: fc.integer({ min: 0, max: 60_000 }),
      }),
      { numRuns: 300, seed: 32 },
    )
    .map(({ minute, isAnswered, seconds, buyMicros, reason, sipCode, ...facts }) =>
      aCdr({
        ...facts,
        startedAt: new Date(START + minute * MINUTE),
        ...(isAnswered
          ? { seconds, buyMicros: micros(BigInt(buyMicros)) }
          : { status: 'failed', reason, sipCode }),
      }),
    )

const anyMoment = fc
  .tuple(fc.nat(4 * 1_440), fc.constantFrom(1, 60, 1_440))
  .map(([minute, step]) => new Date(START + Math.floor(minute / step) * step * MINUTE))

/** At most three filters: with more, hardly any call fits. */
const anyFilter = (users: readonly number[]): fc.Arbitrary<CdrFilter> => {
  const any = {
    from: anyMoment,
    to: anyMoment,
    userId: fc.constantFrom(...users),
    status: fc.constantFrom('completed', 'failed' as const),
    trunkId: fc.constantFrom(1, 2, 9),
    routeId: fc.constantFrom(1, 2, 9),
    ratePrefix: fc.constantFrom('44', '4420', '9'),
    sipCode: fc.constantFrom(200, 486, 503),
    reason: fc.constantFrom('hung_up_by_caller', 'busy' as const),
    callerId: fc.constantFrom('1', '1202', '12025550100', '9'),
    sourceAddress: fc.constantFrom('192.0.2.1', '192.0.2.10'),
    device: fc.constantFrom('yea', 'Yealink t', 'P560', 'ÿ'),
    minMarginMicros: fc.constantFrom(-20_000n, 0n, 1n).map(micros),
    marginBelowMicros: fc.constantFrom(0n, 1n, 20_000n).map(micros),
  }
  const names = Object.keys(any) as (keyof typeof any)[]
  return fc
    .tuple(fc.record(any), fc.subarray(names, { minLength: 1, maxLength: 3 }))
    .map(([filter, chosen]) => Object.fromEntries(chosen.map((name) => [name, filter[name]])))
}

/** The filter in TypeScript, as an independent check of the SQL. */
const fits = (call: NewCdr, filter: CdrFilter): boolean => {
  const margin = call.costMicros - call.buyMicros
  const same = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value
  return (
    (filter.from === undefined || call.startedAt >= filter.from) &&
    (filter.to === undefined || call.startedAt < filter.to) &&
    same(filter.userId, call.userId) &&
    same(filter.status, call.status) &&
    (same(filter.trunkId, call.trunkId) || call.attempts.some(({ trunk }) => trunk === filter.trunkId)) &&
    same(filter.routeId, call.routeId) &&
    same(filter.ratePrefix, call.ratePrefix) &&
    same(filter.sipCode, call.sipCode) &&
    same(filter.reason, call.reason) &&
    same(filter.sourceAddress, call.sourceAddress) &&
    call.callerId.startsWith(filter.callerId ?? '') &&
    call.device.toLowerCase().startsWith(filter.device?.toLowerCase() ?? '') &&
    (filter.minMarginMicros === undefined || margin >= filter.minMarginMicros) &&
    (filter.marginBelowMicros === undefined || margin < filter.marginBelowMicros)
  )
}

const PAGE = 100

async function allPages(db: Database, owner: typeof systemOwner, filter: CdrFilter) {
  const rows: Awaited<ReturnType<typeof listCdrs>> = []
  for (;;) {
    const last = rows.at(-1)
    const after = last && { startedAt: last.started_at, callId: last.call_id }
    const page = await listCdrs(db, owner, filter, { after, limit: PAGE, now: NOW })
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

it('totals equal the sum of the listed records, and both equal the filter in TypeScript', async () => {
  const { db, newUser } = await createTestLedger()
  const users = [await newUser(), await newUser()]
  const calls = randomCalls(users)
  await insertCdrs(db, systemOwner, calls)
  await fc.assert(
    fc.asyncProperty(anyFilter(users), async (filter) => {
      const expected = calls.filter((call) => fits(call, filter))
      const rows = await allPages(db, systemOwner, filter)
      expect(rows.map(({ call_id }) => call_id).sort()).toEqual(expected.map(({ callId }) => callId).sort())
      expect(await addUp(db, systemOwner, filter, NOW)).toEqual({
        calls: rows.length,
        completed: rows.filter(({ status }) => status === 'completed').length,
        seconds: rows.reduce((sum, { seconds }) => sum + seconds, 0),
        costMicros: rows.reduce((sum, { cost_micros }) => sum + cost_micros, 0n),
        isCapped: false,
      })
    }),
    { numRuns: 120 },
  )
})

describe('nightly indexes', () => {
  /** 4,000 calls in each of two months, with one exceptional call in each. */
  async function twoMonths() {
    const { db, clock, newUser } = await createTestLedger()
    const months = createCdrMonths(db, clock, pino({ level: 'silent' }))
    await months.makeAhead()
    clock.advance(40 * DAY)
    const many = (day: string) =>
      Array.from({ length: 4_000 }, (_, index) => {
        const startedAt = new Date(Date.parse(`2026-${day}T00:00:00Z`) + index * 10_000)
        return index === 2_000
          ? aCdr({
              startedAt,
              routeId: 99,
              sourceAddress: '203.0.113.9',
              device: 'Snom',
              callerId: '4930123',
              ...lossOf(98),
            })
          : aCdr({ startedAt, callerId: String(12_025_550_000 + index), routeId: 1 + (index % 3) })
      })
    const failed = ['03-05', '04-05'].map((day) =>
      aCdr({
        startedAt: new Date(`2026-${day}T23:00:00Z`),
        status: 'failed',
        reason: 'rejected',
        sipCode: 603,
      }),
    )
    await insertCdrs(db, systemOwner, [...many('03-05'), ...many('04-05'), ...failed])
    await months.tidy()
    return { db, clock, newUser }
  }
  const lossOf = (trunkId: number) => ({ trunkId, buyMicros: micros(500_000n) })
  const rare: [string, CdrFilter, index?: string][] = [
    ['carrier', { trunkId: 98 }],
    ['route', { routeId: 99 }],
    ['SIP code', { sipCode: 603 }],
    ['reason', { reason: 'rejected' }],
    ['caller ID', { callerId: '4930' }, 'callers'],
    ['source address', { sourceAddress: '203.0.113.9' }],
    ['device', { device: 'snom' }, 'devices'],
    ['margin', { marginBelowMicros: micros(0n) }, 'margins'],
    [
      'both bounds of the margin',
      { minMarginMicros: micros(-600_000n), marginBelowMicros: micros(0n) },
      'margins',
    ],
    ['carrier and SIP code', { trunkId: 98, sipCode: 603 }],
  ]

  it('find rare calls without reading the others', async () => {
    const { db } = await twoMonths()
    const to = new Date('2026-04-10')
    for (const [what, filter, index = 'facts'] of rare) {
      const plan = await sql<{ 'QUERY PLAN': string }>`
        explain select * from cdrs where ${matchesFilter(systemOwner, { ...filter, to })}
         order by started_at desc, call_id desc limit 51`.execute(db)
      const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      expect({ what, lines }).toEqual({ what, lines: expect.stringContaining(`m2026_03_${index}`) })
      expect({ what, lines }).toEqual({ what, lines: expect.stringContaining(`m2026_04_${index}_10`) })
      expect({ what, lines }).toEqual({ what, lines: expect.not.stringMatching(/Seq Scan on m2026_0[34]/) })
    }
  })

  it('do not replace the order of the list for common values', async () => {
    const { db } = await twoMonths()
    const filter = { trunkId: 1, routeId: 1, to: new Date('2026-04-10') }
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain select * from cdrs where ${matchesFilter(systemOwner, filter)}
       order by started_at desc, call_id desc limit 51`.execute(db)
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines).toMatch(/Index Scan Backward using m2026_04_pkey/)
    expect(lines).not.toMatch(/-> +Sort|Seq Scan on m2026_0[34]/)
  })

  it('give the same records as no index, also for the calls of today', async () => {
    const { db, clock } = await twoMonths()
    const today = clock.now()
    await insertCdrs(db, systemOwner, [
      aCdr({ callId: 'sw1/today', startedAt: new Date(today.getTime() - 1_000), ...lossOf(98) }),
    ])
    const found = async (filter: CdrFilter) =>
      (await listCdrs(db, systemOwner, filter, { limit: 10, now: today })).map(({ call_id }) => call_id)
    expect(await found({ trunkId: 98 })).toHaveLength(3)
    expect((await found({ trunkId: 98 }))[0]).toBe('sw1/today')
    expect(await found({ sipCode: 603, reason: 'rejected' })).toHaveLength(2)
    expect((await addUp(db, systemOwner, { marginBelowMicros: micros(0n) }, today)).calls).toBe(3)
  })

  it('never show records of another owner', async () => {
    const { db, clock, newUser } = await twoMonths()
    const owner = ownDataOf({ userId: await newUser(), isAdmin: false })
    for (const [what, filter] of rare) {
      const rows = await listCdrs(db, owner, filter, { limit: 10, now: clock.now() })
      expect({ what, rows }).toEqual({ what, rows: [] })
    }
  })
})
