import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ceilDiv,
  dollars,
  floorDiv,
  formatCost,
  formatDollars,
  formatExact,
  micros,
  parseAmount,
  parseDollars,
  percentageOf,
  roundDiv,
  shareRoundedUp,
  toWireNumber,
  WIRE_LIMIT_MICROS,
} from './index.ts'

const wireAmount = fc
  .bigInt({ min: -WIRE_LIMIT_MICROS + 1n, max: WIRE_LIMIT_MICROS - 1n })
  .map((count) => micros(count))
const anyAmount = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((count) => micros(count))
const divisor = fc.bigInt({ min: 1n, max: 10n ** 9n })
const runs = { numRuns: 5_000 }

/** Parses formatted text independently of the parser under test. */
const readBack = (shown: string): bigint => {
  const [whole = '', fraction = ''] = shown.replace(/[-$]/g, '').split('.')
  const size = BigInt(whole + fraction.padEnd(6, '0'))
  return shown.startsWith('-') ? -size : size
}

describe('dollars on the wire', () => {
  test('round-trip exactly below $1 billion, as a number and as JSON', () => {
    fc.assert(
      fc.property(wireAmount, (amount) => {
        const overTheWire = JSON.parse(JSON.stringify({ bal: toWireNumber(amount) })).bal
        expect(parseDollars(overTheWire)).toEqual({ ok: true, amountMicros: amount })
      }),
      runs,
    )
  })

  test('are parsed exactly or refused, never rounded', () => {
    fc.assert(
      fc.property(fc.double(), (wire) => {
        const parsed = parseDollars(wire)
        if (parsed.ok) expect(toWireNumber(parsed.amountMicros)).toBe(wire === 0 ? 0 : wire)
      }),
      runs,
    )
  })

  test.each([
    [0.1, 100_000n],
    ['0.1', 100_000n],
    [149.99, 149_990_000n],
    ['1.0000000000', 1_000_000n],
    [-0, 0n],
    [0.000001, 1n],
    ['-2.5', -2_500_000n],
  ])('%s is %s micro-dollars', (wire, amountMicros) => {
    expect(parseDollars(wire)).toEqual({ ok: true, amountMicros })
  })

  test.each([
    [Number.NaN, 'not_a_number'],
    [Number.POSITIVE_INFINITY, 'not_a_number'],
    ['', 'not_a_number'],
    [' 1', 'not_a_number'],
    ['1e3', 'not_a_number'],
    ['$5', 'not_a_number'],
    ['1,000', 'not_a_number'],
    ['.5', 'not_a_number'],
    ['٣', 'not_a_number'],
    [null, 'not_a_number'],
    [[5], 'not_a_number'],
    [true, 'not_a_number'],
    ['9'.repeat(41), 'not_a_number'],
    [0.1 + 0.2, 'too_many_decimals'],
    [1e-7, 'too_many_decimals'],
    ['0.0000001', 'too_many_decimals'],
    [1_000_000_000, 'too_large'],
    [1e21, 'too_large'],
  ])('%s is refused: %s', (wire, fault) => {
    expect(parseDollars(wire)).toEqual({ ok: false, fault })
  })
})

describe('top-up amounts', () => {
  test.each([
    [0.01, true],
    [10_000, true],
    ['10000.00', true],
    [10_000.01, 'too_large'],
    [0, 'not_positive'],
    [-5, 'not_positive'],
    [0.001, 'too_many_decimals'],
    [9.999, 'too_many_decimals'],
  ])('%s: %s', (wire, outcome) => {
    const parsed = parseAmount(wire)
    expect(parsed.ok || parsed.fault).toBe(outcome)
  })

  test('are whole cents within the limits', () => {
    const wire = fc.oneof(
      fc.double({ min: -1, max: 10_001 }),
      fc.integer({ min: -100, max: 1_000_100 }).map((n) => n / 100),
    )
    fc.assert(
      fc.property(wire, (amount) => {
        const parsed = parseAmount(amount)
        if (!parsed.ok) return
        expect(parsed.amountMicros % 10_000n).toBe(0n)
        expect(parsed.amountMicros > 0n && parsed.amountMicros <= dollars(10_000)).toBe(true)
      }),
      runs,
    )
  })
})

describe('formatted amounts', () => {
  test('round a balance down to whole cents', () => {
    fc.assert(
      fc.property(wireAmount, (balance) => {
        const hidden = balance - readBack(formatDollars(balance))
        expect(hidden >= 0n && hidden < 10_000n).toBe(true)
      }),
      runs,
    )
  })

  test('round a cost to the nearest cent, symmetrically for credits and debits', () => {
    fc.assert(
      fc.property(wireAmount, (cost) => {
        const error = cost - readBack(formatCost(cost))
        expect(error >= -5_000n && error <= 5_000n).toBe(true)
        if (cost > 5_000n) expect(formatCost(micros(-cost))).toBe(`-${formatCost(cost)}`)
      }),
      runs,
    )
  })

  test('include every digit in the exact form', () => {
    fc.assert(
      fc.property(wireAmount, (amount) => {
        expect(readBack(formatExact(amount))).toBe(amount)
      }),
      runs,
    )
  })

  test.each([
    [1_000_000_000n, '$1000.00', '$1000.00', '$1000.00'],
    [1_234_567_890n, '$1234.56', '$1234.57', '$1234.56789'],
    [5_000n, '$0.00', '$0.01', '$0.005'],
    [-1n, '-$0.01', '$0.00', '-$0.000001'],
    [0n, '$0.00', '$0.00', '$0.00'],
  ])('%s micro-dollars: balance %s, cost %s, exactly %s', (count, balance, cost, exact) => {
    const amount = micros(count)
    expect([formatDollars(amount), formatCost(amount), formatExact(amount)]).toEqual([balance, cost, exact])
  })
})

describe('rounding', () => {
  test('floorDiv, ceilDiv and roundDiv bracket the exact quotient', () => {
    fc.assert(
      fc.property(anyAmount, divisor, (amount, by) => {
        const [down, up, nearest] = [floorDiv(amount, by), ceilDiv(amount, by), roundDiv(amount, by)]
        expect(down * by <= amount && amount < (down + 1n) * by).toBe(true)
        expect(up * by >= amount && amount > (up - 1n) * by).toBe(true)
        const error = 2n * (amount - nearest * by)
        expect(error <= by && error >= -by).toBe(true)
      }),
      runs,
    )
  })

  test('throws for a denominator of zero or below', () => {
    for (const by of [0n, -1n]) expect(() => ceilDiv(1n, by)).toThrow(RangeError)
  })

  test('shareRoundedUp exceeds the exact share by less than a micro-dollar', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.bigInt({ min: 0n, max: 86_400n }),
        (price, seconds) => {
          const cost = shareRoundedUp(micros(price), seconds, 60n)
          const excess = cost * 60n - price * seconds
          expect(excess >= 0n && excess < 60n).toBe(true)
        },
      ),
      runs,
    )
  })

  test('a percentage rounded down and the rest rounded up add up to the amount', () => {
    fc.assert(
      fc.property(wireAmount, fc.integer({ min: 0, max: 10_000 }), (amount, basisPoints) => {
        const given = percentageOf(amount, basisPoints, 'down')
        const rest = percentageOf(amount, 10_000 - basisPoints, 'up')
        expect(given + rest).toBe(amount)
        expect(given * 10_000n <= amount * BigInt(basisPoints)).toBe(true)
      }),
      runs,
    )
    expect(percentageOf(dollars(100), 250, 'up')).toBe(2_500_000n)
  })
})
