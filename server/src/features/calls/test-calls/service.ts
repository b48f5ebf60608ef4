import { Refusal } from '@trunkline/contract/errors'
import type { TestCall } from '@trunkline/contract/test-calls'
import { type Caller, ownDataOf } from '@trunkline/domain/access'
import { type Clock, earlier, MINUTE, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import { newToken } from '../../../platform/tokens.ts'
import { findRental } from '../../catalogue/numbers/rentals-store.ts'
import type { AttemptLimits } from '../../identity/attempts/service.ts'
import { canCall, findTestCall, insertTestCall, type TestCallRow } from './store.ts'

export type TestCalls = ReturnType<typeof createTestCalls>

type Deps = { db: Database; clock: Clock; attempts: Pick<AttemptLimits, 'require'> }

/** A media process takes a test call within a second. */
export const TAKEN_WITHIN_MS = 10 * SECOND
/** Longer than the longest ringing and talking of a test call. */
const OVER_AFTER_MS = 3 * MINUTE
const MEDIA_GONE_AFTER_MS = 5 * SECOND
/** Call control stores the time of the last message of a switch every five seconds. */
export const SWITCH_GONE_AFTER_MS = 30 * SECOND

/**
 * Calls a rented number as a carrier would: call control admits the call to the number, and its ring plan decides who rings. The number itself
 * is the caller, so this also rings the phone of the customer who asks for it. A media process is the caller's side: `media-calls/test-caller.ts`.
 */
export function createTestCalls({ db, clock, attempts }: Deps) {
  async function rentalOf(caller: Caller, id: number) {
    return requireFound(await findRental(db, ownDataOf(caller), id))
  }

  /** A killed media process writes no end. */
  function view({ state, created_at, ended_at }: TestCallRow): TestCall {
    const now = clock.now()
    const isUntaken = state === 'waiting' && created_at < earlier(now, TAKEN_WITHIN_MS)
    const isLost = ended_at === null && created_at < earlier(now, OVER_AFTER_MS)
    return {
      state: isUntaken || (isLost && state !== 'answered') ? 'failed' : state,
      started_at: created_at.toISOString(),
      is_running: ended_at === null && !isUntaken && !isLost,
    }
  }

  return {
    async start(caller: Caller, id: number): Promise<TestCall> {
      const rental = await rentalOf(caller, id)
      if (rental.state === 'suspended') throw new Refusal('number_suspended')
      const now = clock.now()
      const seen = {
        mediaSeenAfter: earlier(now, MEDIA_GONE_AFTER_MS),
        switchSeenAfter: earlier(now, SWITCH_GONE_AFTER_MS),
      }
      if (!(await canCall(db, seen))) throw new Refusal('test_call_unavailable')
      const last = await findTestCall(db, ownDataOf(caller), id)
      if (last && view(last).is_running) throw new Refusal('test_call_running')
      const limit = { key: `test-call ${caller.userId}`, max: 10, windowMs: 10 * MINUTE }
      await attempts.require([limit])
      const started = await insertTestCall(db, ownDataOf(caller), {
        rentalId: id,
        token: newToken(),
        now,
        lostBefore: earlier(now, last?.state === 'waiting' ? TAKEN_WITHIN_MS : OVER_AFTER_MS),
      })
      if (!started) throw new Refusal('test_call_running')
      return view(started)
    },

    async last(caller: Caller, id: number): Promise<TestCall | null> {
      await rentalOf(caller, id)
      const last = await findTestCall(db, ownDataOf(caller), id)
      return last ? view(last) : null
    },
  }
}
