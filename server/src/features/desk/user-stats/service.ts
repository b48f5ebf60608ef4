import type { AnswerOf } from '@trunkline/contract'
import { type Caller, requireAdmin, system } from '@trunkline/domain/access'
import { type Clock, DAY, earlier, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { countActive, readActive, readTotal, saveActive } from './store.ts'

export type UserStats = ReturnType<typeof createUserStats>

const ACTIVE_FOR = 30 * DAY
/** A worker refreshes every minute. Without a worker, a request refreshes after this time. */
const GOOD_FOR = 5 * MINUTE

export function createUserStats(db: Database, clock: Clock) {
  let counting: Promise<number> | null = null

  async function count(): Promise<number> {
    const owner = system('counting users')
    const countedAt = clock.now()
    const active = await countActive(db, owner, earlier(countedAt, ACTIVE_FOR))
    await saveActive(db, { active, countedAt })
    return active
  }

  /** Counting is slow, so concurrent requests share one refresh. */
  function refresh(): Promise<number> {
    counting ??= count().finally(() => {
      counting = null
    })
    return counting
  }

  return {
    refresh,

    /** The total is exact. The number of active users can be some minutes old. */
    async count(caller: Caller): Promise<AnswerOf<'GET /api/user-stats'>> {
      requireAdmin(caller)
      const [total_users, kept] = await Promise.all([readTotal(db), readActive(db)])
      const isGood = kept && kept.countedAt > earlier(clock.now(), GOOD_FOR)
      return { total_users, active_users: isGood ? kept.active : await refresh() }
    },
  }
}
