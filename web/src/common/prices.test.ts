import { describe, expect, it } from 'vitest'
import { billingTerms, costInDollars, perMinute } from './prices.ts'

describe('perMinute', () => {
  it('writes two decimals, and more only where the price has them', () => {
    expect(perMinute(0.02)).toBe('$0.02 / min')
    expect(perMinute(1.5)).toBe('$1.50 / min')
    expect(perMinute(0.0085)).toBe('$0.0085 / min')
  })

  it('says Free when zero or absent', () => {
    for (const price of [0, null, undefined]) expect(perMinute(price)).toBe('Free')
  })
})

describe('costInDollars', () => {
  it('goes to the nearest cent', () => {
    expect(costInDollars(0.0085)).toBe('$0.01')
    expect(costInDollars(0.0049)).toBe('$0.00')
    expect(costInDollars(12)).toBe('$12.00')
  })
})

describe('billingTerms', () => {
  it('says nothing of what is charged by the second', () => {
    expect(billingTerms({ connect_fee: 0, first_increment: 1, next_increment: 1 })).toBeNull()
  })

  it('names the steps and the fee', () => {
    expect(billingTerms({ connect_fee: 0, first_increment: 60, next_increment: 60 })).toBe('billed per 60 s')
    expect(billingTerms({ connect_fee: 0.01, first_increment: 30, next_increment: 6 })).toBe(
      'minimum 30 s, then per 6 s, $0.01 per answered call',
    )
  })
})
