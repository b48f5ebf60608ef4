import { SAMPLES_PER_SECOND, secondsOf } from '../../../platform/alaw.ts'
import type { Sink } from './taps.ts'

/** Silence that ends a message. */
const SILENCE_SECONDS = 4
/** A shorter message is dropped: the caller hung up or said nothing. */
export const MIN_MESSAGE_SECONDS = 1

/** Segment and step of an A-law byte without its sign: 0 to 127, roughly logarithmic. Speech is above 40, line noise below. */
const loudness = (byte: number): number => (byte ^ 0x55) & 0x7f
const SPEECH_LOUDNESS = 40
/** A packet with this share of loud samples is speech; clicks are shorter. */
const SPEECH_SHARE = 0.05

function isSpeech(packet: Uint8Array): boolean {
  let loud = 0
  for (const byte of packet) if (loudness(byte) >= SPEECH_LOUDNESS) loud++
  return loud > packet.length * SPEECH_SHARE
}

export type FollowedMessage = {
  sink: Sink
  seconds(): number
  /** Length up to the last speech. */
  spokenSeconds(): number
}

/** Follows a message while it is recorded. `onEnd` is called once, after silence or at the limit. */
export function followMessage(maxSeconds: number, onEnd: () => void): FollowedMessage {
  let samples = 0
  let spokenUntil = 0
  let hasEnded = false
  return {
    sink(packet) {
      samples += packet.length
      if (isSpeech(packet)) spokenUntil = samples
      const isSilent = samples - spokenUntil >= SILENCE_SECONDS * SAMPLES_PER_SECOND
      if (hasEnded || (!isSilent && samples < maxSeconds * SAMPLES_PER_SECOND)) return
      hasEnded = true
      onEnd()
    },
    seconds: () => secondsOf(samples),
    spokenSeconds: () => secondsOf(spokenUntil),
  }
}
