import { describe, expect, test } from 'vitest'
import { micros } from '../money/index.ts'
import { affordableSeconds, billedSeconds, costOf, MAX_CALL_SECONDS, type Rate } from './index.ts'

/** Calculated by hand, as a check of the property tests. */

const rate = (price: number, increments: `${number}/${number}`, fee = 0): Rate => {
  const [first = 0, next = 0] = increments.split('/').map(Number)
  return {
    priceMicros: micros(BigInt(price)),
    connectFeeMicros: micros(BigInt(fee)),
    firstIncrement: first,
    nextIncrement: next,
  }
}

describe('cost', () => {
  test.each([
    // price in micro-dollars a minute, increments, fee, seconds, billed, cost
    [60_000, '1/1', 0, 1, 1, 1_000n],
    [60_000, '1/1', 0, 59, 59, 59_000n],
    [60_000, '1/1', 0, 61, 61, 61_000n],
    [60_000, '6/6', 0, 1, 6, 6_000n],
    [60_000, '6/6', 0, 6, 6, 6_000n],
    [60_000, '6/6', 0, 7, 12, 12_000n],
    [60_000, '30/6', 0, 1, 30, 30_000n],
    [60_000, '30/6', 0, 30, 30, 30_000n],
    [60_000, '30/6', 0, 31, 36, 36_000n],
    [60_000, '30/6', 0, 36, 36, 36_000n],
    [60_000, '30/6', 0, 37, 42, 42_000n],
    [60_000, '60/60', 0, 1, 60, 60_000n],
    [60_000, '60/60', 0, 60, 60, 60_000n],
    [60_000, '60/60', 0, 61, 120, 120_000n],
    [60_000, '60/1', 0, 5, 60, 60_000n],
    [60_000, '60/1', 0, 61, 61, 61_000n],
    // The fee is charged once per call.
    [60_000, '1/1', 5_000, 1, 1, 6_000n],
    [60_000, '1/1', 5_000, 600, 600, 605_000n],
    [0, '1/1', 5_000, 600, 600, 5_000n],
    // 10,001 per minute is 166.68 per second, rounded up once.
    [10_001, '1/1', 0, 1, 1, 167n],
    [10_001, '1/1', 0, 2, 2, 334n],
    [10_001, '1/1', 0, 3, 3, 501n],
    [10_001, '1/1', 0, 60, 60, 10_001n],
    [10_001, '1/1', 0, 61, 61, 10_168n],
    [10_001, '6/6', 0, 7, 12, 2_001n],
    [10_001, '6/6', 250, 7, 12, 2_251n],
    [1, '1/1', 0, 1, 1, 1n],
    [1, '1/1', 0, 60, 60, 1n],
    [1, '1/1', 0, 61, 61, 2n],
    [0, '60/60', 0, 61, 120, 0n],
  ] as const)(
    '%i a minute, %s, fee %i: %i s are billed as %i s and cost %s',
    (price, increments, fee, seconds, billed, cost) => {
      expect(billedSeconds(rate(price, increments, fee), seconds)).toBe(billed)
      expect(costOf(rate(price, increments, fee), seconds)).toBe(cost)
    },
  )
})

describe('affordable seconds', () => {
  test.each([
    // price, increments, fee, balance, seconds
    [60_000, '1/1', 0, 7_000, 7],
    [60_000, '1/1', 0, 7_999, 7],
    [60_000, '1/1', 0, 999, 0],
    [60_000, '1/1', 5_000, 7_000, 2],
    [60_000, '1/1', 5_000, 5_999, 0],
    [60_000, '6/6', 0, 17_999, 12],
    [60_000, '30/6', 0, 29_999, 0],
    [60_000, '30/6', 0, 30_000, 30],
    [60_000, '30/6', 0, 41_999, 36],
    [60_000, '60/60', 0, 119_999, 60],
    [60_000, '60/1', 0, 61_000, 61],
    [10_001, '1/1', 0, 166, 0],
    [10_001, '1/1', 0, 167, 1],
    [10_001, '1/1', 0, 10_167, 60],
    [10_001, '1/1', 0, 10_168, 61],
    [0, '1/1', 0, 0, MAX_CALL_SECONDS],
    [0, '1/1', 5_000, 4_999, 0],
    [0, '1/1', 5_000, 5_000, MAX_CALL_SECONDS],
    // 14,400 is not a multiple of 7, so the last block, up to 14,406, is paid in full.
    [60_000, '7/7', 0, 14_405_999, 14_399],
    [60_000, '7/7', 0, 14_406_000, MAX_CALL_SECONDS],
  ] as const)(
    '%i a minute, %s, fee %i: a balance of %i lasts %i s',
    (price, increments, fee, balance, seconds) => {
      expect(affordableSeconds(rate(price, increments, fee), micros(BigInt(balance)))).toBe(seconds)
    },
  )
})
