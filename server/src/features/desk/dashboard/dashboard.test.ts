import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs, type NewCdr } from '../../calls/cdr/cdr-store.ts'

const at = (moment: string) => new Date(`2026-${moment}Z`)

/** The clock starts at noon on March 1, 2026. */
async function portalWith(make: (alice: number, paula: number) => NewCdr[], startsAt?: string) {
  const portal = await createPortal({}, startsAt === undefined ? {} : { startsAt })
  const alice = await signUp(portal, 'alice')
  const paula = await signUp(portal, 'paula')
  const admin = await signUp(portal, 'root', { isAdmin: true })
  const { db } = portal.services
  await sql`insert into plans (name, created_at) values ('Gold CLI', ${at('01-01T00:00:00')})`.execute(db)
  for (const name of ['Gold UK', 'Silver US'])
    await sql`insert into routes (country, name, plan_id, price_micros, created_at, updated_at)
              select 'GB', ${name}, id, 10000, created_at, created_at from plans`.execute(db)
  await insertCdrs(db, systemOwner, make(alice.id, paula.id))
  return { portal, db, alice, paula, admin }
}

const someCalls = (alice: number, paula: number) => [
  aCdr({ userId: alice, startedAt: at('03-01T11:59:00'), seconds: 120 }),
  aCdr({ userId: alice, startedAt: at('03-01T12:00:00'), status: 'busy' }),
  aCdr({ userId: alice, startedAt: at('02-28T13:00:00'), routeId: 2, country: 'US', seconds: 60 }),
  aCdr({ userId: alice, startedAt: at('02-28T12:59:59'), seconds: 60 }),
  aCdr({ userId: alice, startedAt: at('01-01T00:00:00'), seconds: 60 }),
  aCdr({ userId: paula, startedAt: at('03-01T11:30:00'), seconds: 600 }),
]

