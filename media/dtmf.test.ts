import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyEvents, createToneKeys, frequenciesOf, KEYS, keyPayload } from './dtmf.ts'
import { decodeG711, encodeG711 } from './g711.ts'
import { join, silence, tone } from './tones.ts'

type Packet = { timestamp: number; payload: Uint8Array }

/** All packets of some presses, each of 100 ms with a pause of 60 ms. */
function packetsOf(keys: string, start: number): Packet[][] {
  return [...keys].map((key, at) =>
    [1, 2, 3, 4, 5, 5, 5, 5].map((length, packet) => ({
      timestamp: (start + at * 1_280) >>> 0,
      payload: keyPayload(key, length * 160, packet > 4) ?? new Uint8Array(),
    })),
  )
}

function keysFrom(packets: readonly Packet[]): string {
  let heard = ''
  const events = createKeyEvents((key) => {
    heard += key
  })
  for (const { timestamp, payload } of packets) events.receive(timestamp, 7, payload)
  return heard
}

const someKeys = fc
  .array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 12 })
  .map((keys) => keys.join(''))
const start = fc.integer({ min: 0, max: 0xffffffff })

describe('telephone events', () => {
  it('give each key once, whatever is lost or repeated', () => {
    fc.assert(
      fc.property(
        someKeys,
        start,
        fc.infiniteStream(fc.integer({ min: 0, max: 2 })),
        (keys, from, copies) => {
          const packets = packetsOf(keys, from).flatMap((press) => {
            const sent = press.flatMap((packet) =>
              Array.from({ length: copies.next().value ?? 1 }, () => packet),
            )
            // One packet of each press arrives at least.
            return sent.length > 0 ? sent : press.slice(3, 4)
          })
          expect(keysFrom(packets)).toBe(keys)
        },
      ),
    )
  })

  it('give each key once, whatever the order within 60 ms', () => {
    fc.assert(
      fc.property(
        someKeys,
        start,
        fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
        (keys, from, jitter) => {
          const packets = packetsOf(keys, from)
            .flat()
            .map((packet, at) => ({ packet, at: at + (jitter.next().value ?? 0) }))
            .toSorted((one, other) => one.at - other.at)
            .map(({ packet }) => packet)
          expect(keysFrom(packets)).toBe(keys)
        },
      ),
    )
  })

  it('take a long press in several segments as one', () => {
    const segments = [0, 1, 2].flatMap((segment) =>
      [20_000, 65_535].map((duration) => ({
        timestamp: segment * 65_535,
        payload: keyPayload('5', duration, segment === 2 && duration > 60_000) ?? new Uint8Array(),
      })),
    )
    expect(keysFrom(segments)).toBe('5')
  })

  it('take a press whose timestamp grows as one, and the next press as another', () => {
    const press = (from: number) =>
      [1, 2, 3, 4].map((at) => ({
        timestamp: from + at * 160,
        payload: keyPayload('9', at * 160, at === 4) ?? new Uint8Array(),
      }))
    expect(keysFrom([...press(0), ...press(3_000)])).toBe('99')
  })

  it('ignore short packets and other events', () => {
    expect(
      keysFrom(
        [Uint8Array.of(), Uint8Array.of(5), Uint8Array.of(16, 0, 0, 1)].map((payload) => ({
          timestamp: 1,
          payload,
        })),
      ),
    ).toBe('')
    expect(keyPayload('x', 1, false)).toBeNull()
  })
})

describe('tones in the audio', () => {
  const press = (key: string, ms: number, loudness = 8_000) =>
    tone({ hz: frequenciesOf(key) ?? [], ms, loudness })

  function toneKeys(sound: Int16Array, packet = 160): string {
    let heard = ''
    const keys = createToneKeys((key) => {
      heard += key
    })
    for (let at = 0; at < sound.length; at += packet) keys.receive(sound.subarray(at, at + packet))
    return heard
  }

  it('give each key once, after both laws, at any loudness and offset', () => {
    fc.assert(
      fc.property(
        someKeys,
        fc.constantFrom('alaw' as const, 'ulaw' as const),
        fc.integer({ min: 60, max: 400 }),
        fc.integer({ min: 800, max: 30_000 }),
        fc.integer({ min: 50, max: 80 }),
        (keys, law, ms, loudness, pause) => {
          const sound = join(
            ...[...keys].flatMap((key) => [silence(pause), press(key, ms, loudness)]),
            silence(60),
          )
          expect(toneKeys(decodeG711(encodeG711(sound, law), law))).toBe(keys)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('give nothing for noise, single tones and chords', () => {
    let seed = 1
    const noise = Int16Array.from({ length: 80_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return (seed >> 15) % 8_000
    })
    expect(toneKeys(noise)).toBe('')
    expect(toneKeys(tone({ hz: [697], ms: 500 }))).toBe('')
    expect(toneKeys(tone({ hz: [440, 480], ms: 500 }))).toBe('')
    expect(toneKeys(tone({ hz: [300, 697, 1_000, 1_209, 2_000], ms: 500 }))).toBe('')
    expect(toneKeys(silence(500))).toBe('')
  })
})
