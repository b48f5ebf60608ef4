import { add, type Micros, ZERO } from '@trunkline/domain/money'
import type { Clock } from '../../../platform/clock.ts'
import { DAY } from '../../../platform/clock.ts'

export type Spending = ReturnType<typeof createSpending>

/**
 * Spending of each user today (UTC) on calls and recordings: the stored sums, plus settlements of calls since they were read. A call
 * counts in full on the day it ends.
 */
export function createSpending(clock: Clock) {
  let today = 0
  let spent = new Map<number, Micros>()
  /** Settled while the sums are being read: may be double-counted until the next refresh, but is never missed. */
  let duringLoad: { userId: number; costMicros: Micros }[] | null = null

  const dayOf = (moment: Date): number => Math.floor(moment.getTime() / DAY)
  const put = (userId: number, costMicros: Micros) =>
    spent.set(userId, add(spent.get(userId) ?? ZERO, costMicros))

  function turnPage(): void {
    const now = dayOf(clock.now())
    if (now === today) return
    today = now
    spent = new Map()
  }

  return {
    midnight: (): Date => new Date(dayOf(clock.now()) * DAY),
    of(userId: number): Micros {
      turnPage()
      return spent.get(userId) ?? ZERO
    },
    add(userId: number, endedAt: Date, costMicros: Micros): void {
      turnPage()
      if (costMicros === ZERO || dayOf(endedAt) !== today) return
      put(userId, costMicros)
      duringLoad?.push({ userId, costMicros })
    },
    async refresh(read: () => Promise<Map<number, Micros>>): Promise<void> {
      duringLoad = []
      try {
        spent = await read()
        today = dayOf(clock.now())
        for (const { userId, costMicros } of duringLoad) put(userId, costMicros)
      } finally {
        duringLoad = null
      }
    },
  }
}
