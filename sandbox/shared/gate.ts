/** Limits concurrency; further tasks wait in FIFO order. */
export function createGate(places: number) {
  let free = places
  const waiting: (() => void)[] = []

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((enter) => waiting.push(enter))
    try {
      return await work()
    } finally {
      // The slot goes directly to the next waiting task, so that a new task cannot take it.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
