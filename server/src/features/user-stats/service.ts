import type { AnswerOf } from '@trunkline/contract'
import { type Caller, everyonesData } from '@trunkline/domain/access'
import { type Clock, DAY, earlier, MINUTE } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { countUsers } from './store.ts'

export type UserStats = ReturnType<typeof createUserStats>

const ACTIVE_FOR = 30 * DAY
/** Counting everybody takes a while, and nobody needs it to the second. */
const GOOD_FOR = MINUTE

type Counted = { at: Date; stats: Promise<AnswerOf<'GET /api/user-stats'>> }

export function createUserStats(db: Database, clock: Clock) {
  let last: Counted | null = null

  async function count(caller: Caller, now: Date): Promise<AnswerOf<'GET /api/user-stats'>> {
    const { total, active } = await countUsers(db, everyonesData(caller), earlier(now, ACTIVE_FOR))
    return { total_users: total, active_users: active }
  }

  return {
    /** As of at most a minute ago. Who asks while a count is under way waits for it instead of counting too. */
    async count(caller: Caller): Promise<AnswerOf<'GET /api/user-stats'>> {
      const now = clock.now()
      if (last && last.at > earlier(now, GOOD_FOR)) return last.stats
      const counting = { at: now, stats: count(caller, now) }
      last = counting
      counting.stats.catch(() => {
        if (last === counting) last = null
      })
      return counting.stats
    },
  }
}
