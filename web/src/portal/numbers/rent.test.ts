import { expect, it } from 'vitest'
import { costsOf } from './rent.ts'

it('adds the first month and the set-up fee, and subtracts them from what is not held', () => {
  expect(costsOf({ monthly: 1.1, setup: 2.2 }, { bal: 10, held: 0.5 })).toEqual({
    now: 3.3,
    rest: 6.2,
    isCovered: true,
  })
})

it('covers a price that takes the whole balance, and no micro-dollar more', () => {
  expect(costsOf({ monthly: 1.5, setup: 0 }, { bal: 1.5, held: 0 }).isCovered).toBe(true)
  expect(costsOf({ monthly: 1.5, setup: 0 }, { bal: 1.5, held: 0.000001 })).toMatchObject({
    isCovered: false,
    rest: -0.000001,
  })
})
