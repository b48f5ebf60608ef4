import fc from 'fast-check'
import { dollars, micros } from '../../money/index.ts'
import type { Rate } from '../index.ts'

export const amountUpTo = (wholeDollars: number) =>
  fc.bigInt({ min: 0n, max: dollars(wholeDollars) }).map((count) => micros(count))

const increment = fc.oneof(fc.constantFrom(1, 6, 7, 30, 60), fc.integer({ min: 1, max: 3_600 }))

/** Every rate that the database accepts, including free calls. */
export const anyRate: fc.Arbitrary<Rate> = fc.record({
  priceMicros: fc.oneof(amountUpTo(20), amountUpTo(0), fc.constant(micros(1n)), fc.constant(micros(10_001n))),
  connectFeeMicros: fc.oneof(amountUpTo(0), amountUpTo(5)),
  firstIncrement: increment,
  nextIncrement: increment,
})

export const pricedRate = anyRate.filter(({ priceMicros }) => priceMicros > 0n)