describe('a customer’s dashboard', () => {
  it('shows their own calls, minutes, cost and live calls', async () => {
    const { portal, db, alice, paula } = await portalWith(someCalls)
    for (const [user, call] of [
      [alice.id, 'a'],
      [alice.id, 'b'],
      [paula.id, 'c'],
    ] as const)
      await sql`
        insert into live_calls (call_id, switch_id, user_id, state, sip_account, source_address, caller_id, dialed, destination,
          country, line_type, route_id, route_name, plan_name, price_micros, connect_fee_micros, first_increment, next_increment,
          trunks, held_micros, covered_seconds, started_at)
        values (${`sw1/${call}`}, 'sw1', ${user}, 'ringing', 'x', '', '', '', '', 'GB', 'mobile', 1, '', '', 0, 0, 1, 1, '[]', 0, 60,
          ${portal.clock.now()})`.execute(db)
    const stats = async (token: string) =>
      (await portal.call('GET /api/dashboard/stats', { token })).answer.stats
    expect(await stats(alice.token)).toEqual({
      totalCalls: 5,
      activeCalls: 2,
      totalMinutes: 5,
      totalCost: 0.05,
      successRate: 80,
    })
    expect(await stats(paula.token)).toMatchObject({ totalCalls: 1, activeCalls: 1, totalMinutes: 10 })
  })

  it('shows zeros and complete charts without calls', async () => {
    const { portal, alice } = await portalWith(() => [])
    const { token } = alice
    expect((await portal.call('GET /api/dashboard/stats', { token })).answer.stats).toEqual({
      totalCalls: 0,
      activeCalls: 0,
      totalMinutes: 0,
      totalCost: 0,
      successRate: 0,
    })
    const { charts } = (await portal.call('GET /api/dashboard/charts', { token })).answer
    expect(charts.call_volume).toHaveLength(24)
    expect(charts.trunk_usage).toEqual([])
    expect(charts.monthly_usage).toHaveLength(12)
  })

  it('has charts of their own calls: 24 hours, 30 days by route, 12 months', async () => {
    const { portal, alice } = await portalWith(someCalls)
    const { charts } = (await portal.call('GET /api/dashboard/charts', { token: alice.token })).answer
    expect(charts.call_volume[0]).toEqual({ at: '2026-02-28T13:00:00.000Z', calls: 1, completed: 1 })
    expect(charts.call_volume.slice(-2)).toEqual([
      { at: '2026-03-01T11:00:00.000Z', calls: 1, completed: 1 },
      { at: '2026-03-01T12:00:00.000Z', calls: 1, completed: 0 },
    ])
    expect(charts.call_volume.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
    expect(charts.trunk_usage).toEqual([
      { name: 'Gold UK', calls: 3, share: 75 },
      { name: 'Silver US', calls: 1, share: 25 },
    ])
    expect(charts.monthly_usage.slice(-3)).toEqual([
      { month: '2026-01', calls: 1, minutes: 1, cost: 0.01 },
      { month: '2026-02', calls: 2, minutes: 2, cost: 0.02 },
      { month: '2026-03', calls: 2, minutes: 2, cost: 0.02 },
    ])
  })

  it('assigns a call to the month in the reader’s time zone', async () => {
    const { portal, alice } = await portalWith(someCalls)
    const query = { timezone: 'America/New_York' }
    const { charts } = (await portal.call('GET /api/dashboard/charts', { token: alice.token, query })).answer
    expect(charts.monthly_usage.slice(-4).map(({ month, calls }) => [month, calls])).toEqual([
      ['2025-12', 1],
      ['2026-01', 0],
      ['2026-02', 2],
      ['2026-03', 2],
    ])
    const unknown = await portal.call('GET /api/dashboard/charts', {
      token: alice.token,
      query: { timezone: 'Nowhere/Land' },
    })
    expect(unknown.status).toBe(400)
  })
})

it('ends with the current month in the reader’s time zone', async () => {
  const { portal, alice } = await portalWith(() => [], '2026-03-01T03:00:00Z')
  const lastMonth = async (timezone: string) => {
    const { answer } = await portal.call('GET /api/dashboard/charts', {
      token: alice.token,
      query: { timezone },
    })
    return answer.charts.monthly_usage.at(-1)?.month
  }
  expect(await lastMonth('America/New_York')).toBe('2026-02')
  expect(await lastMonth('Asia/Tokyo')).toBe('2026-03')
})

describe('an administrator’s dashboard', () => {
  it('shows totals of the platform', async () => {
    const { portal, admin } = await portalWith(someCalls)
    const { token } = admin
    expect((await portal.call('GET /api/admin/dashboard/stats', { token })).answer.stats).toMatchObject({
      totalCalls: 6,
      totalMinutes: 15,
      totalCost: 0.15,
    })
    const { charts } = (await portal.call('GET /api/admin/dashboard/charts', { token })).answer
    expect(charts.call_volume.at(-2)).toMatchObject({ calls: 2, completed: 2 })
  })

  it('shows revenue, cost and margin by day, customer and country', async () => {
    const { portal, alice, paula, admin } = await portalWith((one, other) => [
      ...someCalls(one, other),
      aCdr({
        status: 'failed',
        attempts: [
          { trunk: 1, name: 'Carrier One', code: 503, reason: '' },
          { trunk: 2, name: 'Carrier Two', code: 486, reason: '' },
        ],
      }),
    ])
    const { token } = admin
    const { business } = (
      await portal.call('GET /api/admin/dashboard/business', { token, query: { days: 2 } })
    ).answer
    expect(business.days).toEqual([
      { day: '2026-02-28', calls: 2, minutes: 2, revenue: 0.02, buy_cost: 0.008, margin: 0.012 },
      { day: '2026-03-01', calls: 4, minutes: 12, revenue: 0.12, buy_cost: 0.048, margin: 0.072 },
    ])
    expect(business.hours).toHaveLength(24)
    expect(business.hours.at(-2)).toEqual({ at: '2026-03-01T11:00:00.000Z', calls: 3, answer_rate: 66.7 })
    expect(business.top_countries).toEqual([
      { country: 'United Kingdom', calls: 5, minutes: 13, revenue: 0.13, margin: 0.078, answer_rate: 60 },
      { country: 'United States', calls: 1, minutes: 1, revenue: 0.01, margin: 0.006, answer_rate: 100 },
    ])
    expect(business.top_customers.map(({ user, revenue }) => [user, revenue])).toEqual([
      [{ id: paula.id, username: 'paula' }, 0.1],
      [{ id: alice.id, username: 'alice' }, 0.04],
    ])
    expect(business.trunks).toEqual([
      {
        id: 1,
        name: 'Trunk 1',
        attempts: 6,
        answered: 4,
        answer_rate: 66.7,
        reach_rate: 83.3,
        average_duration: 210,
        buy_cost: 0.056,
        margin: 0.084,
      },
      {
        id: 2,
        name: 'Trunk 2',
        attempts: 1,
        answered: 0,
        answer_rate: 0,
        reach_rate: 100,
        average_duration: null,
        buy_cost: 0,
        margin: 0,
      },
    ])
  })

  it('begins days at midnight in half-hour time zones, like the tiles of today', async () => {
    const { portal, admin } = await portalWith(
      (one, other) => [
        aCdr({ userId: one, startedAt: at('02-28T18:10:00'), seconds: 600 }),
        aCdr({ userId: other, startedAt: at('02-28T18:40:00'), seconds: 60 }),
        aCdr({ startedAt: at('03-01T18:10:00'), status: 'busy' }),
        // Newfoundland begins the day at 03:30.
        aCdr({ userId: one, startedAt: at('03-01T03:29:59'), seconds: 120 }),
        aCdr({ userId: one, startedAt: at('03-01T03:30:00'), seconds: 240 }),
      ],
      '2026-03-01T18:20:00Z',
    )
    const read = async (timezone: string) => {
      const { token } = admin
      const query = { timezone, days: 2 }
      const { business } = (await portal.call('GET /api/admin/dashboard/business', { token, query })).answer
      const ofToday = { token, query: { timezone } }
      const { today } = (await portal.call('GET /api/admin/dashboard/today', ofToday)).answer
      expect(business.days.at(-1)).toMatchObject({
        calls: today.calls.today,
        minutes: today.minutes.today,
        revenue: today.revenue.today,
        margin: today.margin.today,
      })
      return business.days.map(({ day, calls, minutes }) => [day, calls, minutes])
    }
    expect(await read('Asia/Kolkata')).toEqual([
      ['2026-02-28', 1, 10],
      ['2026-03-01', 4, 7],
    ])
    expect(await read('America/St_Johns')).toEqual([
      ['2026-02-28', 3, 13],
      ['2026-03-01', 2, 4],
    ])
  })
})

it('calculates route quality from all customers, with a minimum number of calls', async () => {
  const { portal, alice } = await portalWith((_, paula) => [
    ...Array.from({ length: 30 }, (_each, index) =>
      aCdr({
        userId: paula,
        routeId: 1,
        ...(index < 12 && { status: 'no-answer' }),
        ...(index >= 12 && { seconds: 45 }),
      }),
    ),
    aCdr({ userId: paula, routeId: 2 }),
    aCdr({ userId: paula, routeId: 77 }),
  ])
  expect((await portal.call('GET /api/routes/quality', { token: alice.token })).answer).toEqual({
    routes: [
      { route_id: 1, answer_rate: 60, average_duration: 45 },
      { route_id: 2, answer_rate: null, average_duration: null },
    ],
  })
})
