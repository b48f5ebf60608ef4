const RATE = 8_000
const LOUDNESS = 8_000
export const RINGBACK_HZ = 425
/** Half of the other tones: a caller may hear it for a minute. */
const RINGBACK_LOUDNESS = 4_000
/** Soft edges, so that a tone does not click. */
const EDGE_SAMPLES = 40

export type ToneOptions = { readonly hz: readonly number[]; readonly ms: number; readonly loudness?: number }

/** A tone of one or more frequencies. `loudness` is the peak of the sum, at most 32,767. */
export function tone({ hz, ms, loudness = LOUDNESS }: ToneOptions): Int16Array {
  const length = Math.round((ms * RATE) / 1_000)
  const each = loudness / Math.max(1, hz.length)
  return Int16Array.from({ length }, (_, at) => {
    const edge = Math.min(1, (at + 1) / EDGE_SAMPLES, (length - at) / EDGE_SAMPLES)
    const sum = hz.reduce((total, each) => total + Math.sin((2 * Math.PI * each * at) / RATE), 0)
    return Math.round(each * edge * sum)
  })
}

export const silence = (ms: number): Int16Array => new Int16Array(Math.round((ms * RATE) / 1_000))

/** The beep before a recording. */
export const beep = (): Int16Array => tone({ hz: [1_000], ms: 400 })

/** The tone that a caller hears while a phone rings, once: 425 Hz, one second on and four off, as in most countries. */
export const ringback = (): Int16Array =>
  join(tone({ hz: [RINGBACK_HZ], ms: 1_000, loudness: RINGBACK_LOUDNESS }), silence(4_000))

export function join(...parts: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(parts.reduce((total, part) => total + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Frequencies of a signature: far from each other, from DTMF, and from harmonics of each other. */
export const SIGNATURE_HZ = [320, 410, 530, 590, 1_040, 1_130, 1_840, 2_060, 2_310, 2_590] as const

/** A test prompt that `recognize` identifies by its number, 0 to 44: two frequencies at once. */
export const signature = (number: number, ms = 400): Int16Array => tone({ hz: pairOf(number), ms })

export const SIGNATURES = (SIGNATURE_HZ.length * (SIGNATURE_HZ.length - 1)) / 2

function pairOf(number: number): [number, number] {
  let left = number
  for (let first = 0; first < SIGNATURE_HZ.length; first++) {
    const pairs = SIGNATURE_HZ.length - 1 - first
    if (left < pairs) return [SIGNATURE_HZ[first] ?? 0, SIGNATURE_HZ[first + 1 + left] ?? 0]
    left -= pairs
  }
  throw new RangeError(`There is no signature ${number}`)
}

/** The signatures in a sound, in order, each once per appearance. One or two lost packets do not interrupt it. */
export function recognize(samples: Int16Array): number[] {
  const found: number[] = []
  let last = -1
  let times = 0
  let unclear = 0
  for (let at = 0; at + BLOCK <= samples.length; at += BLOCK / 2) {
    const number = recognizeBlock(samples, at)
    unclear = number < 0 ? unclear + 1 : 0
    if (unclear > 0 && unclear <= MAX_UNCLEAR) continue
    times = number === last ? times + 1 : 1
    last = number
    // Three overlapping blocks are 80 ms.
    if (number >= 0 && times === 3) found.push(number)
  }
  return found
}

/** Overlapping blocks that two lost packets of 20 ms can spoil. A pause between two sounds is longer. */
const MAX_UNCLEAR = 4

const BLOCK = 320

function energyOf(samples: Int16Array, start: number): number {
  let energy = 0
  for (let i = start; i < start + BLOCK; i++) energy += (samples[i] ?? 0) ** 2
  return energy
}

function recognizeBlock(samples: Int16Array, start: number): number {
  const energy = energyOf(samples, start)
  if (energy / BLOCK < 200 ** 2) return -1
  const powers = SIGNATURE_HZ.map((hz) => powerAt(samples, start, BLOCK, hz))
  const [first, second] = powers.map((power, at) => ({ power, at })).toSorted((a, b) => b.power - a.power)
  if (!first || !second || first.power + second.power < 0.7 * energy) return -1
  if (second.power < first.power / 8) return -1
  const [low, high] = [Math.min(first.at, second.at), Math.max(first.at, second.at)]
  let number = high - low - 1
  for (let row = 0; row < low; row++) number += SIGNATURE_HZ.length - 1 - row
  return number
}

/** How long the ringback tone sounds, in seconds. */
export function ringbackSeconds(samples: Int16Array): number {
  let blocks = 0
  for (let at = 0; at + BLOCK <= samples.length; at += BLOCK) {
    const energy = energyOf(samples, at)
    if (energy / BLOCK < 200 ** 2) continue
    if (powerAt(samples, at, BLOCK, RINGBACK_HZ) > 0.7 * energy) blocks += 1
  }
  return (blocks * BLOCK) / RATE
}

/** Goertzel: the energy of one frequency, on the scale of the sum of squares. */
export function powerAt(samples: Int16Array, start: number, length: number, hz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE)
  let one = 0
  let two = 0
  for (let i = start; i < start + length; i++) {
    const next = (samples[i] ?? 0) + factor * one - two
    two = one
    one = next
  }
  return (2 * (one * one + two * two - factor * one * two)) / length
}
