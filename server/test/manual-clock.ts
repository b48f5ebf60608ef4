import type { Clock } from '../src/platform/clock.ts'

/** A clock that only tests advance. */
export type ManualClock = Clock & { advance(ms: number): void }

export function createManualClock(start = '2026-03-01T12:00:00.000Z'): ManualClock {
  let now = new Date(start).getTime()
  return {
    now: () => new Date(now),
    advance: (ms) => {
      now += ms
    },
  }
}
