export type Pacing = ReturnType<typeof createPacing>

/** Beyond this many questions in the queue nobody is answered in time on any machine. */
const MAX_WAITING = 4_000

/**
 * Can a question that comes now be answered in time? Judged by how many wait, how many go at once, and how long that takes of
 * late; a batch that is still under way counts with the time it has taken so far.
 */
export function createPacing(
  elapsedMs: () => number,
  { atOnce, withinMs }: { atOnce: number; withinMs: number },
) {
  let waiting = 0
  let recentMs = 0
  const underWay = new Set<number>()

  return {
    waiting: (): number => waiting,
    isTooMuch(): boolean {
      // With nobody before it, the question itself finds out how things stand.
      if (waiting === 0) return false
      if (waiting >= MAX_WAITING) return true
      const oldest = Math.min(...underWay)
      const batchMs = Math.max(recentMs, underWay.size > 0 ? elapsedMs() - oldest : 0)
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
      // Two batches of one moment are still two.
      let began = elapsedMs()
      while (underWay.has(began)) began += 0.001
      underWay.add(began)
      try {
        return await work()
      } finally {
        underWay.delete(began)
        recentMs = 0.7 * recentMs + 0.3 * (elapsedMs() - began)
      }
    },
  }
}
