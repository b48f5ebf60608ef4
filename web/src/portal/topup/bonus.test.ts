import { expect, test } from 'vitest'
import { bonusOn } from './bonus.ts'

test('computes the bonus of each promo type', () => {
  expect(bonusOn(1000, { type: 'percentage', value: 10 })).toBe(100)
  expect(bonusOn(0.99, { type: 'percentage', value: 12.5 })).toBe(0.12375)
  expect(bonusOn(2000, { type: 'fixed_amount', value: 25 })).toBe(25)
  expect(bonusOn(24.99, { type: 'fixed_amount', value: 25 })).toBe(0)
  expect(bonusOn(2000, { type: 'account_credit', value: 25 })).toBe(0)
})
