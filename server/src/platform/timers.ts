/** What has to happen at a moment of real time. Handed in, so that a test may do it by hand. */
export type Timers = {
  /** The answer takes it back. */
  after(ms: number, run: () => void): () => void
  every(ms: number, run: () => void): () => void
  /** Since some moment; for measuring how long something took. */
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
