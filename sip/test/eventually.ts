import { setTimeout as pause } from 'node:timers/promises'

/** What a busy machine may take; one that has time waits no longer than it must. */
const PATIENCE_MS = 90_000

/** By so much a busy machine may be late: a switch that ends a call, or a test that notices it. */
export const LATE_MS = 5_000

/** Waits for something of other processes to become true, and says what it was when it does not. */
export async function eventually<Value>(
  look: () => Value | undefined | false | null,
  what: string,
  withinMs = PATIENCE_MS,
): Promise<Value> {
  for (const giveUpAt = Date.now() + withinMs; ; await pause(10)) {
    const found = look()
    if (found) return found
    if (Date.now() > giveUpAt) throw new Error(`There was no ${what} within ${withinMs} ms`)
  }
}
