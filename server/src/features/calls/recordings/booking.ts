import { Refusal } from '@trunkline/contract/errors'
import { ownMessages } from '@trunkline/contract/messages'
import { type Caller, requireAdmin, system } from '@trunkline/domain/access'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { Logger } from 'pino'
import { microsOf } from '../../../platform/amounts.ts'
import { type Clock, earlier, HOUR } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { inBatches } from '../../../platform/in-batches.ts'
import { defineJob } from '../../../platform/jobs.ts'
import type { Audit } from '../../identity/audit/service.ts'
import { findSetting, saveSetting } from '../../identity/service-settings/store.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { createRecordingHolds, recordingCost } from './holds.ts'
import { findLost, findUnbooked, lockRecording, type RecordingRow, setBooked } from './store.ts'

export const bookRecordings = defineJob<Record<string, never>>('book-recordings')

/** Micro-dollars per minute. */
const PRICE = 'recording_price'

export type RecordingBooking = ReturnType<typeof createRecordingBooking>

type Deps = { db: Database; clock: Clock; logger: Logger; ledger: Ledger; audit: Audit }

/** The hold of a recording whose file nobody can read is released after this time. */
const LOST_AFTER_MS = HOUR

export const readRecordingPrice = async (db: Database): Promise<bigint> =>
  BigInt((await findSetting(db, PRICE)) ?? '0')

/** The price of recordings. A recording is booked once, under the lock of its row and with a key. */
export function createRecordingBooking({ db, clock, logger, ledger, audit }: Deps) {
  const scope = system('price of recordings')
  const holds = createRecordingHolds({ db, ledger })

  /** The caller has locked the row. False if neither the hold nor the balance covers the price: the hold of a lost recording was released. */
  async function bookWithin(tx: Database, row: RecordingRow): Promise<boolean> {
    if (row.booked_at !== null) return true
    const cost = recordingCost(Number(row.seconds), row.price_micros ?? (await readRecordingPrice(tx)))
    await holds.release(tx, row.id)
    if (cost > 0n) {
      const started = row.started_at.toISOString().slice(0, 16).replace('T', ' ')
      const outcome = await ledger.within(tx).post(scope, {
        kind: 'recording',
        key: `recording:${row.id}`,
        userId: row.user_id,
        amountMicros: cost,
        reference: `Call of ${started} UTC, ${Math.ceil(Number(row.seconds))} seconds`,
      })
      if (!outcome.ok && outcome.reason === 'insufficient_balance') return false
      if (!outcome.ok) throw new Error(`the ledger refused recording ${row.id}: ${outcome.reason}`)
    }
    await setBooked(tx, row.user_id, row.id, { micros: cost, now: clock.now() })
    return true
  }

  return {
    /** For a finished recording. The caller has locked the row. False if the balance does not cover the price. */
    book: bookWithin,

    /** Before a recording is deleted, so that nobody deletes it to save its price. */
    async requireBooked(tx: Database, row: RecordingRow): Promise<void> {
      if (!(await bookWithin(tx, row)))
        throw new Refusal('insufficient_balance', ownMessages.recordingNotPaid)
    },

    /** Before an unfinished recording is deleted. */
    release: (tx: Database, { id, booked_at }: RecordingRow): Promise<void> =>
      booked_at === null ? holds.release(tx, id) : Promise.resolve(),

    /** Job handler. A recording that the balance does not cover is booked after the next top-up. */
    async run(): Promise<void> {
      await inBatches({
        read: (page) => findUnbooked(db, scope, page),
        each: ({ id }) =>
          db.transaction().execute(async (tx) => {
            const row = await lockRecording(tx, scope, id)
            if (row) await bookWithin(tx, row)
          }),
        onError: (error, { id }) => logger.error({ err: error, recording: id }, 'failed to book a recording'),
      })
      await inBatches({
        read: (page) => findLost(db, scope, earlier(clock.now(), LOST_AFTER_MS), page),
        each: ({ id }) =>
          db.transaction().execute(async (tx) => {
            const row = await lockRecording(tx, scope, id, 'any')
            if (row?.state === 'recording') await holds.release(tx, id)
          }),
        onError: (error, { id }) =>
          logger.error({ err: error, recording: id }, 'failed to release the hold of a lost recording'),
      })
    },

    async showPrice(caller: Caller): Promise<number> {
      requireAdmin(caller)
      return toWireNumber(micros(await readRecordingPrice(db)))
    },

    changePrice: (caller: Caller, price: number): Promise<number> =>
      db.transaction().execute(async (tx) => {
        requireAdmin(caller)
        const before = await readRecordingPrice(tx)
        if (await saveSetting(tx, PRICE, String(microsOf(price)), clock.now()))
          await audit.write(tx, caller, {
            action: 'recording_price.update',
            subject: 'price of recordings',
            userId: null,
            before: { price: toWireNumber(micros(before)) },
            after: { price },
            reason: null,
          })
        return price
      }),
  }
}
