import { type Micros, ZERO } from '../money/index.ts'

/** Price per minute. Increments are seconds: calls are charged by the first block, then by whole next blocks. */
export type Rate = {
  readonly priceMicros: Micros
  readonly connectFeeMicros: Micros
  readonly firstIncrement: number
  readonly nextIncrement: number
}

export const billedBySecond = (priceMicros: Micros): Rate => ({
  priceMicros,
  connectFeeMicros: ZERO,
  firstIncrement: 1,
  nextIncrement: 1,
})

/** Replaces the rate of the route or trunk for numbers with this prefix. */
export type PrefixRate = Rate & { readonly prefix: string }
