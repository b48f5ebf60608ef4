import type { AnswerOf } from '@trunkline/contract'
import { type Caller, requireAdmin, system } from '@trunkline/domain/access'
import { type Clock, DAY, earlier, MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { countActive, readActive, readTotal, saveActive } from './store.ts'

export type UserStats = ReturnType<typeof createUserStats>

const ACTIVE_FOR = 30 * DAY
/** A worker counts every minute. Where none does, who asks counts. */
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

  /** Counting everybody takes a while: who asks while it is under way waits for it instead of counting too. */
  function refresh(): Promise<number> {
    counting ??= count().finally(() => {
      counting = null
    })
    return counting
  }

  return {
    refresh,

    /** The total is exact; who of them is active is as of some minutes ago at most. */
    async count(caller: Caller): Promise<AnswerOf<'GET /api/user-stats'>> {
      requireAdmin(caller)
      const [total_users, kept] = await Promise.all([readTotal(db), readActive(db)])
      const isGood = kept && kept.countedAt > earlier(clock.now(), GOOD_FOR)
      return { total_users, active_users: isGood ? kept.active : await refresh() }
    },
  }
}
