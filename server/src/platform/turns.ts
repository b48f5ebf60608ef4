import { Refusal } from '@trunkline/contract/errors'

type TurnLimits = {
  /** How many run at once under one key. */
  atOnce: number
  /** How many more may wait; the next one is refused. */
  waiting: number
}

/** Limits parallel work for each key: a few run, some wait in order, the rest get `too_many_requests`. */
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
