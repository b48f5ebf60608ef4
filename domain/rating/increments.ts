import type { Rate } from './rate.ts'

type Increments = Pick<Rate, 'firstIncrement' | 'nextIncrement'>

/** Rounds up to the first block plus whole next blocks. 0 for an unanswered call. */
export function billedSeconds({ firstIncrement, nextIncrement }: Increments, seconds: number): number {
  if (seconds <= 0) return 0
  const blocks = Math.ceil(Math.max(0, seconds - firstIncrement) / nextIncrement)
  return firstIncrement + blocks * nextIncrement
}

/** Rounds down to the end of the last whole block. 0 if the first block does not fit. */
export function wholeBlocks({ firstIncrement, nextIncrement }: Increments, seconds: number): number {
  if (seconds < firstIncrement) return 0
  return firstIncrement + Math.floor((seconds - firstIncrement) / nextIncrement) * nextIncrement
}
