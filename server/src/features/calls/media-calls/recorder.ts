import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { SoundFiles } from '../../../platform/sound-files.ts'
import { newToken } from '../../../platform/tokens.ts'
import type { CallFacts } from './calls-store.ts'
import { secondsOf } from './message.ts'
import { createStereo } from './stereo.ts'
import { finishRecording, insertRecording } from './stored-store.ts'
import type { Taps } from './taps.ts'

type Deps = { db: Database; clock: Clock; files: SoundFiles; mediaId: string }

export type Recorder = ReturnType<typeof createRecorder>

type Recording = { id: number; stop(): Promise<number> }

/** Records a call in stereo: the caller on the left, and what the caller hears on the right. Each turning on is a recording. */
export function createRecorder(
  { db, clock, files, mediaId }: Deps,
  { call, taps }: { call: CallFacts; taps: Taps },
) {
  let current: Recording | null = null
  let isPaused = false
  /** Turns follow each other, so that a hang-up while it turns on also ends it. */
  let turning: Promise<void> = Promise.resolve()
  const turn = (step: () => Promise<void>): Promise<void> => {
    const turned = turning.then(step)
    turning = turned.catch(() => {})
    return turned
  }

  async function begin(): Promise<Recording> {
    const file = `recording-${newToken()}`
    const id = await insertRecording(db, { call, mediaId, file, now: clock.now() })
    const writer = files.create(file, 2)
    const stereo = createStereo((samples) => {
      if (!isPaused) writer.append(samples)
    })
    const untap = [taps.heard(stereo.left), taps.sent(stereo.right)]
    return {
      id,
      async stop() {
        for (const stop of untap) stop()
        stereo.flush()
        return writer.close()
      },
    }
  }

  return {
    isOn: () => current !== null,
    turnOn: (): Promise<void> =>
      turn(async () => {
        isPaused = false
        current ??= await begin()
      }),
    turnOff: (): Promise<void> =>
      turn(async () => {
        const ending = current
        current = null
        if (!ending) return
        const samples = await ending.stop()
        await finishRecording(db, call.userId, ending.id, secondsOf(samples))
      }),
    /** Pauses or resumes. The paused part is not in the file. */
    togglePause(): void {
      if (current) isPaused = !isPaused
    },
  }
}

/** `*5` pauses and resumes. */
export function pauseKeys(toggle: () => void): (key: string) => void {
  let last = ''
  return (key) => {
    if (last === '*' && key === '5') toggle()
    last = key
  }
}
