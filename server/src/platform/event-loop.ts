import { setImmediate } from 'node:timers/promises'

/** Lets whoever waits have their turn: calls are decided in this process too. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

/** Long work that pauses by itself, done with everybody else's in between. */
export async function runYielding<Result>(work: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await yieldToEventLoop()
  }
}
