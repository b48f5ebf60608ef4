export type Pacing = ReturnType<typeof createPacing>

/** Above this queue length no machine answers in time. */
const MAX_WAITING = 4_000

/**
 * Estimates whether a new request can be answered in time, from the queue length, the batch size and recent batch durations. A batch
 * in progress counts with its elapsed time.
 */
export function createPacing(
  elapsedMs: () => number,
  { atOnce, withinMs }: { atOnce: number; withinMs: number },
) {
  let waiting = 0
  let recentMs = 0
  const inProgress = new Set<number>()

  return {
    waiting: (): number => waiting,
    isTooMuch(): boolean {
      // With an empty queue the request is always tried.
      if (waiting === 0) return false
      if (waiting >= MAX_WAITING) return true
      const oldest = Math.min(...inProgress)
      const batchMs = Math.max(recentMs, inProgress.size > 0 ? elapsedMs() - oldest : 0)
      return (1 + waiting / atOnce) * batchMs > withinMs
    },
    async wait<Result>(work: () => Promise<Result>): Promise<Result> {
      waiting++
      try {
        return await work()
      } finally {
        waiting--
      }
    },
    async measure<Result>(work: () => Promise<Result>): Promise<Result> {
      // Two batches may have the same start time.
      let began = elapsedMs()
      while (inProgress.has(began)) began += 0.001
      inProgress.add(began)
      try {
        return await work()
      } finally {
        inProgress.delete(began)
        recentMs = 0.7 * recentMs + 0.3 * (elapsedMs() - began)
      }
    },
  }
}
