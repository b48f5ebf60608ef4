import { setImmediate } from 'node:timers/promises'

/** Lets whoever waits have their turn: calls are decided in this process too. */
export const nextTurn = (): Promise<void> => setImmediate()

/** Long work that pauses by itself, done with everybody else's in between. */
export async function inSteps<Result>(work: Generator<undefined, Result, undefined>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await nextTurn()
  }
}
