import { setTimeout as pause } from 'node:timers/promises'

/** Generous, because the machine may be busy. */
const TIMEOUT_MS = 90_000

/** Tolerance for the end of a call on a busy machine. */
export const LATE_MS = 5_000

type Maybe<Value> = Value | undefined | false | null

/** Polls until the condition holds; the error names what was missing. */
export async function eventually<Value>(
  condition: () => Maybe<Value> | Promise<Maybe<Value>>,
  what: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Value> {
  for (const deadline = Date.now() + timeoutMs; ; await pause(10)) {
    const found = await condition()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`)
  }
}

/** A timer that is this late shows that the machine stopped. */
const STOP_MS = 500
const WATCH_MS = 50

type Stops = {
  lastAt(): number
  totalMs(): number
  /** How long this process waited for the processor, also in short moments. */
  lateMs(): number
  close(): void
}

/** Observes stops of the machine, for limits that count from the last one or allow for all of them. */
export function watchStops(): Stops {
  let lastAt = 0
  let totalMs = 0
  let lateMs = 0
  let before = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    if (now - before > STOP_MS) {
      lastAt = now
      totalMs += now - before
    }
    lateMs += Math.max(0, now - before - WATCH_MS)
    before = now
  }, WATCH_MS)
  return {
    lastAt: () => lastAt,
    totalMs: () => totalMs,
    lateMs: () => lateMs,
    close: () => clearInterval(timer),
  }
}
