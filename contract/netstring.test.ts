import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNetstringReader, FramingError, writeNetstring } from './netstring.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const joined = (pieces: readonly Uint8Array[]) => new Uint8Array(pieces.flatMap((piece) => [...piece]))

/** Splits at the given positions. Pieces can be empty. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return edges.slice(1).map((edge, at) => bytes.subarray(edges[at], edge))
}

/** One to four bytes in UTF-8, without lone surrogates. */
const anyCharacter = fc
  .oneof(fc.nat({ max: 0x7f }), fc.nat({ max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 0x20ac : code))

const anyMessage = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.json(),
  fc.constantFrom('', ',', ':', '5:hello,', '\ufeffmarked'),
)

describe('netstrings', () => {
  test('returns messages from arbitrary pieces in order, each as soon as it is complete', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessage, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (messages, places) => {
          const framed = messages.map(writeNetstring)
          const ends = framed.map((_, at) => joined(framed.slice(0, at + 1)).length)
          const read = createNetstringReader()
          let given = 0
          const back: string[] = []
          for (const piece of cut(joined(framed), places)) {
            given += piece.length
            // Sockets reuse the memory of a piece for the next one.
            const lent = piece.slice()
            back.push(...read(lent))
            lent.fill(0)
            expect(back.length).toBe(ends.filter((end) => end <= given).length)
          }
          expect(back).toEqual(messages)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('counts bytes, not characters', () => {
    expect(new TextDecoder().decode(writeNetstring('ü€'))).toBe('5:ü€,')
  })

  test.each([
    ['no digit', 'x'],
    ['no length', ':hello,'],
    ['a negative length', '-5:hello,'],
    ['a fraction', '5.0:hello,'],
    ['a space', '5 :hello,'],
    ['a leading zero', '05:hello,'],
    ['zeros without end', '00'],
    ['no comma at the end', '5:hello;'],
    ['more than it says', '4:hello,'],
    ['longer than a mebibyte', '1048577:'],
    ['digits without end', '99999999'],
    ['a fault after a whole message', '5:hello,,'],
  ])('rejects %s, in one piece and byte by byte', (_, faulty) => {
    const bytes = bytesOf(faulty)
    expect(() => createNetstringReader()(bytes)).toThrow(FramingError)
    const read = createNetstringReader()
    expect(() => cut(bytes, [...bytes.keys()]).map(read)).toThrow(FramingError)
  })

  test('rejects a modified frame or returns different messages', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(
        fc.array(fc.json(), { minLength: 1, maxLength: 5 }),
        change,
        (messages, [place, difference]) => {
          const bytes = joined(messages.map(writeNetstring))
          const at = place % bytes.length
          bytes[at] = ((bytes[at] ?? 0) + difference) % 256
          let back: string[] | null = null
          try {
            back = createNetstringReader()(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(FramingError)
          }
          expect(back).not.toEqual(messages)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('copies each byte of a long message once, even from single-byte pieces', () => {
    const message = 'x'.repeat(20_000)
    const bytes = writeNetstring(message)
    const read = createNetstringReader()
    const set = Uint8Array.prototype.set
    let copied = 0
    Uint8Array.prototype.set = function (this: Uint8Array, source: ArrayLike<number>, offset?: number) {
      copied += source.length
      return set.call(this, source, offset)
    }
    try {
      let back: string[] = []
      for (let at = 0; at < bytes.length; at++) back = read(bytes.subarray(at, at + 1))
      expect(back).toEqual([message])
    } finally {
      Uint8Array.prototype.set = set
    }
    expect(copied).toBeLessThanOrEqual(bytes.length)
  })
})
