export const RATE = 8_000
/** Half width of the filter in samples of the lower rate. */
const HALF_WIDTH = 16
/** The filter passes this share of the highest frequency. */
const PASS = 0.92
const MAX_PHASES = 1_024
/** Output samples between two pauses: a few milliseconds of work. */
const CHUNK = 8_000

/** Changes the rate with a low-pass filter (windowed sinc). Pauses for other work: a long upload must not block the process. */
export async function resample(samples: Int16Array, from: number, to = RATE): Promise<Int16Array> {
  if (from === to) return samples
  const filter = createFilter(from, to)
  const result = new Int16Array(Math.floor((samples.length * to) / from))
  for (let at = 0; at < result.length; at += CHUNK) {
    filter(samples, result, at, Math.min(at + CHUNK, result.length))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return result
}

type Filter = (samples: Int16Array, result: Int16Array, start: number, end: number) => void

function createFilter(from: number, to: number): Filter {
  const phases = Math.min(MAX_PHASES, to / greatestDivisor(from, to))
  /** Highest frequency in cycles per input sample, times two. */
  const cutoff = Math.min(1, to / from) * PASS
  const reach = Math.ceil(HALF_WIDTH * Math.max(1, from / to))
  const taps = 2 * reach
  const table = new Float64Array(phases * taps)
  for (let phase = 0; phase < phases; phase++) {
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const distance = tap - reach + 1 - phase / phases
      const value = sinc(distance * cutoff) * window(distance / reach)
      table[phase * taps + tap] = value
      sum += value
    }
    // Each phase passes a constant unchanged.
    for (let tap = 0; tap < taps; tap++) table[phase * taps + tap] = (table[phase * taps + tap] ?? 0) / sum
  }

  return (samples, result, start, end) => {
    for (let out = start; out < end; out++) {
      const position = (out * from) / to
      let whole = Math.floor(position)
      let phase = Math.round((position - whole) * phases)
      if (phase === phases) {
        phase = 0
        whole += 1
      }
      const first = whole - reach + 1
      let sum = 0
      for (let tap = 0; tap < taps; tap++) {
        const at = first + tap
        if (at >= 0 && at < samples.length) sum += (samples[at] ?? 0) * (table[phase * taps + tap] ?? 0)
      }
      result[out] = Math.max(-32_768, Math.min(32_767, Math.round(sum)))
    }
  }
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Blackman window: it keeps images 70 dB below the sound. */
function window(x: number): number {
  if (Math.abs(x) >= 1) return 0
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))
