import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, earlier, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { endLostCalls } from './calls-store.ts'
import { MIN_MESSAGE_SECONDS, secondsOf } from './message.ts'
import type { MediaProcess } from './servers-store.ts'
import {
  findAbandoned,
  finishRecording,
  finishVoicemail,
  type OpenSound,
  removeStored,
} from './stored-store.ts'

/** A process that was not seen for this time is gone. It writes once per second. */
export const GONE_AFTER_MS = 5 * SECOND

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  files: SoundFiles
  media: MediaProcess
  /** Calls that this process handles. */
  known: () => readonly string[]
  /** False for some seconds after the database was away: the others could not write either. */
  mayJudge: () => boolean
}

/** Finishes what killed processes have left: calls, queues, messages and recordings. Every media process does it. */
export function createRecovery({ db, clock, logger, files, media, known, mayJudge }: Deps) {
  const scope = system('recovery of media calls')

  /** Null if this process cannot read the file, which may be on another machine. */
  async function lengthOf({ stored }: OpenSound): Promise<number | null> {
    const sound = await files.read(stored).catch((error) => {
      logger.warn({ err: error, file: stored.file }, 'failed to read an unfinished sound')
      return null
    })
    return sound && sound.samples.length / sound.channels
  }

  async function drop(table: 'voicemails' | 'recordings', sound: OpenSound): Promise<void> {
    await removeStored(db, table, sound.userId, sound.id)
    await files.remove(sound.stored)
  }

  async function finishMessage(sound: OpenSound): Promise<void> {
    const samples = await lengthOf(sound)
    if (samples === null) return
    if (secondsOf(samples) < MIN_MESSAGE_SECONDS) return drop('voicemails', sound)
    await finishVoicemail(db, sound.userId, sound.id, secondsOf(samples))
  }

  async function finishOneRecording(sound: OpenSound): Promise<void> {
    const samples = await lengthOf(sound)
    if (samples === null) return
    if (samples === 0) return drop('recordings', sound)
    await finishRecording(db, sound.userId, sound.id, secondsOf(samples))
  }

  return async function recover(): Promise<void> {
    if (!mayJudge()) return
    const now = clock.now()
    const seenAfter = earlier(now, GONE_AFTER_MS)
    const lost = await endLostCalls(db, scope, media, { known: known(), seenAfter, now })
    if (lost > 0) logger.warn({ calls: lost }, 'media calls were lost')
    for (const sound of await findAbandoned(db, scope, 'voicemails', seenAfter)) await finishMessage(sound)
    for (const sound of await findAbandoned(db, scope, 'recordings', seenAfter))
      await finishOneRecording(sound)
  }
}
