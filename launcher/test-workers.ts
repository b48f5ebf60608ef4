/** How many tests run at once. */

/** Tests often wait for a database, a screen or a process, so that three workers fill two cores. Telephone tests wait most. */
export const WORKERS = 3
export const TELEPHONE_WORKERS = 5
const SAMPLE_MS = 2_000

/** Fewer workers on a machine that is busy with other work: many at once would only wait for each other and reach timeouts. */
export function workersFor(most: number): number {
  const slowdown = slowdownOf(() => {
    let sum = 0
    for (let count = 0; count < 3_000_000; count++) sum += count
    return sum
  })
  const workers = Math.max(1, Math.min(most, Math.round((most * 1.5) / slowdown)))
  if (workers < most)
    process.stdout.write(`The machine is busy: ${slowdown.toFixed(1)} times slower, ${workers} workers\n`)
  return workers
}

/** How much longer than its fastest run the work takes on average. */
function slowdownOf(work: () => number): number {
  const times: number[] = []
  for (const started = performance.now(); performance.now() - started < SAMPLE_MS; ) {
    const before = performance.now()
    work()
    times.push(performance.now() - before)
  }
  return times.reduce((sum, time) => sum + time, 0) / times.length / Math.min(...times)
}
