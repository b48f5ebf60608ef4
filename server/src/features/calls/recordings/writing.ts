import { system } from '@trunkline/domain/access'
import { secondsOf } from '../../../platform/alaw.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { SoundFiles, SoundWriter } from '../../../platform/sound-files.ts'
import { newToken } from '../../../platform/tokens.ts'
import { bookRecordings } from './booking.ts'
import {
  deleteRecording,
  findAbandoned,
  finishRecording,
  insertRecording,
  type RecordingRow,
} from './store.ts'

export type RecordingWriter = {
  readonly id: number
  /** Two channels: the caller on the left, the other side on the right. */
  append(samples: Uint8Array): void
  /** A recording without sound is dropped. */
  finish(): Promise<void>
}

export type RecordingWriting = ReturnType<typeof createRecordingWriting>

type Deps = { db: Database; clock: Clock; sounds: SoundFiles; jobs: Pick<Jobs, 'send'> }

/** For the media process: records calls. The caller has checked that the account may record. */
export function createRecordingWriting({ db, clock, sounds, jobs }: Deps) {
  const scope = system('recording a call')

  async function close(
    row: Pick<RecordingRow, 'id' | 'user_id' | 'file' | 'storage'>,
    samples: number,
  ): Promise<void> {
    if (samples === 0) {
      await sounds.remove(row)
      await deleteRecording(db, scope, row.id)
    } else if (await finishRecording(db, row.user_id, row.id, secondsOf(samples)))
      await jobs.send(bookRecordings, {})
  }

  /** Without a place for sounds there is no row either. */
  async function openFile(name: string, undo: () => Promise<void>): Promise<SoundWriter> {
    try {
      return sounds.create(name, 2)
    } catch (error) {
      await undo()
      throw error
    }
  }

  return {
    async begin(given: { userId: number; callId: string; mediaId: string }): Promise<RecordingWriter> {
      const row = {
        user_id: given.userId,
        file: `recording-${newToken()}`,
        storage: 'folder' as const,
      }
      const id = await insertRecording(db, {
        ...row,
        call_id: given.callId,
        started_at: clock.now(),
        seconds: 0,
        state: 'recording',
        media_id: given.mediaId,
      })
      const writer = await openFile(row.file, () => deleteRecording(db, scope, id))
      return {
        id,
        append: (samples) => writer.append(samples),
        finish: async () => close({ ...row, id }, await writer.close()),
      }
    },

    /** Finishes the recordings of media processes that are gone. A file that cannot be read here may be on another machine. */
    async finishAbandoned(mediaIds: readonly string[], before: Date = clock.now()): Promise<void> {
      for (const row of await findAbandoned(db, scope, { mediaIds, before })) {
        const sound = await sounds.read(row).catch(() => null)
        if (sound) await close(row, sound.samples.length / sound.channels)
      }
    },
  }
}
