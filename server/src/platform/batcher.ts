import { isDatabaseUnavailable } from './database.ts'

/**
 * Batches commands that arrive while others run. Many holds on one account then share one lock and one flush to disk. If a
 * lane is free and the gap has passed, a command starts at the end of the current turn of the event loop.
 */
export type Batcher<Command, Result> = (command: Command) => Promise<Result>

type Options<Command, Result> = {
  run: (commands: Command[]) => Promise<Result[]>
  /** Two commands with the same key never share a batch. */
  keyOf: (command: Command) => string
  /** Maximum number of concurrent batches. */
  lanes: number
  maxSize: number
  /** Longest time between two batches, unless a batch is full. Reduces the number of transactions under load. */
  gapMs?: number
}

/** Up to 200 commands per second run at once. Above, the batches grow until the gap has its full length. */
const GAP_PER_COMMAND_MS = 5

/** How long the next batch waits after a batch of `size` commands. */
export const gapAfter = (size: number, longestMs: number): number =>
  Math.min(size * GAP_PER_COMMAND_MS, longestMs)

type Waiting<Command, Result> = {
  command: Command
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export function createBatcher<Command, Result>(options: Options<Command, Result>): Batcher<Command, Result> {
  const { run, keyOf, lanes, maxSize, gapMs = 0 } = options
  let waiting: Waiting<Command, Result>[] = []
  let running = 0
  let isStarting = false
  let isInGap = false

  function start(): void {
    isStarting = false
    while (running < lanes && waiting.length > 0 && !mustWait()) {
      running++
      const batch = take()
      if (gapMs > 0 && !isInGap) keepGap(gapAfter(batch.length, gapMs))
      carryOut(batch).finally(() => {
        running--
        start()
      })
    }
  }

  const mustWait = () => isInGap && waiting.length < maxSize

  function keepGap(ms: number): void {
    isInGap = true
    setTimeout(() => {
      isInGap = false
      start()
    }, ms)
  }

  function begin(): void {
    if (isStarting || running >= lanes || mustWait()) return
    isStarting = true
    setImmediate(start)
  }

  function take(): Waiting<Command, Result>[] {
    const batch = new Map<string, Waiting<Command, Result>>()
    const left: Waiting<Command, Result>[] = []
    for (const one of waiting) {
      const key = keyOf(one.command)
      if (batch.size < maxSize && !batch.has(key)) batch.set(key, one)
      else left.push(one)
    }
    waiting = left
    return [...batch.values()]
  }

  async function carryOut(batch: Waiting<Command, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ command }) => command))
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      // Retries the commands one by one, so an invalid command does not fail the others. All commands are idempotent. Without a
      // database, single retries would only take longer.
      if (batch.length > 1 && !isDatabaseUnavailable(error)) for (const one of batch) await carryOut([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return (command) =>
    new Promise((resolve, reject) => {
      waiting.push({ command, resolve, reject })
      begin()
    })
}
