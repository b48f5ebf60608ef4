/** Retransmission intervals of a request until its reply, and of a 200 until its ACK; RFC 3261, timers A, E and G. */
export const FIRST_REPEAT_MS = 500
export const MAX_REPEATS = 8
const LAST_REPEAT_MS = 4_000

export const nextWait = (wait: number): number => Math.min(wait * 2, LAST_REPEAT_MS)

/** Repeats requests until their reply. They are known by their branch. */
export function createRepeats() {
  const timers = new Map<string, NodeJS.Timeout>()

  function stop(branch: string): void {
    clearTimeout(timers.get(branch))
    timers.delete(branch)
  }

  function send(branch: string, transmit: () => void, count = 0, wait = FIRST_REPEAT_MS): void {
    transmit()
    stop(branch)
    if (count >= MAX_REPEATS) return
    const repeat = () => send(branch, transmit, count + 1, nextWait(wait))
    timers.set(branch, setTimeout(repeat, wait))
  }

  return {
    send: (branch: string, transmit: () => void): void => send(branch, transmit),
    stop,
    stopAll: (): void => [...timers.keys()].forEach(stop),
  }
}
