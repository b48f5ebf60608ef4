import { expect, it } from 'vitest'
import { creditWords } from './words.ts'

const late = (payment: object) =>
  creditWords({
    reason: 'late',
    payment: { kind: 'topup', paid: 0, bonus: 0, ...payment },
  } as Parameters<typeof creditWords>[0])

it('promises a bonus with a late payment only if its promo code is still reserved', () => {
  expect(late({})).toBe('It is added to the balance.')
  expect(late({ bonus: 10, paid: 50 })).toBe('It is added to the balance.')
  expect(late({ bonus: 10 })).toBe('The full amount includes the promised bonus.')
  expect(late({ kind: 'upgrade' })).toContain('makes the customer premium')
})
