import { isDatabaseAway } from './database.ts'

/**
 * Gathers commands that arrive while others are under way and carries them out together: many holds on one
 * account wait for one lock and one flush to disk instead of one each. Nothing waits for company that may never come: with a
 * lane free, and the gap over, a command leaves at the end of the turn of the event loop in which it came.
 */
export type Batcher<Command, Result> = (command: Command) => Promise<Result>

type Options<Command, Result> = {
  run: (commands: Command[]) => Promise<Result[]>
  /** Two commands of one key never share a batch. */
  keyOf: (command: Command) => string
  /** How many batches may be under way at once. */
  lanes: number
  most: number
  /** The least time from one batch to the next, unless it is full: where many come, a transaction for each costs too much. */
  gapMs?: number
}

type Waiting<Command, Result> = {
  command: Command
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export function createBatcher<Command, Result>(options: Options<Command, Result>): Batcher<Command, Result> {
  const { run, keyOf, lanes, most, gapMs = 0 } = options
  let waiting: Waiting<Command, Result>[] = []
  let underWay = 0
  let isStarting = false
  let isInGap = false

  function start(): void {
    isStarting = false
    while (underWay < lanes && waiting.length > 0 && !mustWait()) {
      underWay++
      if (gapMs > 0 && !isInGap) keepGap()
      carryOut(take()).finally(() => {
        underWay--
        start()
      })
    }
  }

  const mustWait = () => isInGap && waiting.length < most

  function keepGap(): void {
    isInGap = true
    setTimeout(() => {
      isInGap = false
      start()
    }, gapMs)
  }

  function begin(): void {
    if (isStarting || underWay >= lanes || mustWait()) return
    isStarting = true
    setImmediate(start)
  }

  function take(): Waiting<Command, Result>[] {
    const batch = new Map<string, Waiting<Command, Result>>()
    const left: Waiting<Command, Result>[] = []
    for (const one of waiting) {
      const key = keyOf(one.command)
      if (batch.size < most && !batch.has(key)) batch.set(key, one)
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
      // One bad command must not fail its neighbours. Whatever runs here is safe to repeat. A database that is away is no
      // command's fault: one by one they would only wait for it longer.
      if (batch.length > 1 && !isDatabaseAway(error)) for (const one of batch) await carryOut([one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return (command) =>
    new Promise((resolve, reject) => {
      waiting.push({ command, resolve, reject })
      begin()
    })
}
