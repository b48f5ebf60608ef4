import { cents } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import { aCdr } from '../../../../test/cdrs.ts'
import { pay, systemOwner } from '../../../../test/ledger.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { insertCdrs, type NewCdr } from '../../calls/cdr/cdr-store.ts'

const MINUTE = 60_000
const statuses = ['completed', 'completed', 'busy', 'completed', 'no-answer', 'failed'] as const

/** A call every seven minutes over ten days, each with its own length and delay. */
const callsUntil = (end: Date): NewCdr[] =>
  Array.from({ length: Math.floor((10 * 24 * 60) / 7) }, (_, index) => {
    const startedAt = new Date(end.getTime() - index * 7 * MINUTE - 1)
    const status = statuses[index % statuses.length] ?? 'failed'
    return aCdr({
      startedAt,
      status,
      seconds: status === 'completed' ? 10 + ((index * 37) % 400) : 0,
      ringingAt: status === 'failed' ? null : new Date(startedAt.getTime() + 500 + ((index * 91) % 4_000)),
    })
  })

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

function expected(calls: readonly NewCdr[], [from, to]: readonly [string, string]) {
  const isBetween = ({ startedAt }: NewCdr, begins: Date, ends: Date) =>
    startedAt >= begins && startedAt < ends
  const end = new Date(to)
  const day = calls.filter((call) => isBetween(call, new Date(from), end))
  const completed = day.filter(({ status }) => status === 'completed')
  const seconds = day.reduce((sum, call) => sum + call.seconds, 0)
  const inDollars = (amount: bigint) => Number(amount) / 1e6
  const cost = day.reduce((sum, call) => sum + call.costMicros, 0n)
  const buy = day.reduce((sum, call) => sum + call.buyMicros, 0n)
  const delays = day.flatMap(({ startedAt, ringingAt }) =>
    ringingAt ? [(+ringingAt - +startedAt) / 1_000] : [],
  )
  return {
    calls: day.length,
    revenue: inDollars(cost),
    margin: inDollars(cost - buy),
    minutes: round(seconds / 60, 2),
    answer_rate: round((completed.length / day.length) * 100, 1),
    average_duration: round(seconds / completed.length, 1),
    post_dial_delay: round(delays.reduce((sum, delay) => sum + delay, 0) / delays.length, 1),
  }
}

it.each<[string, string, [string, string][]]>([
  [
    'UTC',
    '2026-03-10T10:20:00Z',
    [
      ['2026-03-10T00:00:00Z', '2026-03-10T10:20:00Z'],
      ['2026-03-09T00:00:00Z', '2026-03-09T10:20:00Z'],
      ['2026-03-03T00:00:00Z', '2026-03-03T10:20:00Z'],
    ],
  ],
  [
    'Asia/Kolkata',
    '2026-03-10T18:40:00Z',
    [
      ['2026-03-10T18:30:00Z', '2026-03-10T18:40:00Z'],
      ['2026-03-09T18:30:00Z', '2026-03-09T18:40:00Z'],
      ['2026-03-03T18:30:00Z', '2026-03-03T18:40:00Z'],
    ],
  ],
  [
    'Europe/Berlin',
    // The day after the change to summer time.
    '2026-03-30T10:20:00Z',
    [
      ['2026-03-29T22:00:00Z', '2026-03-30T10:20:00Z'],
      ['2026-03-28T23:00:00Z', '2026-03-29T10:20:00Z'],
      ['2026-03-22T23:00:00Z', '2026-03-23T11:20:00Z'],
    ],
  ],
])('the figures of today equal the sum over the call records in %s', async (timezone, now, spans) => {
  const portal = await createPortal({}, { startsAt: now })
  const { token } = await signUp(portal, 'root', { isAdmin: true })
  const calls = callsUntil(new Date(now))
  await insertCdrs(portal.services.db, systemOwner, calls)
  const { today } = (await portal.call('GET /api/admin/dashboard/today', { token, query: { timezone } }))
    .answer
  const read = (day: 'today' | 'yesterday' | 'last_week') =>
    Object.fromEntries(
      Object.entries(today)
        .filter(([name]) => name !== 'top_ups')
        .map(([name, figure]) => [name, figure[day]]),
    )
  for (const [index, day] of (['today', 'yesterday', 'last_week'] as const).entries()) {
    const wanted = expected(calls, spans[index] ?? ['', ''])
    expect(wanted.calls).toBeGreaterThan(0)
    expect(read(day)).toEqual(wanted)
  }
})

it('counts top-ups that were paid today, and has no rates without calls', async () => {
  const portal = await createPortal({}, { startsAt: '2026-03-10T10:20:00Z' })
  const { token, id } = await signUp(portal, 'root', { isAdmin: true })
  const { db } = portal.services
  await pay(db, id, 'top_up', '2026-03-10T00:00:00Z', cents(2_000))
  await pay(db, id, 'top_up', '2026-03-10T09:00:00Z', cents(550))
  await pay(db, id, 'upgrade_purchase', '2026-03-10T09:30:00Z', cents(4_900))
  await pay(db, id, 'top_up', '2026-03-09T10:19:59Z', cents(700))
  await pay(db, id, 'top_up', '2026-03-09T10:20:00Z', cents(10_000))
  const { today } = (await portal.call('GET /api/admin/dashboard/today', { token })).answer
  expect(today.top_ups).toEqual({ today: 25.5, yesterday: 7, last_week: 0 })
  expect(today.calls).toEqual({ today: 0, yesterday: 0, last_week: 0 })
  expect(today.answer_rate).toEqual({ today: null, yesterday: null, last_week: null })
  expect(today.post_dial_delay).toEqual({ today: null, yesterday: null, last_week: null })
})
