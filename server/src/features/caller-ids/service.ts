import type { CallerId } from '@trunkline/contract/caller-ids'
import { Refusal } from '@trunkline/contract/errors'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { findUserById } from '../accounts/store.ts'
import { findCallerId, saveCallerId } from './store.ts'

export type CallerIds = ReturnType<typeof createCallerIds>

export function createCallerIds(db: Database, clock: Clock) {
  async function own(caller: Caller): Promise<CallerId> {
    const row = await findCallerId(db, ownDataOf(caller), caller.userId)
    return { callerid: row?.callerid ?? null, countrycode: row?.countrycode ?? '', name: row?.name ?? '' }
  }

  return {
    own,

    async set(
      caller: Caller,
      { callerid, countrycode, name }: { callerid: string; countrycode: string; name?: string | undefined },
    ): Promise<CallerId> {
      const owner = ownDataOf(caller)
      const user = await findUserById(db, owner, caller.userId)
      if (!user) throw new Refusal('session_expired')
      const given = { callerid, countrycode, name: name ?? user.username }
      await saveCallerId(db, owner, user.id, given, clock.now())
      return own(caller)
    },
  }
}
