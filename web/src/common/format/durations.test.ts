import { expect, it } from 'vitest'
import {
  formatDuration,
  formatMeasuredSeconds,
  formatMilliseconds,
  formatMinutes,
  formatOffset,
  formatSeconds,
  formatSpan,
} from './durations.ts'

it('formats seconds as minutes or hours', () => {
  expect([0, 5, 65, 3599, 3600, 3725, 90_000].map(formatDuration)).toEqual([
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
  expect(formatDuration(59.6)).toBe('1:00')
})

it('formats a span by its two largest units', () => {
  expect([0, 59, 60, 3_599, 3_600, 11_100, 86_399, 86_400, 187_200].map(formatSpan)).toEqual([
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

it('names the unit of a short length', () => {
  expect(formatSeconds(60)).toBe('60 s')
  expect([2.34, 0, 2].map(formatMeasuredSeconds)).toEqual(['2.3 s', '0.0 s', '2.0 s'])
  expect(formatMilliseconds(20.5)).toBe('20.5 ms')
  expect(formatMinutes(1_233.6)).toBe('1,234 min')
  expect(formatOffset(120)).toBe('+0.120 s')
})

it('shows a dash for a missing length', () => {
  for (const format of [formatDuration, formatSpan, formatSeconds, formatMeasuredSeconds, formatMinutes])
    for (const missing of [null, undefined, Number.NaN]) expect(format(missing)).toBe('–')
})
