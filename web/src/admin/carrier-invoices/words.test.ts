import { expect, test } from 'vitest'
import { differencesOf, periodWords, shiftWords } from './words.ts'

const none = { carrier_seconds: 0, own_seconds: 0, carrier_amount: 0, own_amount: 0 }

test('a period is written as days of the time zone of the file', () => {
  const november = { from: '2026-11-01T04:00:00.000Z', to: '2026-12-01T05:00:00.000Z' }
  expect(periodWords({ ...november, timezone: 'America/New_York' })).toBe('Nov 1 – 30, 2026')
  const day = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z', timezone: 'UTC' }
  expect(periodWords(day)).toBe('Nov 1, 2026')
})

test('equal calls are no differences', () => {
  const sums = [
    { ...none, kind: 'longer' as const, calls: 2, over: 0.1, under: 0 },
    { ...none, kind: 'price' as const, calls: 1, over: 0.2, under: 0.5 },
    { ...none, kind: 'equal' as const, calls: 9, over: 0.00001, under: 0 },
  ]
  expect(differencesOf({ sums } as Parameters<typeof differencesOf>[0])).toEqual({ calls: 3, over: 0.3 })
})

test('a shift names hours, minutes and direction', () => {
  expect(shiftWords(60)).toContain('1 h ahead of ours')
  expect(shiftWords(-330)).toContain('5 h 30 min behind ours')
})
