import type { Micros } from '../money/index.ts'

/** What a call costs. The increments are seconds: the first block is charged whole, then block after block. */
export type Rate = {
  readonly priceMicros: Micros
  readonly connectFeeMicros: Micros
  readonly firstIncrement: number
  readonly nextIncrement: number
}

/** A finer rate, for the numbers that begin so. */
export type PrefixRate = Rate & { readonly prefix: string }
