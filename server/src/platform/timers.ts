/** Timers in real time, passed in so tests can control them. */
export type Timers = {
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void
  every(ms: number, run: () => void): () => void
  /** Monotonic time, for measuring durations. */
  elapsedMs(): number
}

export const systemTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
  elapsedMs: () => performance.now(),
}
