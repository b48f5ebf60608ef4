import { expect, it } from 'vitest'
import { asClock, asSpan } from './durations.ts'

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

it('formats a span by its two largest units', () => {
  expect([0, 59, 60, 3_599, 3_600, 11_100, 86_399, 86_400, 187_200].map(asSpan)).toEqual([
    'under 1 min',
    'under 1 min',
    '1 min',
    '59 min',
    '1 h',
    '3 h 5 min',
    '23 h 59 min',
    '1 d',
    '2 d 4 h',
  ])
})
