import { SOUND_SECONDS_MAX } from '@trunkline/contract/limits'
import { formatDuration } from '../format/durations.ts'

/** Twice the rate of a telephone call. */
const RATE = 16_000
const HEADER_BYTES = 44

export const UNREADABLE =
  'This browser cannot read the file as sound. Use WAV, MP3, M4A, OGG or FLAC, or record the text with your microphone.'

/** A file that cannot become a sound. The message is for the user. */
export class SoundFault extends Error {}

/** Decodes any format that the browser knows into mono samples. */
export async function decode(file: Blob): Promise<Float32Array> {
  const bytes = await file.arrayBuffer()
  // The context resamples to its own rate.
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes).catch(() => null)
  if (decoded === null || decoded.length === 0) throw new SoundFault(UNREADABLE)
  if (decoded.duration > SOUND_SECONDS_MAX)
    throw new SoundFault(
      `The sound is ${formatDuration(decoded.duration)} long. Sounds can have at most ${formatDuration(SOUND_SECONDS_MAX)}.`,
    )
  const mixer = new OfflineAudioContext(1, decoded.length, RATE)
  const source = mixer.createBufferSource()
  source.buffer = decoded
  source.connect(mixer.destination)
  source.start()
  return (await mixer.startRendering()).getChannelData(0)
}

/** A WAV file: mono, 16 bits. */
export function encodeWav(samples: Float32Array, rate = RATE): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + samples.length * 2))
  const write = (at: number, text: string) => {
    for (let index = 0; index < text.length; index += 1) view.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, 36 + samples.length * 2, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  samples.forEach((sample, at) => {
    const limited = Math.max(-1, Math.min(1, sample))
    view.setInt16(HEADER_BYTES + at * 2, Math.round(limited * 0x7fff), true)
  })
  return new Uint8Array(view.buffer)
}

export type ReadySound = { wav: Uint8Array<ArrayBuffer>; seconds: number }

export async function readSound(file: Blob): Promise<ReadySound> {
  const samples = await decode(file)
  return { wav: encodeWav(samples), seconds: samples.length / RATE }
}

const CHUNK = 0x8000

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  // One call for all bytes would have too many arguments.
  for (let at = 0; at < bytes.length; at += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return btoa(parts.join(''))
}

/** `Welcome` for `Welcome.mp3`. */
export const nameOfFile = (name: string): string => name.replace(/\.[^.]+$/, '').trim()
