import { describe, expect, test } from 'vitest'
import { parseDay, parseIncrements, parsePrefix, parsePrice, parseSeconds } from './values.ts'

describe('values of a deck', () => {
  test.each([
    ['1', 1],
    ['3600', 3_600],
    [' 60 ', 60],
    ['0', null],
    ['3601', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
  ])('%j is an increment of %j', (text, seconds) => {
    expect(parseSeconds(text, 3_600)).toBe(seconds)
  })

  test.each([
    ['60/6', [60, 6]],
    ['60 - 6', [60, 6]],
    ['60:6', [60, 6]],
    ['60+6', [60, 6]],
    ['6', [6, 6]],
    ['60/6/6', null],
    ['0/1', null],
    ['1/0', null],
    ['60/', null],
    ['', null],
  ])('%j are increments of %j', (text, increments) => {
    expect(parseIncrements(text, 3_600)).toEqual(increments)
  })

  test.each([
    ['0', false, 0n],
    ['$0.5', false, 500_000n],
    ['.5 $', false, 500_000n],
    ['0,5', true, 500_000n],
    [',5', true, 500_000n],
    ['0,5', false, 'not_a_number'],
    ['1,234', true, 'not_a_number'],
    ['0,234', true, 234_000n],
    ['-1', false, 'not_positive'],
    ['0.0000001', false, 'too_many_decimals'],
  ] as const)('%j with a decimal comma %s is a price of %s', (text, mayBeComma, price) => {
    expect(parsePrice(text, mayBeComma)).toBe(price)
  })

  test.each([
    ['44', '44'],
    ['+44', '44'],
    ['0044', '44'],
    ["'44", '44'],
    ['="44"', '44'],
    ['4 4', '44'],
    ['044', null],
    ['1234567890123456', null],
    ['x', null],
  ])('%j is the prefix %j', (text, prefix) => {
    expect(parsePrefix(text)).toBe(prefix)
  })

  test.each([
    ['2026-11-15', '2026-11-15'],
    ['2026-11-15T10:00', '2026-11-15'],
    ['2026-11-15 10:00', '2026-11-15'],
    ['2026-13-01', null],
    ['15.11.2026', null],
    ['2026-11-155', null],
  ])('%j is the date %j', (text, day) => {
    expect(parseDay(text)).toBe(day)
  })
})
