import { system } from '@trunkline/domain/access'
import { cover } from '@trunkline/domain/callcontrol'
import { ZERO } from '@trunkline/domain/money'
import { type Batcher, createBatcher } from '../../../platform/batcher.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Call } from './call.ts'
import { admitCalls, admitFreeCalls, type Look, lookAt } from './calls-store.ts'
import type { Pacing } from './pacing.ts'

export type Placing = ReturnType<typeof createPlacing>

export type Placed =
  | { kind: 'begun'; call: Call }
  /** Admitted before, by whomever: the answer is the same again. */
  | { kind: 'lives'; call: Call }
  | { kind: 'over' }
  | { kind: 'no_balance' }
  /** There was money enough each time it was looked at, and each time somebody else was faster. */
  | { kind: 'contended' }

/** How many batches are under way at once, and how many calls each holds at most. */
export const LANES = 2
export const MAX_AT_ONCE = 100
/** So long a caller waits for company where many call: less than anybody hears. */
const GAP_MS = 40
/** How often a call may find less money than there was when it looked. */
const MAX_ATTEMPTS = 5

/** Null: it has begun. */
type Attempted = Look | null

/** Sets money aside for calls and begins them, many with one statement. */
export function createPlacing(db: Database, clock: Clock, pacing: Pacing) {
  const owner = system('admitting calls')

  const batched = (begin: (calls: Call[]) => Promise<Set<string>>): Batcher<Call, Attempted> =>
    createBatcher({
      lanes: LANES,
      most: MAX_AT_ONCE,
      gapMs: GAP_MS,
      run: (calls) =>
        pacing.measure(async () => {
          const begun = await begin(calls)
          const undone = calls.filter(({ callId }) => !begun.has(callId))
          const looks = undone.length > 0 ? await lookAt(db, owner, undone) : new Map<string, Look>()
          return calls.map(({ callId }) => looks.get(callId) ?? null)
        }),
      keyOf: ({ callId }) => callId,
    })
  // Apart, because a free call may wait for the end of its namesake while it owns nothing that anybody waits for.
  const paid = batched((calls) => admitCalls(db, owner, calls, clock.now()))
  const free = batched((calls) => admitFreeCalls(db, owner, calls))

  /** With less covered where the money does not reach; `onShrunk` hears of it before it is tried. */
  return async function place(asked: Call, onShrunk: (call: Call) => void): Promise<Placed> {
    let call = asked
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const isFree = call.heldMicros === ZERO
      const look = await (isFree ? free(call) : paid(call))
      if (look === null) return { kind: 'begun', call }
      if (look.live) return { kind: 'lives', call: look.live }
      if (isFree || look.hasHold) return { kind: 'over' }
      const affordable = cover(call.rate, look.availableMicros, call.coveredSeconds)
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
