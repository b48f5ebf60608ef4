import type { Conversation } from '@trunkline/media/endpoint'
import type { RecordingWriting } from '../recordings/writing.ts'
import type { CallFacts } from './calls-store.ts'
import { createStereo } from './stereo.ts'
import type { Taps } from './taps.ts'

type Deps = { writing: Pick<RecordingWriting, 'begin'>; mediaId: string }

export type Recorder = ReturnType<typeof createRecorder>

type Recording = { stop(): Promise<void> }

/** Records a call in stereo: the caller on the left, and what the caller hears on the right. Each turning on is a recording. */
export function createRecorder(
  { writing, mediaId }: Deps,
  { call, taps }: { call: Pick<CallFacts, 'callId' | 'userId'>; taps: Taps },
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
    const { userId, callId } = call
    const writer = await writing.begin({ userId, callId, mediaId })
    const stereo = createStereo((samples) => {
      if (!isPaused) writer.append(samples)
    })
    const untap = [taps.heard(stereo.left), taps.sent(stereo.right)]
    return {
      async stop() {
        for (const stop of untap) stop()
        stereo.flush()
        await writer.finish()
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
        await ending?.stop()
      }),
    /** Pauses or resumes. The paused part is not in the file. */
    togglePause(): void {
      if (current) isPaused = !isPaused
    },
  }
}

/** Connects both sides. The audio stays here while it is recorded, and `*5` of either side pauses and resumes. */
export function connectSides(caller: Conversation, other: Conversation, recorder: Recorder): void {
  const staysHere = recorder.isOn()
  caller.connect(other, { staysHere })
  if (!staysHere) return
  for (const side of [caller, other]) side.onKey(pauseKeys(recorder.togglePause))
}

export function pauseKeys(toggle: () => void): (key: string) => void {
  let last = ''
  return (key) => {
    if (last === '*' && key === '5') toggle()
    last = key
  }
}
