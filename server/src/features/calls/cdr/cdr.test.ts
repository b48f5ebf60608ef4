import { micros } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { aCdr, outgoing } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, type Portal, signUp } from '../../../../test/portal.ts'
import { insertCdrs, type NewCdr } from './cdr-store.ts'

const heard = (mos: number | null) => ({
  codec: 'PCMA/8000',
  packetsSent: 500,
  reports: 5,
  mos,
  lowestMos: mos,
  lossPercent: 1.5,
  lostPackets: 7,
  jitterMs: 3,
  highestJitterMs: 9,
  roundTripMs: 40,
})
const at = (moment: string) => new Date(`2026-${moment}Z`)

async function portalWith(make: (userId: number) => NewCdr[]) {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const admin = await signUp(portal, 'root', { isAdmin: true })
  await insertCdrs(portal.services.db, systemOwner, make(alice.id))
  const list = (query: Record<string, string | number> = {}) =>
    portal.call('GET /api/cdr', { token: alice.token, query })
  const totals = async (query: Record<string, string | number> = {}) =>
    (await portal.call('GET /api/cdr/totals', { token: alice.token, query })).answer.totals
  return { portal, alice, admin, list, totals }
}

/** Reads all pages. */
async function allPages(
  portal: Portal,
  token: string,
  asked: Record<string, string | number>,
): Promise<string[][]> {
  const pages: string[][] = []
  const query = { ...asked }
  for (;;) {
    const { answer } = await portal.call('GET /api/cdr', { token, query })
    pages.push(answer.records.map(({ uniqueid }) => uniqueid))
    if (answer.next === null) return pages
    query.cursor = answer.next
  }
}

describe('a record', () => {
  it('has the fields of the specification and of the export', async () => {
    const given = aCdr({ startedAt: at('03-01T11:00:00.123') })
    const { list } = await portalWith((userId) => [{ ...given, userId }])
    const { answer } = await list()
    expect(answer).toEqual({
      records: [
        {
          id: expect.any(String),
          uniqueid: given.callId,
          date: '2026-03-01',
          time: '11:00:00',
          caller: '+12025550100',
          destination: '+442079460000',
          country: 'United Kingdom',
          duration: 60,
          cost: 0.01,
          status: 'completed',
          started_at: '2026-03-01T11:00:00.123Z',
          reason: 'The caller hung up.',
          route: 'Gold CLI',
          is_demo: false,
          sipiax: 'alice',
          src: '12025550100',
          buycost: null,
          real_sessiontime: 60,
          agent_bill: 0.01,
          ...outgoing,
        },
      ],
      next: null,
    })
  })

  it('shows date and time in the requested time zone, across midnight and daylight saving changes', async () => {
    const { list } = await portalWith((userId) => [
      aCdr({ userId, startedAt: at('01-01T00:30:00') }),
      aCdr({ userId, startedAt: at('03-29T00:59:59') }),
      aCdr({ userId, startedAt: at('03-29T01:00:00') }),
    ])
    const shown = async (timezone: string) =>
      (await list({ timezone })).answer.records.map(({ date, time }) => `${date} ${time}`)
    expect(await shown('Europe/Berlin')).toEqual([
      '2026-03-29 03:00:00',
      '2026-03-29 01:59:59',
      '2026-01-01 01:30:00',
    ])
    expect(await shown('America/New_York')).toContain('2025-12-31 19:30:00')
    expect(await shown('Asia/Kathmandu')).toContain('2026-01-01 06:15:00')
  })

  it('shows the dialed text if it is not a number, and the caller if there is no caller ID', async () => {
    const { list } = await portalWith((userId) => [
      aCdr({
        userId,
        status: 'refused',
        reason: 'unknown_number',
        dialed: 'abc*1',
        destination: '',
        callerId: '',
      }),
    ])
    expect((await list()).answer.records[0]).toMatchObject({
      caller: 'alice',
      destination: 'abc*1',
      reason: 'This number is not valid.',
    })
    expect((await list({ search: 'ABC*' })).answer.records).toHaveLength(1)
  })
})

