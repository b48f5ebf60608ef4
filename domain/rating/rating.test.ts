import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../money/index.ts'
import { affordableSeconds, billedSeconds, costOf, MAX_CALL_SECONDS, secondsBetween } from './index.ts'
import { amountUpTo, anyRate, pricedRate } from './test/rate-arbitrary.ts'

const runs = { numRuns: 1_500 }
const talked = fc.integer({ min: 1, max: MAX_CALL_SECONDS })

describe('billed seconds', () => {
  test('cover the talked seconds and exceed them by less than one increment', () => {
    fc.assert(
      fc.property(anyRate, talked, (rate, seconds) => {
        const lastIncrement = seconds <= rate.firstIncrement ? rate.firstIncrement : rate.nextIncrement
        const extra = billedSeconds(rate, seconds) - seconds
        expect(extra).toBeGreaterThanOrEqual(0)
        expect(extra).toBeLessThan(lastIncrement)
      }),
      runs,
    )
  })

  test('are the first block plus whole blocks, and billing them again changes nothing', () => {
    fc.assert(
      fc.property(anyRate, talked, (rate, seconds) => {
        const billed = billedSeconds(rate, seconds)
        expect(billed).toBeGreaterThanOrEqual(rate.firstIncrement)
        expect((billed - rate.firstIncrement) % rate.nextIncrement).toBe(0)
        expect(billedSeconds(rate, billed)).toBe(billed)
      }),
      runs,
    )
  })
})

describe('the cost', () => {
  test('is the exact cost of the billed seconds, rounded up to a micro-dollar', () => {
    fc.assert(
      fc.property(anyRate, talked, (rate, seconds) => {
        const sixtieths = rate.priceMicros * BigInt(billedSeconds(rate, seconds))
        const charged = (costOf(rate, seconds) - rate.connectFeeMicros) * 60n
        expect(charged).toBeGreaterThanOrEqual(sixtieths)
        expect(charged - sixtieths).toBeLessThan(60n)
      }),
      runs,
    )
  })

  test('never decreases during a call', () => {
    fc.assert(
      fc.property(anyRate, talked, talked, (rate, left, right) => {
        const [shorter, longer] = left < right ? [left, right] : [right, left]
        expect(costOf(rate, shorter)).toBeLessThanOrEqual(costOf(rate, longer))
      }),
      runs,
    )
  })

  test('is zero for an unanswered call, without a fee', () => {
    fc.assert(fc.property(anyRate, (rate) => costOf(rate, 0) === 0n))
  })
})

describe('affordable seconds', () => {
  test('cost at most the balance, and one more second would exceed it', () => {
    fc.assert(
      fc.property(anyRate, amountUpTo(5_000), (rate, balance) => {
        const seconds = affordableSeconds(rate, balance)
        expect(seconds).toBeGreaterThanOrEqual(0)
        expect(seconds).toBeLessThanOrEqual(MAX_CALL_SECONDS)
        expect(costOf(rate, seconds)).toBeLessThanOrEqual(balance)
        if (seconds < MAX_CALL_SECONDS) expect(costOf(rate, seconds + 1)).toBeGreaterThan(balance)
      }),
      runs,
    )
  })

  test('match the exact cost of a block, and shrink with one micro-dollar less', () => {
    fc.assert(
      fc.property(pricedRate, talked, (rate, seconds) => {
        const exactly = costOf(rate, seconds)
        const blockEnd = Math.min(billedSeconds(rate, seconds), MAX_CALL_SECONDS)
        expect(affordableSeconds(rate, exactly)).toBeGreaterThanOrEqual(blockEnd)
        expect(affordableSeconds(rate, micros(exactly - 1n))).toBeLessThan(seconds)
      }),
      runs,
    )
  })

  test('end with a whole block', () => {
    fc.assert(
      fc.property(pricedRate, amountUpTo(100), (rate, balance) => {
        const seconds = affordableSeconds(rate, balance)
        if (seconds < MAX_CALL_SECONDS) expect(billedSeconds(rate, seconds)).toBe(seconds)
      }),
      runs,
    )
  })

  test('are 0 for a negative balance and limited to the longest call', () => {
    fc.assert(
      fc.property(pricedRate, (rate) => {
        expect(affordableSeconds(rate, micros(-1n))).toBe(0)
        expect(affordableSeconds(rate, micros(2n ** 62n))).toBe(MAX_CALL_SECONDS)
      }),
    )
  })
})

describe('seconds between answer and end', () => {
  test.each([
    [0, 1],
    [1, 1],
    [999, 1],
    [1_000, 1],
    [1_001, 2],
    [59_999, 60],
    [60_000, 60],
    [-5_000, 1],
  ])('%i ms are %i s', (ms, seconds) => {
    expect(secondsBetween(1_700_000_000_000, 1_700_000_000_000 + ms)).toBe(seconds)
  })
})
