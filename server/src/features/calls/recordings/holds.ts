import { type AllUsers, system } from '@trunkline/domain/access'
import { cover, extend } from '@trunkline/domain/callcontrol'
import { add, type Micros, micros, WIRE_LIMIT_MICROS } from '@trunkline/domain/money'
import { billedBySecond, costOf, type Rate } from '@trunkline/domain/rating'
import type { Database } from '../../../platform/database.ts'
import type { Ledger } from '../../money/ledger/service.ts'

/** Seconds of the recording that are paid for by its hold. */
const SLICE_SECONDS = 60
/** The next slice is held this long before the end. The database may be away for this time. */
const LEAD_SECONDS = 30

export const recordingHoldId = (id: number): string => `recording:${id}`

const rateOf = (perMinute: bigint): Rate => billedBySecond(micros(perMinute))

/** Each started second is charged. Fractions of a micro-dollar are rounded up. */
export const recordingCost = (seconds: number, perMinute: bigint): Micros =>
  costOf(rateOf(perMinute), Math.ceil(seconds))

type Recording = { readonly id: number; readonly userId: number; readonly perMinute: bigint }
type Extended = { readonly coveredSeconds: number; readonly isShort: boolean; readonly isClosed: boolean }

export type RecordingHolds = ReturnType<typeof createRecordingHolds>

/** Money for recordings that are in progress. A hold covers whole seconds, so the file never costs more than is held. */
export function createRecordingHolds({ db, ledger }: { db: Database; ledger: Pick<Ledger, 'within'> }) {
  const scope: AllUsers = system('holds of recordings')

  return {
    /** Covered seconds of the first slice, or fewer if the balance is low. Null if it does not cover a second. */
    async place(tx: Database, { id, userId, perMinute }: Recording): Promise<number | null> {
      const rate = rateOf(perMinute)
      const placeFor = async (seconds: number) => {
        const placing = { holdId: recordingHoldId(id), userId, amountMicros: costOf(rate, seconds) }
        return first(await ledger.within(tx).placeHolds(scope, [placing]))
      }
      const slice = await placeFor(SLICE_SECONDS)
      if (slice.ok) return SLICE_SECONDS
      if (slice.reason !== 'insufficient_balance')
        throw new Error(`the ledger refused the hold of recording ${id}: ${slice.reason}`)
      const less = cover(rate, slice.availableMicros, SLICE_SECONDS)
      return less && (await placeFor(less.coveredSeconds)).ok ? less.coveredSeconds : null
    },

    /** The end of the next slice, if it should be held now. */
    nextEnd(perMinute: bigint, coveredSeconds: number, recordedSeconds: number): number | null {
      const pace = {
        sliceSeconds: SLICE_SECONDS,
        leadSeconds: LEAD_SECONDS,
        spendableMicros: WIRE_LIMIT_MICROS,
      }
      return extend({ rate: rateOf(perMinute), coveredSeconds }, recordedSeconds, pace)?.toSeconds ?? null
    },

    /** Extends to a total, so a repeat changes nothing. Covers as much as the balance allows. */
    extend: (
      { id, perMinute }: Recording,
      { coveredSeconds, toSeconds }: { coveredSeconds: number; toSeconds: number },
    ): Promise<Extended> =>
      db.transaction().execute(async (tx) => {
        const rate = rateOf(perMinute)
        const extendTo = async (seconds: number) =>
          first(
            await ledger
              .within(tx)
              .extendHolds(scope, [{ holdId: recordingHoldId(id), toMicros: costOf(rate, seconds) }]),
          )
        const slice = await extendTo(toSeconds)
        if (slice.ok) return { coveredSeconds: toSeconds, isShort: false, isClosed: false }
        // Another process has taken this one for lost, and has finished the recording.
        if (slice.reason !== 'insufficient_balance') return { coveredSeconds, isShort: false, isClosed: true }
        const less = cover(rate, add(costOf(rate, coveredSeconds), slice.availableMicros), toSeconds)
        const isMore =
          less !== null && less.coveredSeconds > coveredSeconds && (await extendTo(less.coveredSeconds)).ok
        return {
          coveredSeconds: isMore ? less.coveredSeconds : coveredSeconds,
          isShort: true,
          isClosed: false,
        }
      }),

    /** The account stays locked until the commit, so that nobody else can use the money before the price is posted. */
    async release(tx: Database, id: number): Promise<void> {
      const closing = { holdId: recordingHoldId(id), costMicros: null }
      const outcome = first(await ledger.within(tx).closeHolds(scope, [closing]))
      // A free recording has no hold.
      if (!outcome.ok && outcome.reason !== 'unknown_hold')
        throw new Error(`the ledger did not release the hold of recording ${id}: ${outcome.reason}`)
    },
  }
}

function first<Outcome>(outcomes: readonly Outcome[]): Outcome {
  const [outcome] = outcomes
  if (!outcome) throw new Error('the ledger returned no outcome')
  return outcome
}
