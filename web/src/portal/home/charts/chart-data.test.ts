import { expect, test } from 'vitest'
import { hasCalls } from '../../../common/charts/words.ts'
import { formatMonthYear } from '../../../common/format/dates.ts'
import {
  costReadout,
  costTable,
  dayBars,
  enoughFor,
  monthlyReadout,
  monthlyTable,
  usageReadout,
  usageTable,
  volumeReadout,
  volumeTable,
} from './chart-data.ts'

const hours = [
  { at: '2026-11-15T10:00:00.000Z', calls: 1, completed: 0 },
  { at: '2026-11-15T11:00:00.000Z', calls: 1200, completed: 900 },
]
const routes = [
  { name: 'UK Gold', calls: 3, share: 75 },
  { name: 'Other', calls: 1, share: 25 },
]
const months = [
  { month: '2026-10', calls: 0, minutes: 0, cost: 0 },
  { month: '2026-11', calls: 361, minutes: 584.58, cost: 8.291827 },
]

test('the line above a chart shows the total, or the item under the pointer', () => {
  expect(volumeReadout(hours, null)).toBe('1,201 calls, 900 completed')
  expect(volumeReadout(hours, 0)).toMatch(/: 1 call, 0 completed$/)
  expect(usageReadout(routes, null)).toBe('4 calls in the last 30 days')
  expect(usageReadout(routes, 0)).toBe('UK Gold: 3 calls, 75.0%')
  expect(monthlyReadout(months, null)).toBe('Nov 2026: 585 min, 361 calls, $8.29')
  expect(monthlyReadout(months, 0)).toBe('Oct 2026: 0 min, 0 calls, $0.00')
})

test('the table of a chart has a row for each item', () => {
  expect(volumeTable(hours).rows).toHaveLength(2)
  expect(usageTable(routes).rows).toEqual([
    ['UK Gold', '3', '75.0%'],
    ['Other', '1', '25.0%'],
  ])
  expect(monthlyTable(months).rows[1]).toEqual(['Nov 2026', '585', '361', '$8.29'])
})

test('a month has the same name in every time zone', () => {
  expect(formatMonthYear('2026-01')).toBe('Jan 2026')
})

test('detects whether any hour has calls', () => {
  expect(hasCalls(hours)).toBe(true)
  expect(hasCalls(hours.map((hour) => ({ ...hour, calls: 0 })))).toBe(false)
  expect(hasCalls([])).toBe(false)
})

const usage = {
  days: [
    { day: '2026-11-15', calls: 3, minutes: 12.4, cost: 0.5 },
    { day: '2026-11-16', calls: 0, minutes: 0, cost: 0 },
  ],
  countries: [],
  month_cost: 12.3,
  day_cost: 0.8,
  month_forecast: 23.5,
}

test('the cost chart shows the forecast, or the day under the pointer', () => {
  expect(costReadout(usage, null)).toBe('$12.30 this month, about $23.50 by its end')
  expect(costReadout({ ...usage, month_forecast: 12.3 }, null)).toBe('$12.30 this month')
  expect(costReadout(usage, 0)).toBe('Nov 15: $0.50, 3 calls, 12 min')
  expect(costTable(usage.days).rows).toEqual([
    ['Nov 15', '$0.50', '3', '12'],
    ['Nov 16', '$0.00', '0', '0'],
  ])
  expect(dayBars(usage.days)[0]).toEqual({ key: '2026-11-15', label: 'Nov 15', figure: 0.5 })
})

test.each([
  [8, 0.8, 'Enough for about 10 days at your recent usage.'],
  [0.8, 0.8, 'Enough for about one day at your recent usage.'],
  [0.5, 0.8, 'Enough for less than a day at your recent usage.'],
  [1_000, 0.8, 'Enough for more than a year at your recent usage.'],
  [10, 0, null],
  [0, 0.8, null],
  [-3, 0.8, null],
])('a balance of $%d with $%d a day: %s', (balance, day_cost, text) => {
  expect(enoughFor(balance, { day_cost })).toBe(text)
})
