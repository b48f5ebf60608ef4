import { expect, test } from 'vitest'
import { inDollars, restInDollars, takenInDollars, totalInDollars } from './dollars.ts'

test('dollars have two decimals and no separators', () => {
  expect(inDollars(1000)).toBe('$1000.00')
  expect(inDollars(0)).toBe('$0.00')
  expect(inDollars(149.99)).toBe('$149.99')
  expect(inDollars(-3.5)).toBe('-$3.50')
})

test('a balance is rounded down to the cent', () => {
  expect(inDollars(9.999999)).toBe('$9.99')
})

test('totals and remainders are exact', () => {
  expect(totalInDollars(0.1, 0.2)).toBe('$0.30')
  expect(totalInDollars(1000, 100, 0.05)).toBe('$1100.05')
  expect(restInDollars(1200, 2.5)).toBe('$1197.50')
})

test('the displayed parts of a balance add up to the cent', () => {
  expect(inDollars(270.289)).toBe('$270.28')
  expect(takenInDollars(270.289, 0.071)).toBe('$0.07')
  expect(restInDollars(270.289, 0.071)).toBe('$270.21')
  expect(takenInDollars(270.28, 0.061)).toBe('$0.07')
  expect(restInDollars(270.28, 0.061)).toBe('$270.21')
})
