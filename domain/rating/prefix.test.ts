import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../money/index.ts'
import { createPrefixIndex, longestPrefix, type PrefixRate, rateFor } from './index.ts'

/** Few different digits, so prefixes often match. */
const prefix = fc.string({ unit: fc.constantFrom('1', '2', '3'), minLength: 1, maxLength: 7 })
const number = fc.string({ unit: fc.constantFrom('1', '2', '3'), minLength: 0, maxLength: 12 })

const rate = (price: bigint) => ({
  priceMicros: micros(price),
  connectFeeMicros: micros(0n),
  firstIncrement: 1,
  nextIncrement: 1,
})

describe('the longest prefix', () => {
  test('matches the result of a linear search', () => {
    fc.assert(
      fc.property(fc.uniqueArray(prefix, { maxLength: 40 }), number, (prefixes, e164) => {
        const entries = prefixes.map((each) => ({ prefix: each }))
        const fitting = entries.filter((entry) => e164.startsWith(entry.prefix))
        const longest = fitting.sort((left, right) => right.prefix.length - left.prefix.length)[0]
        expect(longestPrefix(createPrefixIndex(entries), e164)).toBe(longest ?? null)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('the rate of a route', () => {
  const finer: PrefixRate[] = [
    { prefix: '44', ...rate(20n) },
    { prefix: '447', ...rate(30n) },
    { prefix: '447911', ...rate(40n) },
  ]
  test.each([
    ['442079460018', 20n, '44'],
    ['447700123456', 30n, '447'],
    ['447911123456', 40n, '447911'],
    ['33612345678', 10n, null],
    ['4', 10n, null],
  ])('for %s is %s, by %s', (e164, price, by) => {
    const found = rateFor(rate(10n), createPrefixIndex(finer), e164)
    expect([found.rate.priceMicros, found.prefix]).toEqual([price, by])
  })
})
