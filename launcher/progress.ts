const EVERY_MS = 5_000

type Options = {
  /** How far it is, such as "3,200 of 9,000 calls". */
  soFar?: () => string
  /** Says nothing unless it takes long. */
  isBrief?: boolean
}

/** Says what is being done and, for as long as it takes, that it still is: silence looks like a fault. */
export async function tellWhile<Result>(
  what: string,
  work: () => Promise<Result>,
  { soFar, isBrief = false }: Options = {},
): Promise<Result> {
  const began = performance.now()
  if (!isBrief) process.stderr.write(`${what} ...\n`)
  const timer = setInterval(() => {
    const seconds = `${Math.round((performance.now() - began) / 1_000)} s`
    const words = [...(isBrief ? [what] : []), ...(soFar ? [soFar()] : []), seconds]
    process.stderr.write(`  ${words.join(', ')}\n`)
  }, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
