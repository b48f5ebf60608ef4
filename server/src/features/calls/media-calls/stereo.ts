import type { Sink } from './taps.ts'

/** A-law silence. */
const SILENCE = 0xd5
/** 200 ms: a side that is further behind sends nothing. */
const MAX_LAG = 1_600

/** Interleaves two streams. The side that lags too far behind is filled with silence, so both keep the same clock. */
export function createStereo(write: Sink): { left: Sink; right: Sink; flush(): void } {
  const left: number[] = []
  const right: number[] = []

  function writeBoth(count: number): void {
    if (count === 0) return
    const samples = new Uint8Array(count * 2)
    const [a, b] = [left.splice(0, count), right.splice(0, count)]
    for (let at = 0; at < count; at++) {
      samples[at * 2] = a[at] ?? SILENCE
      samples[at * 2 + 1] = b[at] ?? SILENCE
    }
    write(samples)
  }

  function add(own: number[], other: number[], packet: Uint8Array): void {
    own.push(...packet)
    while (own.length - other.length > MAX_LAG) other.push(SILENCE)
    writeBoth(Math.min(own.length, other.length))
  }

  return {
    left: (packet) => add(left, right, packet),
    right: (packet) => add(right, left, packet),
    flush: () => writeBoth(Math.max(left.length, right.length)),
  }
}
