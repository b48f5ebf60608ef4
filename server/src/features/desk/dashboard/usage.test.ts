import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'

const at = (moment: string) => new Date(`2026-${moment}Z`)

it('shows a customer their days, countries, and the forecast of the month', async () => {
  const portal = await createPortal({}, { startsAt: '2026-04-20T10:00:00Z' })
  const alice = await signUp(portal, 'alice')
  const paula = await signUp(portal, 'paula')
  await insertCdrs(portal.services.db, systemOwner, [
    // Before the month, before the two weeks, and within them.
    aCdr({ userId: alice.id, startedAt: at('03-31T23:30:00'), seconds: 600 }),
    aCdr({ userId: alice.id, startedAt: at('04-02T10:00:00'), seconds: 1_200 }),
    aCdr({ userId: alice.id, startedAt: at('04-07T00:00:00'), country: 'US', seconds: 8_400 }),
    aCdr({ userId: alice.id, startedAt: at('04-20T09:00:00'), status: 'busy' }),
    aCdr({ userId: paula.id, startedAt: at('04-20T09:00:00'), seconds: 60_000 }),
  ])
  const usage = async (timezone: string) =>
    (await portal.call('GET /api/dashboard/usage', { token: alice.token, query: { timezone } })).answer.usage
  const { days, countries, ...totals } = await usage('UTC')
  // $0.01 a minute: 20 + 140 minutes in April, 140 in the last 14 days, 10 days left.
  expect(totals).toEqual({ month_cost: 1.6, day_cost: 0.1, month_forecast: 2.6 })
  expect(days).toHaveLength(30)
  expect(days[0]).toMatchObject({ day: '2026-03-22', calls: 0 })
  expect(days.at(-1)).toEqual({ day: '2026-04-20', calls: 1, minutes: 0, cost: 0 })
  expect(countries).toEqual([
    { country: 'United States', calls: 1, minutes: 140, cost: 1.4, answer_rate: 100 },
    { country: 'United Kingdom', calls: 3, minutes: 30, cost: 0.3, answer_rate: 66.7 },
  ])
  // In Berlin the first call is in April, and the third one is still within the two weeks.
  expect(await usage('Europe/Berlin')).toMatchObject({ month_cost: 1.7, day_cost: 0.1, month_forecast: 2.7 })
})

it.each([
  ['before', false],
  ['after', true],
])(
  'begins days and months at midnight in half-hour time zones, %s the figures are added',
  async (_, isAdded) => {
    const portal = await createPortal({}, { startsAt: '2026-04-20T10:00:00Z' })
    const alice = await signUp(portal, 'alice')
    const paula = await signUp(portal, 'paula')
    await insertCdrs(portal.services.db, systemOwner, [
      // The month begins at 18:30 in Kolkata and at 18:15 in Kathmandu.
      aCdr({ userId: alice.id, startedAt: at('03-31T18:10:00'), seconds: 60_000 }),
      aCdr({ userId: alice.id, startedAt: at('03-31T18:20:00'), seconds: 6_000 }),
      aCdr({ userId: alice.id, startedAt: at('03-31T18:40:00'), seconds: 600 }),
      aCdr({ userId: alice.id, startedAt: at('04-19T18:10:00'), status: 'busy' }),
      aCdr({ userId: alice.id, startedAt: at('04-19T18:29:59'), seconds: 60 }),
      aCdr({ userId: alice.id, startedAt: at('04-19T18:30:00'), seconds: 120 }),
      aCdr({ userId: alice.id, startedAt: at('04-19T19:00:00'), seconds: 240 }),
      aCdr({ userId: paula.id, startedAt: at('04-19T18:40:00'), seconds: 60_000 }),
    ])
    if (isAdded) await portal.services.callFigures.addQueued()
    const read = async (timezone: string) => {
      const request = { token: alice.token, query: { timezone } }
      const { usage } = (await portal.call('GET /api/dashboard/usage', request)).answer
      const { charts } = (await portal.call('GET /api/dashboard/charts', request)).answer
      const days = usage.days.filter(({ calls }) => calls > 0)
      return {
        days: days.map(({ day, calls, minutes }) => [day, calls, minutes]),
        months: charts.monthly_usage.slice(-2).map(({ calls, minutes }) => [calls, minutes]),
        month_cost: usage.month_cost,
      }
    }
    expect(await read('Asia/Kolkata')).toEqual({
      days: [
        ['2026-03-31', 2, 1_100],
        ['2026-04-01', 1, 10],
        ['2026-04-19', 2, 1],
        ['2026-04-20', 2, 6],
      ],
      months: [
        [2, 1_100],
        [5, 17],
      ],
      month_cost: 0.17,
    })
    expect(await read('Asia/Kathmandu')).toEqual({
      days: [
        ['2026-03-31', 1, 1_000],
        ['2026-04-01', 2, 110],
        ['2026-04-19', 1, 0],
        ['2026-04-20', 3, 7],
      ],
      months: [
        [1, 1_000],
        [6, 117],
      ],
      month_cost: 1.17,
    })
  },
)

it('shows zeros to a customer without calls', async () => {
  const portal = await createPortal({}, { startsAt: '2026-02-28T23:59:00Z' })
  const { token } = await signUp(portal, 'alice')
  const { usage } = (await portal.call('GET /api/dashboard/usage', { token })).answer
  expect(usage).toMatchObject({ countries: [], month_cost: 0, day_cost: 0, month_forecast: 0 })
})