describe('pages', () => {
  it('contain every record once, newest first, including calls with the same start time', async () => {
    const same = at('03-01T10:00:00')
    const { portal, alice } = await portalWith((userId) => [
      ...Array.from({ length: 7 }, () => aCdr({ userId, startedAt: same })),
      aCdr({ userId, callId: 'sw1/newest', startedAt: at('03-01T10:00:01') }),
      aCdr({ userId, callId: 'sw1/oldest', startedAt: at('01-15T10:00:00') }),
    ])
    const pages = await allPages(portal, alice.token, { limit: 2 })
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 2, 1])
    expect(pages[0]?.[0]).toBe('sw1/newest')
    expect(pages.at(-1)).toEqual(['sw1/oldest'])
    expect(new Set(pages.flat()).size).toBe(9)
  })

  it('do not shift when calls are added while reading', async () => {
    const { portal, alice, list } = await portalWith((userId) =>
      Array.from({ length: 6 }, (_, minute) =>
        aCdr({ userId, callId: `sw1/${minute}`, startedAt: at(`03-01T10:0${minute}:00`) }),
      ),
    )
    const first = (await list({ limit: 3 })).answer
    await insertCdrs(portal.services.db, systemOwner, [
      aCdr({ userId: alice.id, startedAt: at('03-01T11:30:00') }),
    ])
    const second = (await list({ limit: 3, cursor: first.next ?? '' })).answer
    expect(second.records.map(({ uniqueid }) => uniqueid)).toEqual(['sw1/2', 'sw1/1', 'sw1/0'])
    expect(second.next).toBeNull()
  })

  it('of calls/records return the latest twenty by default', async () => {
    const { portal, alice } = await portalWith((userId) =>
      Array.from({ length: 25 }, (_, minute) =>
        aCdr({ userId, startedAt: new Date(at('03-01T10:00:00').getTime() + minute * 60_000) }),
      ),
    )
    const latest = async (query = {}) =>
      (await portal.call('GET /api/calls/records', { token: alice.token, query })).answer.records
    expect(await latest()).toHaveLength(20)
    expect((await latest({ limit: 1 }))[0]).toEqual({
      id: expect.any(String),
      from: '+12025550100',
      to: '+442079460000',
      duration: 60,
      date: '2026-03-01T10:24:00.000Z',
      status: 'completed',
      cost: 0.01,
      trunk: 'Gold CLI',
    })
  })
})

describe('filters', () => {
  const make = (userId: number) => [
    aCdr({ userId, callId: 'sw1/london', startedAt: at('03-01T10:00:00'), seconds: 30 }),
    aCdr({
      userId,
      callId: 'sw1/paris',
      startedAt: at('03-01T10:30:00'),
      country: 'FR',
      destination: '33142685300',
      seconds: 90,
    }),
    aCdr({
      userId,
      callId: 'sw1/busy',
      startedAt: at('03-01T11:15:00'),
      status: 'busy',
      callerId: '12025550199',
    }),
  ]
  const asked: [string, Record<string, string | number>, string[]][] = [
    ['search in the destination', { search: '3314268' }, ['paris']],
    ['search with a plus, which is the beginning', { search: '+33' }, ['paris']],
    ['search in the caller, spaced as people write', { search: '+1 (202) 555-0199' }, ['busy']],
    ['a search that is nothing but a wildcard finds that character', { search: '%' }, []],
    ['from, which is included', { from: '2026-03-01T10:30:00Z' }, ['busy', 'paris']],
    ['to, which is not', { to: '2026-03-01T12:15:00+01:45' }, ['london']],
    ['status', { status: 'busy' }, ['busy']],
    ['country by name', { country: 'france' }, ['paris']],
    ['country by code', { country: 'GB' }, ['busy', 'london']],
    ['least duration', { min_duration: 90 }, ['paris']],
    ['greatest duration', { max_duration: 30 }, ['busy', 'london']],
    ['least cost', { min_cost: 0.015 }, ['paris']],
    ['greatest cost', { max_cost: 0.005 }, ['busy', 'london']],
    ['several at once', { country: 'GB', status: 'completed' }, ['london']],
  ]
  it('apply to the list, the totals and the export', async () => {
    const { portal, alice, list, totals } = await portalWith(make)
    for (const [what, query, names] of asked) {
      const { answer } = await list(query)
      expect({ what, found: answer.records.map(({ uniqueid }) => uniqueid.slice(4)) }).toEqual({
        what,
        found: names,
      })
      const cost = answer.records.reduce((sum, record) => sum + record.cost, 0)
      expect({ what, ...(await totals(query)) }).toMatchObject({ what, calls: names.length, cost })
      const url = `/api/cdr.csv?${new URLSearchParams(query as Record<string, string>)}`
      const file = await portal.api.inject({ url, headers: { authorization: `Bearer ${alice.token}` } })
      expect({ what, lines: file.body.trim().split('\n').length - 1 }).toEqual({ what, lines: names.length })
    }
  })
})

