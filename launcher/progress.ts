const INTERVAL_MS = 5_000

type Options = {
  /** Current progress, such as "3,200 of 9,000 calls". */
  progress?: () => string
  /** Prints nothing unless the task takes longer than 5 seconds. */
  isBrief?: boolean
}

/** Prints the name of the task and, every 5 seconds, its progress. */
export async function showProgress<Result>(
  label: string,
  work: () => Promise<Result>,
  { progress, isBrief = false }: Options = {},
): Promise<Result> {
  const startedAt = performance.now()
  if (!isBrief) process.stderr.write(`${label} ...\n`)
  const timer = setInterval(() => {
    const seconds = `${Math.round((performance.now() - startedAt) / 1_000)} s`
    const parts = [...(isBrief ? [label] : []), ...(progress ? [progress()] : []), seconds]
    process.stderr.write(`  ${parts.join(', ')}\n`)
  }, INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
