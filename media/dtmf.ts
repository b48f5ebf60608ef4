import { powerAt } from './tones.ts'

/** Indexed by the event code of RFC 4733. */
export const KEYS = '0123456789*#ABCD'

export type KeyEvents = {
  /** Gets each packet with telephone events: header fields and payload. */
  receive(timestamp: number, source: number, payload: Uint8Array): void
}

/** Presses to remember: packets of the last ones may come late. */
const REMEMBERED = 16

type Press = {
  readonly source: number
  timestamp: number
  readonly code: number
  duration: number
  hasEnded: boolean
}

/**
 * Reports each key once, at the first packet of its press that arrives. All packets of a press have the same timestamp. A press longer
 * than 65,535 samples continues with a new one, and some senders count the timestamp up in each packet.
 */
export function createKeyEvents(onKey: (key: string) => void): KeyEvents {
  const presses: Press[] = []

  const continues = (press: Press, source: number, timestamp: number, code: number): boolean => {
    if (press.source !== source || press.code !== code) return false
    if (press.timestamp === timestamp) return true
    const after = (timestamp - press.timestamp) | 0
    return !press.hasEnded && after > 0 && after <= press.duration
  }

  return {
    receive(timestamp, source, payload) {
      const code = payload[0] ?? 255
      if (payload.length < 4 || code >= KEYS.length) return
      const duration = ((payload[2] ?? 0) << 8) | (payload[3] ?? 0)
      const hasEnded = ((payload[1] ?? 0) & 0x80) !== 0
      const known = presses.find((press) => continues(press, source, timestamp, code))
      if (known) {
        if (((timestamp - known.timestamp) | 0) > 0) {
          known.timestamp = timestamp
          known.duration = duration
        } else known.duration = Math.max(known.duration, duration)
        known.hasEnded ||= hasEnded
        return
      }
      presses.unshift({ source, timestamp, code, duration, hasEnded })
      presses.length = Math.min(presses.length, REMEMBERED)
      onKey(KEYS[code] ?? '')
    },
  }
}

/** The payload of one packet of a press. `duration` is in samples since its start. */
export function keyPayload(key: string, duration: number, isEnd: boolean): Uint8Array | null {
  const code = KEYS.indexOf(key)
  if (key.length !== 1 || code < 0) return null
  return Uint8Array.of(code, (isEnd ? 0x80 : 0) | 10, (duration >> 8) & 0xff, duration & 0xff)
}

const LOW_HZ = [697, 770, 852, 941] as const
const HIGH_HZ = [1_209, 1_336, 1_477, 1_633] as const
const PAD = ['123A', '456B', '789C', '*0#D'] as const

export const frequenciesOf = (key: string): readonly [low: number, high: number] | null => {
  const row = PAD.findIndex((keys) => keys.includes(key))
  const column = PAD[row]?.indexOf(key) ?? -1
  return key.length === 1 && row >= 0 ? [LOW_HZ[row] ?? 0, HIGH_HZ[column] ?? 0] : null
}

/** 25.6 ms: long enough to tell the frequencies apart, short enough for two blocks in the 40 ms of the shortest press. */
const BLOCK = 205
const STEP = 80
/** Root mean square of the quietest tone. */
const QUIETEST = 150
/** The two tones have this share of all energy; speech spreads over more frequencies. */
const SHARE = 0.75
/** The louder tone has at most this many times the energy of the other: 9 dB. */
const MAX_TWIST = 8
const BLOCKS_FOR_KEY = 2
const BLOCKS_FOR_PAUSE = 2

/** Finds keys in the audio itself, for callers that send no events. */
export function createToneKeys(onKey: (key: string) => void): { receive(samples: Int16Array): void } {
  const window = new Int16Array(BLOCK)
  let filled = 0
  let candidate = ''
  let times = 0
  let pressed = ''
  let missing = 0

  function decide(): void {
    const key = keyIn(window)
    times = key !== '' && key === candidate ? times + 1 : 1
    candidate = key
    if (key === pressed && key !== '') missing = 0
    else if (pressed !== '') {
      missing += 1
      if (missing >= BLOCKS_FOR_PAUSE) pressed = ''
    }
    if (key !== '' && times >= BLOCKS_FOR_KEY && pressed === '') {
      pressed = key
      missing = 0
      onKey(key)
    }
  }

  return {
    receive(samples) {
      for (const sample of samples) {
        window[filled] = sample
        filled += 1
        if (filled < BLOCK) continue
        decide()
        window.copyWithin(0, STEP)
        filled = BLOCK - STEP
      }
    },
  }
}

function keyIn(samples: Int16Array): string {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  if (energy < BLOCK * QUIETEST * QUIETEST) return ''
  const low = loudest(samples, LOW_HZ)
  const high = loudest(samples, HIGH_HZ)
  if (low.power + high.power < SHARE * energy) return ''
  if (low.power > MAX_TWIST * high.power || high.power > MAX_TWIST * low.power) return ''
  return PAD[low.at]?.[high.at] ?? ''
}

function loudest(samples: Int16Array, frequencies: readonly number[]): { at: number; power: number } {
  let best = { at: 0, power: 0 }
  frequencies.forEach((hz, at) => {
    const power = powerAt(samples, 0, BLOCK, hz)
    if (power > best.power) best = { at, power }
  })
  return best
}
