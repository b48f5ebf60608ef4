/** Lets so many run at a time; the rest wait in the order they came. */
export function createGate(places: number) {
  let free = places
  const waiting: (() => void)[] = []

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((enter) => waiting.push(enter))
    try {
      return await work()
    } finally {
      // The place is handed on, not freed, so that nobody who comes just now can take it in between.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
