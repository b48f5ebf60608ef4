import { system } from '@trunkline/domain/access'
import type { Conversation } from '@trunkline/media/endpoint'
import type { Logger } from 'pino'
import { MINUTE } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Timers } from '../../../platform/timers.ts'
import { findLiveCallIds } from './calls-store.ts'

/** A call that call control has ended for this time is hung up here. Usually its BYE comes at once. */
const GONE_FOR_MS = MINUTE

type Watched = { conversation: Conversation; goneAt: number | null }

type Deps = { db: Database; timers: Pick<Timers, 'elapsedMs'>; logger: Logger }

/** Hangs up calls whose BYE was lost. When the audio has left, nothing else shows that a connected call is over. */
export function createEndedCalls({ db, timers, logger }: Deps) {
  const scope = system('calls that are over')
  const watched = new Map<string, Watched>()

  return {
    watch(callId: string, conversation: Conversation): void {
      const call = { conversation, goneAt: null }
      watched.set(callId, call)
      conversation.onEnd(() => {
        if (watched.get(callId) === call) watched.delete(callId)
      })
    },
    async hangUp(): Promise<void> {
      if (watched.size === 0) return
      const asked = [...watched]
      const now = timers.elapsedMs()
      const live = await findLiveCallIds(
        db,
        scope,
        asked.map(([callId]) => callId),
      )
      for (const [callId, call] of asked) {
        call.goneAt = live.has(callId) ? null : (call.goneAt ?? now)
        if (call.goneAt === null || now - call.goneAt < GONE_FOR_MS) continue
        logger.warn({ call: callId }, 'hung up a call that is over')
        call.conversation.hangUp()
      }
    },
  }
}
