import { expect, test } from 'vitest'
import {
  formatCost,
  formatExactMoney,
  formatMoney,
  formatRate,
  formatRest,
  formatRunningCost,
  formatShortMoney,
  formatSignedCost,
  formatSignedMoney,
  formatSum,
  formatTaken,
} from './money.ts'

test('dollars have two decimals and no separators', () => {
  expect(formatMoney(1000)).toBe('$1000.00')
  expect(formatMoney(0)).toBe('$0.00')
  expect(formatMoney(149.99)).toBe('$149.99')
  expect(formatMoney(-3.5)).toBe('-$3.50')
})

test('a balance is rounded down to the cent', () => {
  expect(formatMoney(9.999999)).toBe('$9.99')
})

test('totals and remainders are exact', () => {
  expect(formatSum(0.1, 0.2)).toBe('$0.30')
  expect(formatSum(1.1, 2.2)).toBe('$3.30')
  expect(formatSum(1000, 100, 0.05)).toBe('$1100.05')
  expect(formatRest(1200, 2.5)).toBe('$1197.50')
})

test('the displayed parts of a balance add up to the cent', () => {
  expect(formatMoney(270.289)).toBe('$270.28')
  expect(formatTaken(270.289, 0.071)).toBe('$0.07')
  expect(formatRest(270.289, 0.071)).toBe('$270.21')
  expect(formatTaken(270.28, 0.061)).toBe('$0.07')
  expect(formatRest(270.28, 0.061)).toBe('$270.21')
})

test('costs are rounded to the nearest cent', () => {
  expect([0.0085, 0.0049, 12, -0.006].map(formatCost)).toEqual(['$0.01', '$0.00', '$12.00', '-$0.01'])
})

test('large and negative amounts keep every digit', () => {
  expect(formatMoney(123_456_789.01)).toBe('$123456789.01')
  expect(formatExactMoney(123_456_789.012345)).toBe('$123456789.012345')
  expect(formatExactMoney(-0.0012)).toBe('-$0.0012')
  expect([5.001, -0.012, 0.001, -0.001].map(formatSignedCost)).toEqual(['+$5.00', '-$0.01', '$0.00', '$0.00'])
  expect([5, -0.0012, 0].map(formatSignedMoney)).toEqual(['+$5.00', '-$0.0012', '$0.00'])
})

test('a rate has two decimals, or more if the price needs them', () => {
  expect([0.02, 1.5, 0.0085].map(formatRate)).toEqual(['$0.02 / min', '$1.50 / min', '$0.0085 / min'])
  for (const price of [0, null, undefined]) expect(formatRate(price)).toBe('Free')
})

test('a running cost has four decimals', () => {
  expect([0, 0.0245, 1.5].map(formatRunningCost)).toEqual(['$0.0000', '$0.0245', '$1.5000'])
})

test('an axis has short amounts', () => {
  const shown = [0, 0.25, 12, 12.5, 1_200, 2_000, -1_500].map(formatShortMoney)
  expect(shown).toEqual(['$0', '$0.25', '$12', '$12.5', '$1.2k', '$2k', '-$1.5k'])
})

test('a missing amount is a dash', () => {
  for (const format of [formatMoney, formatCost, formatExactMoney])
    for (const missing of [null, undefined, Number.NaN]) expect(format(missing)).toBe('–')
})