describe('totals', () => {
  it('are exact for any period, from sums for whole hours and days and from records for the rest', async () => {
    const { totals } = await portalWith((userId) =>
      Array.from({ length: 96 }, (_, quarter) =>
        aCdr({
          userId,
          seconds: quarter + 1,
          startedAt: new Date(at('02-28T00:00:00').getTime() + quarter * 900_000),
        }),
      ),
    )
    const sum = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => from + index + 1).reduce(
        (left, right) => left + right,
        0,
      )
    const of = async (from: string, to: string, more = {}) => {
      const { calls, minutes } = await totals({
        from: `2026-02-28T${from}Z`,
        to: `2026-02-28T${to}Z`,
        ...more,
      })
      return [calls, Math.round(minutes * 60)]
    }
    for (const more of [{}, { country: 'GB' }, { min_duration: 0 }]) {
      expect(await of('03:00:00', '06:00:00', more)).toEqual([12, sum(12, 24)])
      expect(await of('02:45:00', '06:15:00', more)).toEqual([14, sum(11, 25)])
      expect(await of('02:45:00.001', '02:59:59', more)).toEqual([0, 0])
      expect(await of('03:10:00', '03:50:00', more)).toEqual([3, sum(13, 16)])
      expect(await of('03:10:00', '04:00:00', more)).toEqual([3, sum(13, 16)])
    }
    expect(await totals()).toEqual({
      calls: 96,
      completed: 96,
      minutes: Math.round((sum(0, 96) / 60) * 100) / 100,
      cost: expect.any(Number),
      answer_rate: 100,
      average_duration: 48.5,
      is_capped: false,
    })
    expect(await totals({ status: 'busy' })).toMatchObject({
      calls: 0,
      answer_rate: null,
      average_duration: null,
    })
  })
})

