import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dollars, type Micros, micros, ZERO } from '../money/index.ts'
import { billedBySecond, costOfMinute, type Rate } from '../rating/index.ts'
import { anyRate } from '../rating/test/rate-arbitrary.ts'
import {
  chooseCost,
  decidePrice,
  effectOf,
  marginOf,
  type PricingRule,
  priceFor,
  ROUNDING_STEPS,
  targetOf,
} from './index.ts'

const amount = (max: bigint) => fc.bigInt({ min: 0n, max }).map((count) => micros(count))

const anyRule: fc.Arbitrary<PricingRule> = fc.record({
  percentTenths: fc.integer({ min: 0, max: 10_000 }),
  floorMicros: amount(5_000_000n),
  lowestMicros: amount(5_000_000n),
  stepMicros: fc.constantFrom(...ROUNDING_STEPS),
})
const anyCost = fc.oneof(amount(100_000n), amount(1_000_000_000n))
const runs = { numRuns: 1_000 }

const sameForAll = (check: (rule: PricingRule, cost: Micros, rate: Rate, price: Micros) => void) =>
  fc.assert(
    fc.property(anyRule, anyCost, anyRate, (rule, cost, rate) =>
      check(rule, cost, rate, priceFor(rule, cost, rate)),
    ),
    runs,
  )
const earnedAt = (rate: Rate, priceMicros: Micros) => costOfMinute({ ...rate, priceMicros })

const plain: PricingRule = {
  percentTenths: 200,
  floorMicros: ZERO,
  lowestMicros: ZERO,
  stepMicros: micros(100n),
}
const perSecond = billedBySecond(ZERO)
const limits = { includesFree: false, maxPriceMicros: dollars(1_000) }

describe('a price from cost', () => {
  it('is never below cost, and leaves the percentage and the floor on a one-minute call', () => {
    sameForAll((rule, cost, rate, price) => {
      const margin = earnedAt(rate, price) - cost
      expect(margin >= 0n).toBe(true)
      expect(margin >= rule.floorMicros).toBe(true)
      expect(margin * 1_000n >= cost * BigInt(rule.percentTenths)).toBe(true)
    })
  })

  it('is a multiple of the step and at least the lowest price', () => {
    sameForAll((rule, _cost, _rate, price) => {
      expect(price % rule.stepMicros).toBe(0n)
      expect(price >= rule.lowestMicros).toBe(true)
    })
  })

  it('is the smallest such price: one step less earns too little or is below the lowest price', () => {
    sameForAll((rule, cost, rate, price) => {
      const less = micros(price - rule.stepMicros)
      if (less < 0n) return
      const isEnough = earnedAt(rate, less) >= targetOf(rule, cost) && less >= rule.lowestMicros
      expect(isEnough).toBe(false)
    })
  })

  it('never falls when the cost rises', () => {
    sameForAll((rule, cost, rate, price) => {
      expect(priceFor(rule, micros(cost + 1n), rate) >= price).toBe(true)
    })
  })

  it.each([
    // cost, percent in tenths, floor, lowest, step, price
    [10_000n, 200, 0n, 0n, 100n, 12_000n],
    [10_001n, 200, 0n, 0n, 100n, 12_100n],
    [10_000n, 125, 0n, 0n, 5_000n, 15_000n],
    [10_000n, 200, 3_000n, 0n, 1_000n, 13_000n],
    [10_000n, 0, 0n, 20_000n, 10_000n, 20_000n],
    [10_000n, 0, 0n, 0n, 10_000n, 10_000n],
    [1n, 1, 0n, 0n, 100n, 100n],
    [10_000n, 10_000, 0n, 0n, 100n, 110_000n],
  ])(
    'of cost %s, percent %s, floor %s, lowest %s, step %s is %s',
    (cost, percentTenths, floor, lowest, step, price) => {
      const rule = {
        percentTenths,
        floorMicros: micros(floor),
        lowestMicros: micros(lowest),
        stepMicros: micros(step),
      }
      expect(priceFor(rule, micros(cost), perSecond)).toBe(price)
    },
  )

  it('counts the connect fee and the increments of the rate', () => {
    const cost = micros(10_000n)
    expect(priceFor(plain, cost, { ...perSecond, connectFeeMicros: micros(2_000n) })).toBe(10_000n)
    expect(priceFor(plain, cost, { ...perSecond, connectFeeMicros: micros(50_000n) })).toBe(0n)
    expect(priceFor(plain, cost, { ...perSecond, firstIncrement: 120 })).toBe(6_000n)
  })
})

describe('a decision', () => {
  const decide = (changes: Partial<Parameters<typeof decidePrice>[0]>) =>
    decidePrice({
      rule: plain,
      costMicros: micros(10_000n),
      rate: billedBySecond(micros(15_000n)),
      ...limits,
      ...changes,
    })

  it('leaves a price that is already right unchanged', () => {
    fc.assert(
      fc.property(anyRule, anyCost, anyRate, (rule, costMicros, rate) => {
        const question = { rule, costMicros, ...limits, includesFree: true }
        const { priceMicros } = decidePrice({ ...question, rate })
        if (priceMicros === null) return
        expect(decidePrice({ ...question, rate: { ...rate, priceMicros } }).priceMicros).toBe(priceMicros)
      }),
      runs,
    )
  })

  it('skips a route without a usable trunk', () => {
    expect(decide({ costMicros: null })).toEqual({ skipped: 'no_trunk', priceMicros: null })
  })

  it('skips a free route unless it is included', () => {
    const rate = billedBySecond(ZERO)
    expect(decide({ rate }).skipped).toBe('free')
    expect(decide({ rate, includesFree: true })).toEqual({ skipped: null, priceMicros: 12_000n })
  })

  it('never makes a call free because its cost is zero', () => {
    expect(decide({ costMicros: ZERO }).skipped).toBe('no_cost')
    const lowestMicros = micros(1n)
    expect(decide({ costMicros: ZERO, rule: { ...plain, lowestMicros } }).priceMicros).toBe(100n)
  })

  it('skips a price above the maximum', () => {
    expect(decide({ costMicros: dollars(900) }).skipped).toBe('too_high')
    expect(decide({ costMicros: dollars(800) }).priceMicros).toBe(960_000_000n)
  })
})

describe('the cost of a route', () => {
  const costs = [30n, 10n, 30n, 20n].map((count, id) => ({ id, costMicros: micros(count) }))

  it('is that of the dearest or cheapest trunk, the first of equals', () => {
    expect(chooseCost(costs, 'dearest')?.id).toBe(0)
    expect(chooseCost(costs, 'cheapest')?.id).toBe(1)
    expect(chooseCost([], 'dearest')).toBeNull()
  })
})

describe('the margin', () => {
  it('is a share of the price, negative below cost, without a percentage for a free call', () => {
    const at = (price: bigint) => marginOf(billedBySecond(micros(price)), micros(10_000n))
    expect(at(12_000n)).toEqual({ marginMicros: 2_000n, percentTenths: 167 })
    expect(at(8_000n)).toEqual({ marginMicros: -2_000n, percentTenths: -250 })
    expect(at(0n)).toEqual({ marginMicros: -10_000n, percentTenths: null })
  })
})

describe('the effect on revenue', () => {
  it('is the difference in price for the minutes of the calls', () => {
    expect(effectOf(micros(10_000n), micros(12_000n), 90n)).toBe(3_000n)
    expect(effectOf(micros(12_000n), micros(10_000n), 90n)).toBe(-3_000n)
  })
})
