export type Ticker = {
  /** Calls `tick` every 20 ms until the returned function is called. */
  add(tick: () => void): () => void
  close(): void
}

const TICK_MS = 20
const SLOTS = 4
const SLOT_MS = TICK_MS / SLOTS
/** After a longer stall the missed ticks are skipped, because a burst of packets helps nobody. */
const MAX_BEHIND_MS = 200

/**
 * One timer for all calls. A call has a tick in one of four slots of 5 ms, so that the packets do not leave in one burst. Deadlines
 * are absolute: a late tick does not move the next one. `onLateness` gets the delay of each slot in milliseconds.
 */
export function createTicker(
  onError: (error: unknown) => void,
  onLateness: (lateMs: number, ticks: number) => void = () => {},
): Ticker {
  const slots: Set<() => void>[] = Array.from({ length: SLOTS }, () => new Set())
  let startedAt = 0
  let next = 0
  let stopWaiting: (() => void) | null = null

  function run(): void {
    let now = performance.now()
    const isStalled = now - deadline() > MAX_BEHIND_MS
    while (isStalled && now - deadline() > TICK_MS) {
      onLateness(now - deadline(), slots[next % SLOTS]?.size ?? 0)
      next += 1
    }
    for (let count = 0; count < SLOTS && now >= deadline(); count++) {
      const slot = slots[next % SLOTS]
      if (slot && slot.size > 0) {
        for (const tick of slot) {
          try {
            tick()
          } catch (error) {
            onError(error)
          }
        }
        // The delay of the last packet of the slot.
        onLateness(performance.now() - deadline(), slot.size)
      }
      next += 1
      now = performance.now()
    }
    stopWaiting = slots.some((slot) => slot.size > 0) ? wait(deadline() - now) : null
  }

  /** If ticks are overdue, the packets that have arrived meanwhile are received between two of them. */
  function wait(ms: number): () => void {
    if (ms > 0) {
      const timeout = setTimeout(run, ms)
      return () => clearTimeout(timeout)
    }
    const immediate = setImmediate(run)
    return () => clearImmediate(immediate)
  }

  const deadline = () => startedAt + next * SLOT_MS

  return {
    add(tick) {
      const slot = slots.reduce((smallest, other) => (other.size < smallest.size ? other : smallest))
      // The same function may be added twice.
      const own = () => tick()
      slot.add(own)
      if (stopWaiting === null) {
        startedAt = performance.now()
        next = 0
        stopWaiting = wait(0)
      }
      return () => slot.delete(own)
    },
    close() {
      stopWaiting?.()
      stopWaiting = null
      for (const slot of slots) slot.clear()
    },
  }
}
