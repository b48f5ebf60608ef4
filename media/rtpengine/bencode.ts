/** Bencode, the format of rtpengine's commands and replies. */

export type Bencoded = string | Uint8Array | number | BencodedList | BencodedDictionary
type BencodedList = readonly Bencoded[]
export type BencodedDictionary = { readonly [key: string]: Bencoded }

/** Strings are decoded as UTF-8. */
export type Decoded = string | number | readonly Decoded[] | { readonly [key: string]: Decoded }

export function encodeBencode(value: Bencoded): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`)
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = Buffer.from(value as string)
    return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes])
  }
  const isList = Array.isArray(value)
  const parts = isList
    ? (value as BencodedList).map(encodeBencode)
    : Object.entries(value as BencodedDictionary).flatMap((entry) => entry.map(encodeBencode))
  return Buffer.concat([Buffer.from(isList ? 'l' : 'd'), ...parts, Buffer.from('e')])
}

const MAX_DEPTH = 32
const LIST = 'l'.charCodeAt(0)
const DICTIONARY = 'd'.charCodeAt(0)
const NUMBER = 'i'.charCodeAt(0)
const END = 'e'.charCodeAt(0)
const COLON = ':'.charCodeAt(0)

/** Null if the bytes are not one complete value. */
export function decodeBencode(bytes: Buffer): Decoded | null {
  let at = 0

  function readUntil(mark: number): string {
    const end = bytes.indexOf(mark, at)
    if (end < 0) throw new Malformed()
    const text = bytes.toString('latin1', at, end)
    at = end + 1
    return text
  }

  function integer(text: string): number {
    if (!/^-?\d{1,15}$/.test(text)) throw new Malformed()
    return Number(text)
  }

  function readString(): string {
    const length = integer(readUntil(COLON))
    const end = at + length
    if (length < 0 || end > bytes.length) throw new Malformed()
    const text = bytes.toString('utf8', at, end)
    at = end
    return text
  }

  function readItems(depth: number): Decoded[] {
    if (depth > MAX_DEPTH) throw new Malformed()
    at += 1
    const items: Decoded[] = []
    while (bytes[at] !== END) items.push(readValue(depth))
    at += 1
    return items
  }

  function readDictionary(depth: number): Decoded {
    const items = readItems(depth)
    if (items.length % 2 !== 0) throw new Malformed()
    const pairs = items.flatMap((key, index) => (index % 2 === 0 ? [[key, items[index + 1]]] : []))
    return Object.fromEntries(pairs) as Decoded
  }

  function readValue(depth: number): Decoded {
    switch (bytes[at]) {
      case LIST:
        return readItems(depth + 1)
      case DICTIONARY:
        return readDictionary(depth + 1)
      case NUMBER:
        at += 1
        return integer(readUntil(END))
      default:
        return readString()
    }
  }

  try {
    const value = readValue(0)
    return at === bytes.length ? value : null
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

class Malformed extends Error {}
