/**
 * Netstrings, the framing of Kamailio's evapi: `<length in bytes>:<bytes>,`. The reader accepts bytes from a socket in
 * arbitrary pieces and returns complete messages.
 */

/** Longer than any valid message. Bounds the memory that a faulty peer can use. */
const MAX_LENGTH = 1024 * 1024
const COLON = 0x3a
const COMMA = 0x2c
const ZERO = 0x30

export class FramingError extends Error {}

const encoder = new TextEncoder()
// Keeps a byte order mark as part of the message.
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
 * Copies each byte once, so a long message in many pieces takes linear time. After a FramingError the start of the next
 * message is unknown, so the caller must close the connection.
 */
export function createNetstringReader(): (bytes: Uint8Array) => string[] {
  /** Value of the digits so far. Null before the first digit. */
  let length: number | null = null
  /** The message with its comma. Null until the length is known. */
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
        if (length === null) throw new FramingError('netstring has no length')
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
  if (!(digit >= 0 && digit <= 9) || length === 0) throw new FramingError('netstring has no length')
  const longer = (length ?? 0) * 10 + digit
  if (longer > MAX_LENGTH) throw new FramingError('netstring is too long')
  return longer
}

function textOf(body: Uint8Array): string {
  if (body[body.length - 1] !== COMMA) throw new FramingError('netstring does not end with a comma')
  return decoder.decode(body.subarray(0, -1))
}
