export type Measured = {
  perSecond: number
  count: number
  p50Ms: number
  p99Ms: number
}

export type Bounds = { workers: number; mostSteps: number; mostMs: number }

/** Runs a step repeatedly in parallel workers, up to a count or a duration. */
export async function measure(
  bounds: Bounds,
  step: (index: number) => Promise<void>,
): Promise<Measured & { times: number[] }> {
  const took: number[] = []
  const began = performance.now()
  let index = 0
  const work = async () => {
    while (index < bounds.mostSteps && performance.now() - began < bounds.mostMs) {
      const from = performance.now()
      await step(index++)
      took.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: bounds.workers }, work))
  const seconds = (performance.now() - began) / 1_000
  took.sort((left, right) => left - right)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  return {
    perSecond: took.length / seconds,
    count: took.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    times: took,
  }
}

const ROUNDS = 5

/**
 * The median of each step in milliseconds. Runs the steps in turn, in several rounds, so that other load affects all of them equally. The
 * bounds are those of one step.
 */
export async function mediansOf(
  steps: readonly (() => Promise<unknown>)[],
  { mostSteps, mostMs }: Pick<Bounds, 'mostSteps' | 'mostMs'>,
): Promise<number[]> {
  const bounds = { workers: 1, mostSteps: mostSteps / ROUNDS, mostMs: mostMs / ROUNDS }
  const took: number[][] = steps.map(() => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, step] of steps.entries()) {
      if (round === 0) await step()
      const { times } = await measure(bounds, async () => {
        await step()
      })
      took[at]?.push(...times)
    }
  return took.map(median)
}

export const median = (times: readonly number[]): number =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0
