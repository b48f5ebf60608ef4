import { describe, expect, it } from 'vitest'
import { billingTerms, costInDollars, perMinute } from './prices.ts'

describe('perMinute', () => {
  it('has two decimals, or more if the price needs them', () => {
    expect(perMinute(0.02)).toBe('$0.02 / min')
    expect(perMinute(1.5)).toBe('$1.50 / min')
    expect(perMinute(0.0085)).toBe('$0.0085 / min')
  })

  it('is Free for zero or no price', () => {
    for (const price of [0, null, undefined]) expect(perMinute(price)).toBe('Free')
  })
})

describe('costInDollars', () => {
  it('rounds to the nearest cent', () => {
    expect(costInDollars(0.0085)).toBe('$0.01')
    expect(costInDollars(0.0049)).toBe('$0.00')
    expect(costInDollars(12)).toBe('$12.00')
  })
})

describe('billingTerms', () => {
  it('is null for per-second billing without a fee', () => {
    expect(billingTerms({ connect_fee: 0, first_increment: 1, next_increment: 1 })).toBeNull()
  })

  it('describes increments and connect fee', () => {
    expect(billingTerms({ connect_fee: 0, first_increment: 60, next_increment: 60 })).toBe('billed per 60 s')
    expect(billingTerms({ connect_fee: 0.01, first_increment: 30, next_increment: 6 })).toBe(
      'minimum 30 s, then per 6 s, $0.01 per answered call',
    )
  })
})
