import { describe, expect, it } from 'vitest'
import { billingTerms } from './prices.ts'

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
