/**
 * Netstrings, the framing of Kamailio's evapi: `<length in bytes>:<bytes>,`. The reader takes bytes as they come off a
 * socket, in any pieces, and gives back whole messages.
 */

/** Longer than any message of ours; without a bound a faulty peer could have us gather for ever. */
const LONGEST = 1024 * 1024
const COLON = 0x3a
const COMMA = 0x2c
const ZERO = 0x30

export class FramingError extends Error {}

const encoder = new TextEncoder()
// A byte order mark is part of the message, like everything else in it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function writeNetstring(text: string): Uint8Array {
  const body = encoder.encode(text)
  const head = encoder.encode(`${body.length}:`)
  const whole = new Uint8Array(head.length + body.length + 1)
  whole.set(head)
  whole.set(body, head.length)
  whole[whole.length - 1] = COMMA
  return whole
}

/**
 * Each byte is copied once, however small the pieces: a long message in many of them must not cost the square of its length.
 * After a FramingError there is no telling where the next message begins; the connection is of no more use.
 */
export function createNetstringReader(): (bytes: Uint8Array) => string[] {
  /** As far as the digits came; null before the first. */
  let length: number | null = null
  /** The message and its comma, once its length is known. */
  let body: Uint8Array | null = null
  let filled = 0

  return (bytes) => {
    const messages: string[] = []
    for (let at = 0; at < bytes.length; ) {
      if (body) {
        const piece = bytes.subarray(at, at + body.length - filled)
        body.set(piece, filled)
        filled += piece.length
        at += piece.length
        if (filled === body.length) {
          messages.push(textOf(body))
          body = null
        }
      } else if (bytes[at] === COLON) {
        if (length === null) throw new FramingError('a message has no length')
        body = new Uint8Array(length + 1)
        filled = 0
        length = null
        at += 1
      } else {
        length = withDigit(length, bytes[at])
        at += 1
      }
    }
    return messages
  }
}

function withDigit(length: number | null, byte: number | undefined): number {
  const digit = (byte ?? Number.NaN) - ZERO
  if (!(digit >= 0 && digit <= 9) || length === 0) throw new FramingError('a message has no length')
  const longer = (length ?? 0) * 10 + digit
  if (longer > LONGEST) throw new FramingError('a message is too long')
  return longer
}

function textOf(body: Uint8Array): string {
  if (body[body.length - 1] !== COMMA) throw new FramingError('a message does not end where it says')
  return decoder.decode(body.subarray(0, -1))
}
