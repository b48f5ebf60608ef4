import { runYielding } from './event-loop.ts'

/** Stored sound is A-law with 8,000 samples per second. */
export const SAMPLES_PER_SECOND = 8_000

export const secondsOf = (samples: number): number => Math.round((samples / SAMPLES_PER_SECOND) * 100) / 100

/** A WAV file with A-law samples: browsers and mail programs play it, and it is half as large as linear samples. */
export function alawAsWav(samples: Uint8Array, channels: 1 | 2): Uint8Array {
  const header = Buffer.alloc(58)
  header.write('RIFF', 0)
  header.writeUInt32LE(50 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(18, 16)
  header.writeUInt16LE(6, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  header.writeUInt32LE(SAMPLES_PER_SECOND * channels, 28)
  header.writeUInt16LE(channels, 32)
  header.writeUInt16LE(8, 34)
  header.write('fact', 38)
  header.writeUInt32LE(4, 42)
  header.writeUInt32LE(samples.length / channels, 46)
  header.write('data', 50)
  header.writeUInt32LE(samples.length, 54)
  return Buffer.concat([header, samples])
}

/** 0 to 1 for each A-law byte (ITU-T G.711). */
const LOUDNESS = Float32Array.from({ length: 256 }, (_, byte) => {
  const magnitude = (byte ^ 0x55) & 0x7f
  const segment = magnitude >> 4
  const step = ((magnitude & 0x0f) << 1) | 1
  const linear = segment === 0 ? step : (step + 32) << (segment - 1)
  return linear / 4032
})

/** Samples between two turns of the event loop, about 10 ms of work. */
const PER_TURN = 4_000_000

/** The loudest sample of each of `count` equal parts, for each channel. */
export const peaksOf = (samples: Uint8Array, channels: 1 | 2, count: number): Promise<number[][]> =>
  runYielding(findPeaks(samples, channels, count))

function* findPeaks(
  samples: Uint8Array,
  channels: 1 | 2,
  count: number,
): Generator<undefined, number[][], undefined> {
  const length = samples.length / channels
  const parts = Math.min(count, length)
  const peaks = Array.from({ length: channels }, () => new Array<number>(parts).fill(0))
  let inTurn = 0
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * length) / parts)
    const to = Math.floor(((part + 1) * length) / parts)
    for (const [channel, found] of peaks.entries()) {
      let peak = 0
      for (let at = from; at < to; at++) {
        const loudness = LOUDNESS[samples[at * channels + channel] ?? 0] ?? 0
        if (loudness > peak) peak = loudness
      }
      found[part] = Math.round(peak * 1_000) / 1_000
    }
    inTurn += (to - from) * channels
    if (inTurn > PER_TURN) {
      inTurn = 0
      yield
    }
  }
  return peaks
}
