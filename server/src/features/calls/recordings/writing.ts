import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { secondsOf } from '../../../platform/alaw.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { SoundFiles, SoundWriter } from '../../../platform/sound-files.ts'
import { newToken } from '../../../platform/tokens.ts'
import type { Ledger } from '../../money/ledger/service.ts'
import { bookRecordings, readRecordingPrice } from './booking.ts'
import { createCoveredSound, type Uncovered } from './covered-sound.ts'
import { createRecordingHolds } from './holds.ts'
import {
  deleteRecording,
  findAbandoned,
  findUnfinished,
  finishRecording,
  insertRecording,
  type RecordingRow,
} from './store.ts'

export type RecordingWriter = {
  readonly id: number
  /** Two channels: the caller on the left, the other side on the right. Drops what the hold does not cover. */
  append(samples: Uint8Array): void
  /** A recording without sound is dropped. */
  finish(): Promise<void>
}

export type NewRecording = {
  readonly userId: number
  readonly callId: string
  readonly mediaId: string
  /** The recording has ended, because its price is not held any longer. */
  readonly onUncovered?: (uncovered: Uncovered) => void
}

export type RecordingWriting = ReturnType<typeof createRecordingWriting>

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  sounds: SoundFiles
  jobs: Pick<Jobs, 'send'>
  ledger: Pick<Ledger, 'within'>
}

type Stored = Pick<RecordingRow, 'id' | 'user_id' | 'file' | 'storage'>

/** For the media process: records calls and holds the price. The caller has checked that the account may record. */
export function createRecordingWriting({ db, clock, logger, sounds, jobs, ledger }: Deps) {
  const scope = system('recording a call')
  const holds = createRecordingHolds({ db, ledger })
  /** Files of recordings in progress. */
  const open = new Set<string>()

  const drop = ({ id }: Pick<Stored, 'id'>): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await holds.release(tx, id)
      await deleteRecording(tx, scope, id)
    })

  async function close(row: Stored, samples: number): Promise<void> {
    if (samples === 0) {
      await sounds.remove(row)
      await drop(row)
    } else if (await finishRecording(db, row.user_id, row.id, secondsOf(samples)))
      await jobs.send(bookRecordings, {})
  }

  /** The row and its hold, or neither. Null if the balance does not cover a second. */
  const insert = ({ userId, callId, mediaId }: NewRecording, file: string) =>
    db.transaction().execute(async (tx) => {
      const perMinute = await readRecordingPrice(tx)
      const id = await insertRecording(tx, {
        user_id: userId,
        file,
        storage: 'folder',
        call_id: callId,
        started_at: clock.now(),
        seconds: 0,
        state: 'recording',
        media_id: mediaId,
        price_micros: perMinute,
      })
      const recording = { id, userId, perMinute }
      const coveredSeconds = perMinute === 0n ? 0 : await holds.place(tx, recording)
      if (coveredSeconds === null) await deleteRecording(tx, scope, id)
      return coveredSeconds === null ? null : { recording, coveredSeconds }
    })

  async function discard(sound: SoundWriter, file: string): Promise<void> {
    await sound.close().catch(() => {})
    await sounds.remove({ file, storage: 'folder' })
  }

  /** The file comes first, so that a row without a file means that its machine was lost. */
  async function begin(given: NewRecording, file: string): Promise<RecordingWriter | null> {
    const sound = sounds.create(file, 2)
    await sound.opened()
    // After an error the row may exist: `finishOwn` deletes it.
    const inserted = await insert(given, file).catch(async (error) => {
      await discard(sound, file)
      throw error
    })
    if (!inserted) {
      await discard(sound, file)
      return null
    }
    const { recording, coveredSeconds } = inserted
    const row = { id: recording.id, user_id: given.userId, file, storage: 'folder' as const }
    const onError = (err: unknown) => logger.warn({ err, recording: row.id }, 'failed to extend hold')
    const { append } = createCoveredSound(
      { holds, onError },
      { recording, sound, coveredSeconds, onUncovered: given.onUncovered ?? (() => {}) },
    )
    const finish = async () => {
      try {
        await close(row, await sound.close())
      } finally {
        open.delete(file)
      }
    }
    let finished: Promise<void> | null = null
    return { id: row.id, append, finish: () => (finished ??= finish()) }
  }

  return {
    /** Null if the balance does not cover a second. */
    async begin(given: NewRecording): Promise<RecordingWriter | null> {
      const file = `recording-${newToken()}`
      open.add(file)
      const writer = await begin(given, file).catch((error) => {
        open.delete(file)
        throw error
      })
      if (!writer) open.delete(file)
      return writer
    },

    /** Finishes the recordings of media processes that are gone. A file that cannot be read here may be on another machine. */
    async finishAbandoned(mediaIds: readonly string[], before: Date = clock.now()): Promise<void> {
      for (const row of await findAbandoned(db, scope, { mediaIds, before }, [...open])) {
        const sound = await sounds.read(row).catch(() => null)
        if (sound) await close(row, sound.samples.length / sound.channels)
      }
    },

    /** Finishes what this process could not begin or finish, because the database was away. Without a file it was never begun. */
    async finishOwn(media: { readonly id: string; readonly startedAt: Date }): Promise<void> {
      for (const row of await findUnfinished(db, scope, media, [...open])) {
        const sound = await sounds.read(row).catch(() => 'damaged' as const)
        // The row is kept until its retention ends, but not the money.
        if (sound === 'damaged') await db.transaction().execute((tx) => holds.release(tx, row.id))
        else await close(row, sound ? sound.samples.length / sound.channels : 0)
      }
    },
  }
}
