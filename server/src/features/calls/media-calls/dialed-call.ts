import type { AudioCopy, Encoded } from '@trunkline/media/endpoint'
import type { CallAudio } from './call-audio.ts'
import { pauseKeys, type Recorder } from './recorder.ts'
import { createTaps, type Sink, type Taps } from './taps.ts'

export type DialedCall = {
  readonly audio: CallAudio
  readonly openCopy: (offer: string) => Promise<AudioCopy | null>
  readonly recorderOf: (taps: Taps) => Recorder
  /** Null: no announcement is wanted. */
  readonly announcement: Encoded | null
  /** Called before both sides hear the announcement. False if it is too late. */
  readonly mayAnnounce: (sound: Encoded) => Promise<boolean>
  /** Called before the recording starts. False if call control has ended the announcement, because it took too long. */
  readonly mayStart: () => Promise<boolean>
  /** Resolves when the call has ended, or this process stops. */
  readonly ended: Promise<void>
}

/** `not_covered`: the balance does not cover the price, and the recorder has explained it. */
export type DialedOutcome = 'recorded' | 'not_announced' | 'not_covered'

/**
 * Records a call that its owner has dialed, from copies of what both sides send. The call goes on whatever happens here. Resolves when
 * everything is stored.
 */
export async function recordDialedCall(given: DialedCall): Promise<DialedOutcome> {
  const { audio, openCopy, recorderOf, announcement, mayAnnounce, mayStart, ended } = given
  const copies: AudioCopy[] = []
  const open = async (offer: string) => {
    const copy = await openCopy(offer)
    if (copy) copies.push(copy)
    return copy
  }
  try {
    const caller = await audio.copy('caller', open)
    const callee = await audio.copy('callee', open)
    const recorder = recorderOf(tapsOf(caller, callee))
    try {
      if (!(await recorder.prepare())) return 'not_covered'
      if (announcement) {
        await audio.calleeIsReady()
        const isAnnounced = (await mayAnnounce(announcement)) && (await audio.announce(announcement))
        if (!isAnnounced) return 'not_announced'
      }
      if (!(await mayStart())) return 'not_announced'
      await recorder.turnOn()
      caller.onKey(pauseKeys(recorder.togglePause))
      await Promise.race([ended, recorder.uncovered])
    } finally {
      for (const copy of copies) copy.close()
      await recorder.turnOff()
    }
    return 'recorded'
  } finally {
    for (const copy of copies) copy.close()
    await audio.endCopies()
  }
}

/** Longer than the 100 ms after which a packet is read. */
const QUIET_MS = 200
/** Ten seconds of both sides. */
const MAX_HELD = 2 * 10 * 50

/**
 * The end of a call is noticed up to a second later. So silence is held back while no packets arrive, until some arrive again. A call on
 * hold is silent for longer.
 */
function tapsOf(caller: AudioCopy, callee: AudioCopy): Taps {
  let held: (() => void)[] = []
  const isQuiet = () => caller.quietMs() > QUIET_MS && callee.quietMs() > QUIET_MS
  const listenTo = (copy: AudioCopy) => (sink: Sink | null) => {
    if (!sink) return copy.listen(null)
    copy.listen((packet) => {
      held.push(() => sink(packet))
      if (isQuiet() && held.length < MAX_HELD) return
      const all = held
      held = []
      for (const pass of all) pass()
    })
  }
  return createTaps({ listen: listenTo(caller), listenToSent: listenTo(callee) })
}