describe('one record', () => {
  const dear = (userId: number) =>
    aCdr({
      userId,
      callId: 'sw1/dear',
      seconds: 61,
      billedSeconds: 66,
      ratePrefix: '4420',
      rate: {
        priceMicros: micros(10_000n),
        connectFeeMicros: micros(2_000n),
        firstIncrement: 60,
        nextIncrement: 6,
      },
      costMicros: micros(13_000n),
      trunkId: 9,
      trunkName: 'Secret Telecom',
      attempts: [
        {
          trunk: 3,
          name: 'Hidden Carrier',
          code: 503,
          reason: 'Hidden Carrier is full',
          at: Date.UTC(2026, 2, 1, 11, 0, 0, 200),
          until: Date.UTC(2026, 2, 1, 11, 0, 0, 950),
        },
      ],
      media: { phone: heard(4.3), carrier: heard(null) },
    })

  it('explains its price and its attempts, with carriers by number', async () => {
    const { portal, alice, list } = await portalWith((userId) => [dear(userId)])
    const id = (await list()).answer.records[0]?.id ?? ''
    const { answer } = await portal.call('GET /api/cdr/:id', { token: alice.token, params: { id } })
    expect(answer.record).toMatchObject({
      duration: 61,
      billed_seconds: 66,
      cost: 0.013,
      buycost: null,
      rate: {
        price_per_minute: 0.01,
        connect_fee: 0.002,
        first_increment: 60,
        next_increment: 6,
        prefix: '4420',
      },
      price_steps: [
        'Route Gold CLI to United Kingdom: $0.01 a minute, $0.002 for the connection, billed for at least 60 seconds, then in blocks of 6 seconds.',
        'This rate applies to numbers that start with 4420.',
        '61 seconds of talk, billed as 66 seconds.',
        '$0.01 × 66 ÷ 60 = $0.011, and $0.002 for the connection.',
        'Cost: $0.013.',
      ],
      attempts: [
        {
          trunk: 'Carrier 1',
          code: 503,
          reason: 'Service Unavailable',
          at: '2026-03-01T11:00:00.200Z',
          took_ms: 750,
        },
      ],
      media: {
        phone: { codec: 'PCMA/8000', packets_sent: 500, mos: 4.3, loss_percent: 1.5, round_trip_ms: 40 },
        carrier: { mos: null },
      },
    })
    expect(answer.record.path.map(({ what }) => what)).toEqual([
      'alice dialed +442079460000 from 192.0.2.10.',
      'Carrier 1 answered 503 Service Unavailable.',
      'The phone rang.',
      'Answered over Carrier 2.',
      'The caller hung up.',
    ])
    expect(JSON.stringify(answer)).not.toMatch(/Hidden|Secret/)
  })

  it('shows carriers, carrier cost and customer to administrators', async () => {
    const { portal, alice, admin, list } = await portalWith((userId) => [dear(userId)])
    const id = (await list()).answer.records[0]?.id ?? ''
    const { answer } = await portal.call('GET /api/admin/cdr/:id', { token: admin.token, params: { id } })
    expect(answer.record).toMatchObject({
      user: { id: alice.id, username: 'alice' },
      buycost: 0.004067,
      trunk: 'Secret Telecom',
      attempts: [{ trunk: 'Hidden Carrier', code: 503, reason: 'Hidden Carrier is full' }],
      switch: 'sw1',
    })
    expect(answer.record.path.map(({ what }) => what)).toContain('Answered over Secret Telecom.')
  })

  it('of an unanswered call shows no cost and the reason', async () => {
    const { portal, alice, list } = await portalWith((userId) => [
      aCdr({ userId, status: 'refused', reason: 'no_balance', attempts: [], ringingAt: null }),
    ])
    const id = (await list()).answer.records[0]?.id ?? ''
    const { answer } = await portal.call('GET /api/cdr/:id', { token: alice.token, params: { id } })
    expect(answer.record.price_steps).toEqual([
      'The call was refused before it reached a carrier, so it cost nothing.',
    ])
    expect(answer.record.path.at(-1)?.what).toBe('The balance does not cover this call.')
  })
})

describe('administrators', () => {
  it('see all records, those of one customer, and calls of unknown callers', async () => {
    const { portal, alice, admin } = await portalWith((userId) => [
      aCdr({ userId, callId: 'sw1/hers' }),
      aCdr({ callId: 'sw1/nobody', status: 'refused', reason: 'unknown_caller' }),
    ])
    const all = await portal.call('GET /api/admin/cdr', { token: admin.token })
    expect(all.answer.records.map(({ uniqueid, user }) => [uniqueid, user?.username ?? null])).toEqual([
      ['sw1/nobody', null],
      ['sw1/hers', 'alice'],
    ])
    expect(all.answer.records[1]).toMatchObject({ buycost: 0.004, trunk: 'Carrier One' })
    const query = { user: alice.id }
    expect(
      (await portal.call('GET /api/admin/cdr', { token: admin.token, query })).answer.records,
    ).toHaveLength(1)
    const totals = async (asked = {}) =>
      (await portal.call('GET /api/admin/cdr/totals', { token: admin.token, query: asked })).answer.totals
    expect(await totals()).toMatchObject({ calls: 2, completed: 1, answer_rate: 50 })
    expect(await totals(query)).toMatchObject({ calls: 1 })
    expect(await totals({ country: 'GB', user: alice.id })).toMatchObject({ calls: 1 })
  })
})
