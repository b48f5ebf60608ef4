import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { newToken } from '../../../platform/tokens.ts'
import type { CallFacts } from './calls-store.ts'
import { followMessage, MIN_MESSAGE_SECONDS, secondsOf } from './message.ts'
import { finishVoicemail, insertVoicemail, removeStored } from './stored-store.ts'
import type { Taps } from './taps.ts'

export type MessageDeps = {
  db: Database
  clock: Clock
  files: SoundFiles
  mediaId: string
}

export type MessageInProgress = {
  /** Length of the message; 0 if nothing was said and it was dropped. */
  readonly done: Promise<number>
  stop(): void
}

/** Records a message into a file that a killed process leaves readable. */
export function takeMessage(
  { db, clock, files, mediaId }: MessageDeps,
  { call, taps, maxSeconds }: { call: CallFacts; taps: Taps; maxSeconds: number },
): MessageInProgress {
  const file = `voicemail-${newToken()}`
  const ended = Promise.withResolvers<void>()
  const followed = followMessage(maxSeconds, ended.resolve)
  const writer = files.create(file, 1)
  const untap = taps.heard((packet) => {
    writer.append(packet)
    followed.sink(packet)
  })

  async function record(): Promise<number> {
    const inserting = insertVoicemail(db, { call, mediaId, file, now: clock.now() })
    // Without a row nobody can find the message, so the recording ends when it cannot be inserted.
    inserting.catch(ended.resolve)
    await ended.promise
    untap()
    const samples = await writer.close()
    const stored = { file, storage: 'folder' } as const
    const id = await inserting.catch(async (error) => {
      await files.remove(stored)
      throw error
    })
    if (followed.spokenSeconds() < MIN_MESSAGE_SECONDS) {
      await removeStored(db, 'voicemails', call.userId, id)
      await files.remove(stored)
      return 0
    }
    await finishVoicemail(db, call.userId, id, secondsOf(samples))
    return secondsOf(samples)
  }

  return { done: record(), stop: ended.resolve }
}
