import type { Conversation } from '@trunkline/media/endpoint'
import type { Uncovered } from '../recordings/covered-sound.ts'
import type { RecordingWriter, RecordingWriting } from '../recordings/writing.ts'
import type { CallFacts } from './calls-store.ts'
import { createStereo } from './stereo.ts'
import type { Taps } from './taps.ts'

export type RecordedCall = Pick<CallFacts, 'callId' | 'userId'>

type Deps = {
  writing: Pick<RecordingWriting, 'begin'>
  mediaId: string
  /** The balance does not cover a recording, or no more of it. The sentence says so. */
  onUncovered: (call: RecordedCall, sentence: string) => void
}

export type Recorder = ReturnType<typeof createRecorder>

type Recording = { stop(): Promise<void> }

const NOT_COVERED = 'The recording did not start, because the balance does not cover its price.'

const endedAfter = ({ seconds, reason }: Uncovered): string => {
  const because =
    reason === 'balance' ? 'the balance did not cover more' : 'no more money could be held for its price'
  return `The recording ended after ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, because ${because}.`
}

/** Records a call in stereo: the caller on the left, and what the caller hears on the right. Each turning on is a recording. */
export function createRecorder(
  { writing, mediaId, onUncovered }: Deps,
  { call, taps }: { call: RecordedCall; taps: Taps },
) {
  /** Its price is held, and nothing is recorded yet. */
  let prepared: RecordingWriter | null = null
  let current: Recording | null = null
  let isPaused = false
  const uncovered = Promise.withResolvers<void>()
  /** Turns follow each other, so that a hang-up while it turns on also ends it. */
  let turning: Promise<unknown> = Promise.resolve()
  const turn = <Result>(step: () => Promise<Result>): Promise<Result> => {
    const turned = turning.then(step)
    turning = turned.catch(() => {})
    return turned
  }

  async function hold(): Promise<RecordingWriter | null> {
    if (prepared) return prepared
    const { userId, callId } = call
    const endUncovered = (end: Uncovered) => {
      void turnOff().catch(() => {})
      onUncovered(call, endedAfter(end))
      uncovered.resolve()
    }
    prepared = await writing.begin({ userId, callId, mediaId, onUncovered: endUncovered })
    if (!prepared) onUncovered(call, NOT_COVERED)
    return prepared
  }

  function begin(writer: RecordingWriter): Recording {
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

  const turnOff = (): Promise<void> =>
    turn(async () => {
      const [unused, ending] = [prepared, current]
      prepared = null
      current = null
      await unused?.finish()
      await ending?.stop()
    })

  return {
    isOn: () => current !== null,
    /** Holds the price before the recording is announced. False if the balance does not cover it. */
    prepare: (): Promise<boolean> => turn(async () => current !== null || (await hold()) !== null),
    /** False if the balance does not cover the price. */
    turnOn: (): Promise<boolean> =>
      turn(async () => {
        isPaused = false
        if (current) return true
        const writer = await hold()
        if (!writer) return false
        prepared = null
        current = begin(writer)
        return true
      }),
    /** Also gives back the money of a recording that was only prepared. */
    turnOff,
    /** Resolves when a recording has ended, because its price is not held any longer. */
    uncovered: uncovered.promise,
    /** Pauses or resumes. The paused part is not in the file. */
    togglePause(): void {
      if (current) isPaused = !isPaused
    },
  }
}

/** Starts the recording, or gives back the money that was held for it. */
export async function recordIf(recorder: Recorder, mayRecord: Promise<boolean>): Promise<void> {
  const isAgreed = await mayRecord.catch(() => false)
  await (isAgreed ? recorder.turnOn() : recorder.turnOff())
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
