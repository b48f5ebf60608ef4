import type { Rate } from './rate.ts'

type Increments = Pick<Rate, 'firstIncrement' | 'nextIncrement'>

/** Seconds that are charged: the first block, then as many next blocks as it takes. None for a call nobody answered. */
export function billedSeconds({ firstIncrement, nextIncrement }: Increments, seconds: number): number {
  if (seconds <= 0) return 0
  const blocks = Math.ceil(Math.max(0, seconds - firstIncrement) / nextIncrement)
  return firstIncrement + blocks * nextIncrement
}

/** The end of the last block that is whole within so many seconds; 0 when not even the first is. */
export function wholeBlocks({ firstIncrement, nextIncrement }: Increments, seconds: number): number {
  if (seconds < firstIncrement) return 0
  return firstIncrement + Math.floor((seconds - firstIncrement) / nextIncrement) * nextIncrement
}
