/** Lateness of packets in milliseconds, counted in steps of 0.1 ms. */
export function createLateness() {
  const counts = new Uint32Array(20_000)
  return {
    note(lateMs: number, packets: number): void {
      const at = Math.min(counts.length - 1, Math.max(0, Math.floor(lateMs * 10)))
      counts[at] = (counts[at] ?? 0) + packets
    },
    summary(): Lateness {
      const total = counts.reduce((sum, count) => sum + count, 0)
      const at = (share: number) => {
        let left = total * share
        const found = counts.findIndex((count) => {
          left -= count
          return count > 0 && left <= 0
        })
        return Math.max(0, found) / 10
      }
      return { packets: total, p50: at(0.5), p99: at(0.99), worst: at(1) }
    },
    reset: () => void counts.fill(0),
  }
}

export type Lateness = { packets: number; p50: number; p99: number; worst: number }
