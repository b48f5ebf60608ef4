import { Refusal } from '@trunkline/contract/errors'
import type { CallSounds, Peaks, RecordingView } from '@trunkline/contract/recordings'
import { type Caller, everyonesData, type Owner, ownDataOf, system } from '@trunkline/domain/access'
import { micros, toWireNumber } from '@trunkline/domain/money'
import type { Logger } from 'pino'
import { alawAsWav, peaksOf, secondsOf } from '../../../platform/alaw.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import { FileAnswer } from '../../../platform/handler.ts'
import { inBatches } from '../../../platform/in-batches.ts'
import { requireFound } from '../../../platform/row-checks.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { createTurns } from '../../../platform/turns.ts'
import type { Audit } from '../../identity/audit/service.ts'
import type { CallRecords } from '../cdr/service.ts'
import { moveToStore } from '../stored-sounds/move-to-store.ts'
import { listVoicemailsOfCalls } from '../voicemail/store.ts'
import type { RecordingBooking } from './booking.ts'
import {
  deleteRecording,
  findExpired,
  findRecording,
  listRecordingsOfCalls,
  lockRecording,
  type RecordingRow,
  type ShownRecording,
} from './store.ts'

export type Recordings = ReturnType<typeof createRecordings>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  sounds: SoundFiles
  audit: Audit
  records: Pick<CallRecords, 'find' | 'findAny'>
  booking: Pick<RecordingBooking, 'book' | 'requireBooked' | 'release'>
}

const PEAKS = 800
/** An hour has 58 MB, so few are in memory at once. */
const READS_AT_ONCE = { atOnce: 2, waiting: 30 }
const EVERYBODY = 0

/** Recordings of calls. The audit log keeps who has listened to one or saved it. */
export function createRecordings({ db, clock, logger, sounds, audit, records, booking }: Deps) {
  const scope = system('recordings')
  const inTurn = createTurns(READS_AT_ONCE)

  async function soundsOf(
    owner: Owner,
    { uniqueid, linked }: { uniqueid: string; linked: string | null },
  ): Promise<CallSounds> {
    const callIds = [uniqueid, ...(linked === null ? [] : [linked])]
    const messages = await listVoicemailsOfCalls(db, owner, callIds)
    const recordings = await listRecordingsOfCalls(db, owner, callIds)
    return {
      // The file of an unpaid recording is deleted before its row.
      recordings: recordings.filter(({ expires_at }) => expires_at > clock.now()).map(view),
      messages: messages.map(({ id, seconds, state }) => ({
        id,
        seconds: Number(seconds),
        is_new: state === 'new',
      })),
    }
  }

  async function read(owner: Owner, id: number) {
    const row = requireFound(await findRecording(db, owner, id))
    const sound = await inTurn(EVERYBODY, () => sounds.read(row)).catch((error) => {
      if (error instanceof Refusal) throw error
      logger.error({ err: error, recording: id }, 'failed to read a recording')
      throw new Refusal('sound_unavailable')
    })
    if (!sound) throw new Refusal('not_found')
    return { row, ...sound }
  }

  const write = (handle: Database, caller: Caller, action: string, row: RecordingRow): Promise<void> =>
    audit.writeAccess(handle, caller, {
      action,
      subject: `recording ${row.id} of call ${row.call_id}`,
      userId: row.user_id,
      before: null,
      after: null,
      reason: null,
    })

  async function audio(caller: Caller, owner: Owner, id: number, isSaved: boolean): Promise<FileAnswer> {
    const { row, samples, channels } = await read(owner, id)
    await write(db, caller, isSaved ? 'recording.download' : 'recording.listen', row)
    const day = row.started_at.toISOString().slice(0, 10)
    return new FileAnswer(alawAsWav(samples, channels), `recording-${day}-${id}.wav`)
  }

  async function peaks(owner: Owner, id: number): Promise<Peaks> {
    const { samples, channels } = await read(owner, id)
    return {
      seconds: secondsOf(samples.length / channels),
      channels: await peaksOf(samples, channels, PEAKS),
    }
  }

  /** The file goes first: a row without a file can be deleted again, a file without a row would be forgotten. */
  async function removeWithin(tx: Database, owner: Owner, row: RecordingRow): Promise<void> {
    await sounds.remove(row)
    await booking.release(tx, row)
    await deleteRecording(tx, owner, row.id)
  }

  const isSettled = async (tx: Database, row: RecordingRow): Promise<boolean> =>
    row.state !== 'ready' || (await booking.book(tx, row))

  /**
   * The row of an unpaid recording stays until its price is booked. The file is removed between two transactions, because booking locks
   * the account and an object store can be slow.
   */
  async function removeExpired(id: number): Promise<void> {
    const locked = (tx: Database) => lockRecording(tx, scope, id, 'any')
    const found = await db.transaction().execute(async (tx) => {
      const row = await locked(tx)
      return row && { row, isPaid: await isSettled(tx, row) }
    })
    if (!found) return
    await sounds.remove(found.row)
    if (!found.isPaid) return
    await db.transaction().execute(async (tx) => {
      const row = await locked(tx)
      if (!row || !(await isSettled(tx, row))) return
      await booking.release(tx, row)
      await deleteRecording(tx, scope, id)
    })
  }

  return {
    ofCall: async (caller: Caller, recordId: string): Promise<CallSounds> =>
      soundsOf(ownDataOf(caller), await records.find(caller, recordId, 'UTC')),

    ofAnyCall: async (caller: Caller, recordId: string): Promise<CallSounds> =>
      soundsOf(everyonesData(caller), await records.findAny(caller, recordId, 'UTC')),

    audio: (caller: Caller, id: number, isSaved: boolean): Promise<FileAnswer> =>
      audio(caller, ownDataOf(caller), id, isSaved),
    anyAudio: (caller: Caller, id: number, isSaved: boolean): Promise<FileAnswer> =>
      audio(caller, everyonesData(caller), id, isSaved),

    peaks: (caller: Caller, id: number): Promise<Peaks> => peaks(ownDataOf(caller), id),
    anyPeaks: (caller: Caller, id: number): Promise<Peaks> => peaks(everyonesData(caller), id),

    remove: (caller: Caller, id: number): Promise<void> =>
      db.transaction().execute(async (tx) => {
        const owner = ownDataOf(caller)
        const row = requireFound(await lockRecording(tx, owner, id))
        await booking.requireBooked(tx, row)
        await write(tx, caller, 'recording.delete', row)
        await removeWithin(tx, owner, row)
      }),

    /** Job handler: deletes recordings at the end of their retention, and books finished ones first. */
    async deleteExpired(): Promise<void> {
      await inBatches({
        read: (page) => findExpired(db, scope, clock.now(), page),
        each: ({ id }) => removeExpired(id),
        onError: (error, { id }) =>
          logger.error({ err: error, recording: id }, 'failed to delete a recording'),
      })
    },

    /** All finished recordings, or those of one media process. False if one failed. */
    moveToStore: (mediaId: string | null = null): Promise<boolean> =>
      moveToStore({
        db,
        scope,
        table: 'recordings',
        mediaId,
        sounds,
        onError: (error, { id }) => logger.error({ err: error, recording: id }, 'failed to move a recording'),
      }),
  }
}

const view = (row: ShownRecording): RecordingView => ({
  id: row.id,
  started_at: row.started_at.toISOString(),
  seconds: Number(row.seconds),
  is_ready: row.state === 'ready',
  cost: row.booked_at === null ? null : toWireNumber(micros(row.micros)),
  expires_at: row.expires_at.toISOString(),
})
