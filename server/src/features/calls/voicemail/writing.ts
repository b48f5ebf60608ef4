import { VOICEMAIL_MESSAGES_MAX } from '@trunkline/contract/limits'
import { system } from '@trunkline/domain/access'
import { SAMPLES_PER_SECOND, secondsOf } from '../../../platform/alaw.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { SoundFiles, SoundWriter } from '../../../platform/sound-files.ts'
import { newToken } from '../../../platform/tokens.ts'
import { mailVoicemail } from './mailing.ts'
import {
  countStored,
  deleteVoicemail,
  findAbandoned,
  finishVoicemail,
  insertVoicemail,
  type VoicemailRow,
} from './store.ts'

export type NewMessage = {
  userId: number
  callId: string
  /** The called number and the caller, as in the call record. */
  number: string
  caller: string
  callerName: string
  mediaId: string
}

export type MessageWriter = {
  readonly id: number
  append(samples: Uint8Array): void
  /** The message is in the mailbox when this resolves. A message of less than a second is dropped. */
  finish(): Promise<void>
  /** Deletes what was recorded. */
  discard(): Promise<void>
}

export class MailboxFull extends Error {
  constructor() {
    super(`the mailbox has ${VOICEMAIL_MESSAGES_MAX} messages and is full`)
  }
}

export type VoicemailWriting = ReturnType<typeof createVoicemailWriting>

type Deps = { db: Database; clock: Clock; sounds: SoundFiles; jobs: Pick<Jobs, 'send'> }

/** For the media process: records messages. The row exists from the first second, so that nothing is lost with the process. */
export function createVoicemailWriting({ db, clock, sounds, jobs }: Deps) {
  const scope = system('recording a message')

  async function drop({ id, file, storage }: Pick<VoicemailRow, 'id' | 'file' | 'storage'>): Promise<void> {
    await sounds.remove({ file, storage })
    await deleteVoicemail(db, scope, id)
  }

  async function close(row: Pick<VoicemailRow, 'id' | 'user_id' | 'file' | 'storage'>, samples: number) {
    if (samples < SAMPLES_PER_SECOND) return drop(row)
    if (await finishVoicemail(db, row.user_id, row.id, secondsOf(samples))) await jobs.send(mailVoicemail, {})
  }

  /** Without a place for sounds there is no row either. */
  async function openFile(name: string, undo: () => Promise<void>): Promise<SoundWriter> {
    try {
      return sounds.create(name, 1)
    } catch (error) {
      await undo()
      throw error
    }
  }

  const isFull = async (userId: number): Promise<boolean> =>
    (await countStored(db, userId)) >= VOICEMAIL_MESSAGES_MAX

  return {
    isFull,

    /** Throws if the mailbox is full: callers must not fill the disk. */
    async begin({ userId, callId, number, caller, callerName, mediaId }: NewMessage): Promise<MessageWriter> {
      if (await isFull(userId)) throw new MailboxFull()
      const row = { user_id: userId, file: `message-${newToken()}`, storage: 'folder' as const }
      const id = await insertVoicemail(db, {
        ...row,
        call_id: callId,
        number,
        caller,
        caller_name: callerName,
        started_at: clock.now(),
        seconds: 0,
        state: 'recording',
        media_id: mediaId,
      })
      const writer = await openFile(row.file, () => deleteVoicemail(db, scope, id))
      return {
        id,
        append: (samples) => writer.append(samples),
        finish: async () => close({ ...row, id }, await writer.close()),
        async discard() {
          await writer.close()
          await drop({ ...row, id })
        },
      }
    },

    /** Finishes the messages of media processes that are gone. A file that cannot be read here may be on another machine. */
    async finishAbandoned(mediaIds: readonly string[], before: Date = clock.now()): Promise<void> {
      for (const row of await findAbandoned(db, scope, { mediaIds, before })) {
        const sound = await sounds.read(row).catch(() => null)
        if (sound) await close(row, sound.samples.length / sound.channels)
      }
    },
  }
}
