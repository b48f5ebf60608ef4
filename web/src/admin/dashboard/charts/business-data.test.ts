import { expect, test } from 'vitest'
import { formatShortMoney } from '../../../common/format/money.ts'
import { daysReadout, daysTable, failingTrunks, hoursReadout } from './business-data.ts'

const day = { day: '2026-11-14', calls: 3, minutes: 4.4, revenue: 1.25, buy_cost: 0.5, margin: 0.75 }
const days = [day, { ...day, day: '2026-11-15', calls: 1, revenue: 0.1, margin: -0.4 }]
const hours = [
  { at: '2026-11-15T10:00:00.000Z', calls: 0, answer_rate: null },
  { at: '2026-11-15T11:00:00.000Z', calls: 4, answer_rate: 75 },
]

test('the line above a chart shows the total, or the bar under the pointer', () => {
  expect(daysReadout(days, null)).toBe('$1.35 revenue, $0.35 margin')
  expect(daysReadout(days, 0)).toBe('Nov 14: $1.25 revenue, $0.75 margin, 3 calls')
  expect(hoursReadout(hours, null)).toBe('4 calls in the last 24 hours')
  expect(hoursReadout(hours, 0)).toMatch(/: 0 calls, – answered$/)
})

test('the table of a chart has a row for each bar', () => {
  expect(daysTable(days).rows[0]).toEqual(['Nov 14', '$1.25', '$0.75', '$0.50', '3', '4'])
})

test.each([
  [0, '$0'],
  [0.25, '$0.25'],
  [2.5, '$2.5'],
  [-3, '-$3'],
  [1200, '$1.2k'],
  [20_000, '$20k'],
])('writes %d on an axis as %s', (figure, written) => {
  expect(formatShortMoney(figure)).toBe(written)
})

test('lists trunks that are down first, then trunks by failed attempts', () => {
  const figures = { answered: 0, answer_rate: null, average_duration: null, buy_cost: 0, margin: 0 }
  const trunk = (id: number, attempts: number, reach_rate: number | null) => ({
    ...figures,
    id,
    name: `T${id}`,
    attempts,
    reach_rate,
  })
  const state = (id: number, status: 'active' | 'inactive', configured_status: 'active' | 'inactive') => ({
    id,
    name: `T${id}`,
    status,
    configured_status,
  })
  const failing = failingTrunks(
    [trunk(1, 100, 100), trunk(2, 10, 50), trunk(3, 200, 90)],
    [state(1, 'active', 'active'), state(4, 'inactive', 'active'), state(5, 'inactive', 'inactive')],
  )
  expect(failing.map(({ id, failed, isDown }) => [id, failed, isDown])).toEqual([
    [4, 0, true],
    [3, 20, false],
    [2, 5, false],
  ])
})
