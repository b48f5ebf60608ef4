import { system } from '@trunkline/domain/access'
import { cover } from '@trunkline/domain/callcontrol'
import { ZERO } from '@trunkline/domain/money'
import { type Batcher, createBatcher } from '../../../platform/batcher.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Call } from '../live-calls/call.ts'
import { admitCalls, admitFreeCalls, checkStart, type StartCheck } from './calls-store.ts'
import type { Pacing } from './pacing.ts'

export type Placing = ReturnType<typeof createPlacing>

export type Placed =
  | { kind: 'started'; call: Call }
  /** Another call control or an earlier request admitted it; the answer is repeated. */
  | { kind: 'already_live'; call: Call }
  | { kind: 'already_ended' }
  | { kind: 'no_balance' }
  /** The balance was sufficient at each attempt, but another call took it first. */
  | { kind: 'contended' }

/** Concurrent batches, and the maximum number of calls in each. */
export const LANES = 2
export const MAX_AT_ONCE = 100
/** Batching window under load; too short for a caller to notice. */
const GAP_MS = 40
/** Attempts of a call whose balance shrinks between the check and the hold. */
const MAX_ATTEMPTS = 5

/** Null means that the call has started. */
type Attempted = StartCheck | null

/** Places holds and starts calls in batches. */
export function createPlacing(db: Database, clock: Clock, pacing: Pacing) {
  const owner = system('admitting calls')

  const batched = (begin: (calls: Call[]) => Promise<Set<string>>): Batcher<Call, Attempted> =>
    createBatcher({
      lanes: LANES,
      maxSize: MAX_AT_ONCE,
      gapMs: GAP_MS,
      run: (calls) =>
        pacing.measure(async () => {
          const started = await begin(calls)
          const notStarted = calls.filter(({ callId }) => !started.has(callId))
          const checks =
            notStarted.length > 0 ? await checkStart(db, owner, notStarted) : new Map<string, StartCheck>()
          return calls.map(({ callId }) => checks.get(callId) ?? null)
        }),
      keyOf: ({ callId }) => callId,
    })
  // A separate queue: a free call may wait for the end of a call with the same ID, and holds no locks that others wait for.
  const paid = batched((calls) => admitCalls(db, owner, calls, clock.now()))
  const free = batched((calls) => admitFreeCalls(db, owner, calls))

  /** Covers fewer seconds if the balance is too small; calls `onShrunk` before each retry. */
  return async function place(requested: Call, onShrunk: (call: Call) => void): Promise<Placed> {
    let call = requested
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const isFree = call.heldMicros === ZERO
      const check = await (isFree ? free(call) : paid(call))
      if (check === null) return { kind: 'started', call }
      if (check.live) return { kind: 'already_live', call: check.live }
      if (isFree || check.hasHold) return { kind: 'already_ended' }
      const affordable = cover(call.rate, check.availableMicros, call.coveredSeconds)
      if (!affordable) return { kind: 'no_balance' }
      const { coveredSeconds, holdMicros } = affordable
      if (coveredSeconds < call.coveredSeconds) {
        call = { ...call, coveredSeconds, heldMicros: holdMicros }
        onShrunk(call)
      }
    }
    return { kind: 'contended' }
  }
}
