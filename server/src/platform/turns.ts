import { Refusal } from '@trunkline/contract/errors'

type TurnLimits = {
  /** Concurrent runs per key. */
  atOnce: number
  /** Concurrent runs of all keys together. */
  total?: number
  /** Queue length per key. */
  waiting: number
}

export type InTurn = <Result>(key: number, work: () => Promise<Result>) => Promise<Result>

/** Limits concurrent work per key: some run, some wait in order, others fail with `too_many_requests`. */
export function createTurns({ atOnce, total = Number.POSITIVE_INFINITY, waiting }: TurnLimits): InTurn {
  const byKey = new Map<number, { running: number; queue: Array<() => void> }>()
  let running = 0

  /** Keys take turns: the one served last goes to the end. */
  function startNext(): void {
    if (running >= total) return
    for (const [key, own] of byKey) {
      if (own.running >= atOnce) continue
      const start = own.queue.shift()
      if (!start) continue
      byKey.delete(key)
      byKey.set(key, own)
      own.running++
      running++
      start()
      return
    }
  }

  return async function inTurn(key, work) {
    const own = byKey.get(key) ?? { running: 0, queue: [] }
    if (own.running < atOnce && running < total) {
      byKey.set(key, own)
      own.running++
      running++
    } else {
      if (own.queue.length >= waiting) throw new Refusal('too_many_requests')
      byKey.set(key, own)
      await new Promise<void>((resolve) => own.queue.push(resolve))
    }
    try {
      return await work()
    } finally {
      own.running--
      running--
      if (own.running === 0 && own.queue.length === 0) byKey.delete(key)
      startNext()
    }
  }
}
