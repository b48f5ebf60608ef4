import type { Logger } from 'pino'
import type { Clock } from '../../../platform/clock.ts'
import { isDatabaseUnavailable } from '../../../platform/database.ts'

/** A part of `tick`, at most once in `everyMs`. */
export type Step = { name: string; everyMs: number; run: () => Promise<unknown> }

type Deps = { clock: Clock; logger: Logger; steps: readonly Step[] }

/** Runs the steps that are due, in order. A failing step does not stop the others. */
export function createSteps({ clock, logger, steps }: Deps): () => Promise<void> {
  const nextAt = new Map<string, number>()

  return async function runSteps(): Promise<void> {
    const now = clock.now().getTime()
    for (const { name, everyMs, run } of steps) {
      if (now < (nextAt.get(name) ?? 0)) continue
      try {
        await run()
        nextAt.set(name, now + everyMs)
      } catch (error) {
        const level = isDatabaseUnavailable(error) ? 'warn' : 'error'
        logger[level]({ err: error, step: name }, 'call control step failed')
        if (isDatabaseUnavailable(error)) return
      }
    }
  }
}
