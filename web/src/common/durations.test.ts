import { expect, it } from 'vitest'
import { asClock } from './durations.ts'

it('formats seconds as minutes or hours', () => {
  expect([0, 5, 65, 3599, 3600, 3725, 90_000].map(asClock)).toEqual([
    '0:00',
    '0:05',
    '1:05',
    '59:59',
    '1:00:00',
    '1:02:05',
    '25:00:00',
  ])
})

it('rounds fractions of a second', () => {
  expect(asClock(59.6)).toBe('1:00')
})
