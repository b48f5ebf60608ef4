import { expect, test } from 'vitest'
import { hasCalls } from '../../../common/charts/words.ts'
import {
  monthlyReadout,
  monthlyTable,
  monthName,
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
  expect(monthName('2026-01')).toBe('Jan 2026')
})

test('detects whether any hour has calls', () => {
  expect(hasCalls(hours)).toBe(true)
  expect(hasCalls(hours.map((hour) => ({ ...hour, calls: 0 })))).toBe(false)
  expect(hasCalls([])).toBe(false)
})
