import type { Language } from '@trunkline/domain/flows'
import type { Conversation } from '@trunkline/media/endpoint'
import type { Logger } from 'pino'
import type { Database } from '../../../platform/database.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { RecordingWriting } from '../recordings/writing.ts'
import { explainCall } from './calls-store.ts'
import { createRecorder, type RecordedCall, type Recorder } from './recorder.ts'
import type { RecordingRules } from './recording-rules-store.ts'
import type { MediaProcess } from './servers-store.ts'
import type { Sounds } from './sounds.ts'
import type { Taps } from './taps.ts'

type Deps = {
  db: Database
  logger: Logger
  metrics: Pick<Metrics, 'counter'>
  sounds: Pick<Sounds, 'prompt'>
  writing: Pick<RecordingWriting, 'begin'>
  media: MediaProcess
}

/** Recorders of this process. They explain in the call record why a recording is missing or short. */
export function createRecorders({ db, logger, metrics, sounds, writing, media }: Deps) {
  const uncovered = metrics.counter({
    name: 'trunkline_media_recordings_uncovered_total',
    help: 'Recordings that did not start or ended early, because their price could not be held.',
  })

  function onUncovered(call: RecordedCall, sentence: string): void {
    uncovered.add(1)
    logger.info({ call: call.callId, user: call.userId }, 'recording not covered')
    explainCall(db, call, sentence).catch((error) =>
      logger.error({ err: error, call: call.callId }, 'failed to explain a recording'),
    )
  }

  /** False if somebody did not hear that the call is recorded. */
  async function announce(listeners: readonly Conversation[], language: Language): Promise<boolean> {
    const sound = await sounds.prompt('recording_announcement', language)
    if (sound === null) return false
    const played = await Promise.all(listeners.map((listener) => listener.play(sound).done))
    return played.every((isComplete) => isComplete)
  }

  return {
    recorderOf: (call: RecordedCall, taps: Taps): Recorder =>
      createRecorder({ writing, mediaId: media.id, onUncovered }, { call, taps }),

    /** Holds the price before the announcement. False also if somebody did not hear it. */
    mayRecord: async (
      recorder: Recorder,
      { recordsFromStart, announces }: RecordingRules,
      listeners: readonly Conversation[],
      language: Language,
    ): Promise<boolean> =>
      recordsFromStart && (await recorder.prepare()) && (!announces || (await announce(listeners, language))),
  }
}
