import type { AnswerOf } from '@trunkline/contract'
import { Refusal } from '@trunkline/contract/errors'
import { LIVE_CALLS_SHOWN_MAX } from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, everyonesData, type Owner, ownDataOf } from '@trunkline/domain/access'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { Announcer } from './announcer.ts'
import { countLiveCalls, type LiveFilter, listLiveCalls, requestHangUp } from './store.ts'
import { adminView, ownView } from './view.ts'

export type LiveCalls = ReturnType<typeof createLiveCalls>

type Deps = { db: Database; clock: Clock; audit: Audit; announcer: Announcer }

/** Lists live calls and ends them on request, from the table; streams.ts sends changes. */
export function createLiveCalls({ db, clock, audit, announcer }: Deps) {
  /** Announces the hangup request to all viewers. */
  async function announceAsked(owner: Owner, callId: string): Promise<void> {
    const calls = await listLiveCalls(db, owner, { callIds: [callId] })
    announcer.announce(calls.map((call) => ({ change: 'live', call })))
  }

  return {
    count: (caller: Caller): Promise<number> => countLiveCalls(db, ownDataOf(caller)),

    async list(caller: Caller): Promise<AnswerOf<'GET /api/live-calls-details'>['liveCallsDetails']> {
      const calls = await listLiveCalls(db, ownDataOf(caller), {}, LIVE_CALLS_SHOWN_MAX)
      const now = clock.now()
      return calls.map((call) => ownView(call, now))
    },

    async listEverybodys(
      caller: Caller,
      filter: Pick<LiveFilter, 'user' | 'trunk'>,
    ): Promise<AnswerOf<'GET /api/admin/live-calls'>> {
      const owner = everyonesData(caller)
      const calls = await listLiveCalls(db, owner, filter, LIVE_CALLS_SHOWN_MAX)
      const now = clock.now()
      return {
        liveCalls:
          calls.length < LIVE_CALLS_SHOWN_MAX ? calls.length : await countLiveCalls(db, owner, filter),
        liveCallsDetails: calls.map((call) => adminView(call, now)),
      }
    },

    /** Another user's call gets the same response as an unknown one. */
    async hangUp(caller: Caller, callId: string): Promise<void> {
      const owner = ownDataOf(caller)
      const asked = { callId, by: caller.userId, reason: 'hung_up_by_customer' } as const
      if (!(await requestHangUp(db, owner, asked, clock.now())))
        throw new Refusal('not_found', ownMessages.callNotLive)
      await announceAsked(owner, callId)
    },

    async hangUpAnybodys(caller: Caller, callId: string, reason: string | null): Promise<void> {
      const owner = everyonesData(caller)
      await db.transaction().execute(async (tx) => {
        const asked = { callId, by: caller.userId, reason: 'hung_up_by_admin' } as const
        const call = await requestHangUp(tx, owner, asked, clock.now())
        if (!call) throw new Refusal('not_found', ownMessages.callNotLive)
        await audit.write(tx, caller, {
          action: 'call.hang_up',
          subject: `call ${callId}`,
          userId: call.userId,
          before: null,
          after: null,
          reason,
        })
      })
      await announceAsked(owner, callId)
    },
  }
}
