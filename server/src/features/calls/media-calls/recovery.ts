import { system } from '@trunkline/domain/access'
import type { Logger } from 'pino'
import { type Clock, earlier, SECOND } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { RecordingWriting } from '../recordings/writing.ts'
import type { VoicemailWriting } from '../voicemail/writing.ts'
import { endLostCalls } from './calls-store.ts'
import { findGoneWriters, type MediaProcess } from './servers-store.ts'

/** A process that was not seen for this time is gone. It writes once per second. */
export const GONE_AFTER_MS = 5 * SECOND

type Deps = {
  db: Database
  clock: Clock
  logger: Logger
  voicemail: Pick<VoicemailWriting, 'finishAbandoned'>
  recordings: Pick<RecordingWriting, 'finishAbandoned' | 'finishOwn'>
  media: MediaProcess
  /** Calls that this process handles. */
  known: () => readonly string[]
  /** False for some seconds after the database was away: the others could not write either. */
  mayJudge: () => boolean
}

/** Finishes what killed processes have left: calls, queues, messages and recordings. Every media process does it. */
export function createRecovery(deps: Deps) {
  const { db, clock, logger, voicemail, recordings, media } = deps
  const scope = system('recovery of media calls')

  async function finishSounds(mediaIds: readonly string[], before: Date): Promise<void> {
    await voicemail.finishAbandoned(mediaIds, before)
    await recordings.finishAbandoned(mediaIds, before)
  }

  return async function recover(): Promise<void> {
    if (!deps.mayJudge()) return
    const now = clock.now()
    const seenAfter = earlier(now, GONE_AFTER_MS)
    const lost = await endLostCalls(db, scope, media, { known: deps.known(), seenAfter, now })
    if (lost > 0) logger.warn({ calls: lost }, 'media calls lost')
    await finishSounds(await findGoneWriters(db, scope, seenAfter), seenAfter)
    // Sounds of an earlier process with the same name.
    await finishSounds([media.id], media.startedAt)
    await recordings.finishOwn(media)
  }
}
