import type { Micros } from '../money/index.ts'

/** Price per minute. Increments are seconds: calls are charged by the first block, then by whole next blocks. */
export type Rate = {
  readonly priceMicros: Micros
  readonly connectFeeMicros: Micros
  readonly firstIncrement: number
  readonly nextIncrement: number
}

/** Replaces the route's rate for numbers with this prefix. */
export type PrefixRate = Rate & { readonly prefix: string }
