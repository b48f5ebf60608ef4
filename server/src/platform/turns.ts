import { Refusal } from '@trunkline/contract/errors'

type TurnLimits = {
  /** Concurrent runs per key. */
  atOnce: number
  /** Queue length per key. */
  waiting: number
}

/** Limits concurrent work per key: some run, some wait in order, others fail with `too_many_requests`. */
export function createTurns({ atOnce, waiting }: TurnLimits) {
  const byKey = new Map<number, { running: number; queue: Array<() => void> }>()

  return async function inTurn<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
    const own = byKey.get(key) ?? { running: 0, queue: [] }
    byKey.set(key, own)
    if (own.running < atOnce) own.running++
    else {
      if (own.queue.length >= waiting) throw new Refusal('too_many_requests')
      await new Promise<void>((resolve) => own.queue.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = own.queue.shift()
      if (next) next()
      else if (--own.running === 0) byKey.delete(key)
    }
  }
}
