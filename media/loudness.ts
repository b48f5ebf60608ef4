/** Root mean square of speech at a usual level: 20 dB below full scale. */
const TARGET = 32_768 * 10 ** (-20 / 20)
/** 1 dB below full scale. */
const MAX_PEAK = 32_768 * 10 ** (-1 / 20)
/** Quiet recordings are raised by at most 30 dB, because their noise is raised too. */
const MAX_GAIN = 10 ** (30 / 20)
/** 50 ms at 8,000 Hz. */
const BLOCK = 400
/** A block counts if it is at most 30 dB below the loudest: pauses must not make speech louder. */
const GATE = 10 ** (-30 / 10)
/** Root mean square of what nobody hears. */
const SILENT = 10

/** Root mean square of the loud parts. */
export function loudnessOf(samples: Int16Array): number {
  const powers: number[] = []
  for (let at = 0; at < samples.length; at += BLOCK) {
    const block = samples.subarray(at, at + BLOCK)
    let sum = 0
    for (const sample of block) sum += sample * sample
    powers.push(sum / block.length)
  }
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0)
  const counted = powers.filter((power) => power >= loudest * GATE)
  return counted.length === 0 ? 0 : Math.sqrt(counted.reduce((sum, power) => sum + power, 0) / counted.length)
}

export const isSilent = (samples: Int16Array): boolean => loudnessOf(samples) < SILENT

/** Brings speech to the same loudness, without clipping. Silence stays as it is. */
export function normalize(samples: Int16Array, target = TARGET): Int16Array {
  const loudness = loudnessOf(samples)
  if (loudness < SILENT) return samples
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const gain = Math.min(target / loudness, MAX_PEAK / peak, MAX_GAIN)
  return samples.map((sample) => Math.round(sample * gain))
}
