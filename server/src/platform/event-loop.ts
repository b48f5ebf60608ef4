import { setImmediate } from 'node:timers/promises'

/** Lets pending events run, such as call admissions in the same process. */
export const yieldToEventLoop = (): Promise<void> => setImmediate()

/** Runs a generator and yields to the event loop between steps. */
export async function runYielding<Result>(work: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await yieldToEventLoop()
  }
}
