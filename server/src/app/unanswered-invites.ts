import {
  branchOf,
  formatMessage,
  headerOf,
  isRequest,
  parseMessage,
  replyTo,
  type SipMessage,
  type SipRequest,
  tagOf,
} from '@trunkline/media/sip/message'

/**
 * Follows the SIP messages between the switch and a browser over WebSocket, to know which INVITEs the browser has not answered. A browser
 * that is closed or signed out cannot answer them any more.
 */
export type UnansweredInvites = {
  /** Bytes from the switch, from its reply to the handshake on. */
  fromSwitch(chunk: Buffer): void
  /** Bytes from the browser. */
  fromBrowser(chunk: Buffer): void
  /** A refusal of each INVITE without an answer, as WebSocket frames to the switch. */
  refusals(): Buffer
}

/** Far more than a phone lets ring at once. */
const MAX_UNANSWERED = 20

export function createUnansweredInvites(): UnansweredInvites {
  /** By the branch in the topmost Via. */
  const unanswered = new Map<string, SipRequest>()
  return {
    fromSwitch: afterHandshake(
      readFrames((message) => {
        if (!isRequest(message) || message.method !== 'INVITE' || isInDialog(message)) return
        unanswered.set(branchOf(message), message)
        const [oldest = ''] = unanswered.keys()
        if (unanswered.size > MAX_UNANSWERED) unanswered.delete(oldest)
      }),
    ),
    fromBrowser: readFrames((message) => {
      if (!isRequest(message) && message.status >= 200) unanswered.delete(branchOf(message))
    }),
    refusals() {
      const refused = [...unanswered.values()]
      unanswered.clear()
      return Buffer.concat(refused.map((invite) => textFrame(formatMessage(refusalOf(invite)))))
    },
  }
}

/** Only an INVITE of a new call rings. */
const isInDialog = (invite: SipRequest): boolean => tagOf(headerOf(invite, 'to')) !== ''

const refusalOf = (invite: SipRequest) => replyTo(invite, 480, 'Temporarily Unavailable', { tag: 'closed' })

function afterHandshake(read: (chunk: Buffer) => void): (chunk: Buffer) => void {
  let head: Buffer | null = Buffer.alloc(0)
  return (chunk) => {
    if (head === null) return read(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const rest = head.subarray(end + 4)
    head = null
    read(rest)
  }
}

const TEXT = 1
const FIN = 0x80
const MASKED = 0x80
const SHORT_LENGTH = 126
const LONG_LENGTH = 127

/**
 * Calls `onMessage` with each SIP message of a WebSocket connection (RFC 6455). SIP messages are not fragmented. A frame of 64 KiB or more is
 * no SIP message of a phone, so the rest of such a connection is not followed.
 */
function readFrames(onMessage: (message: SipMessage) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isFollowed = true
  return (chunk) => {
    if (!isFollowed) return
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const frame = firstFrame(rest)
      if (frame === 'too long') {
        isFollowed = false
        rest = Buffer.alloc(0)
        return
      }
      if (frame === null) return
      rest = rest.subarray(frame.length)
      const [head = '', body = ''] = frame.payload.toString('latin1').split('\r\n\r\n', 2)
      const message = frame.opcode === TEXT ? parseMessage(head, body) : null
      if (message) onMessage(message)
    }
  }
}

type Frame = { opcode: number; payload: Buffer; length: number }

/** Null if it is not complete. */
function firstFrame(bytes: Buffer): Frame | 'too long' | null {
  if (bytes.length < 2) return null
  const [first = 0, second = 0] = bytes
  const short = second & ~MASKED
  if (short === LONG_LENGTH) return 'too long'
  const lengthEnd = short === SHORT_LENGTH ? 4 : 2
  if (bytes.length < lengthEnd) return null
  const size = short === SHORT_LENGTH ? bytes.readUInt16BE(2) : short
  const isMasked = (second & MASKED) !== 0
  const begin = lengthEnd + (isMasked ? 4 : 0)
  if (bytes.length < begin + size) return null
  const payload = Buffer.from(bytes.subarray(begin, begin + size))
  if (isMasked)
    for (let at = 0; at < size; at++) payload[at] = byteAt(payload, at) ^ byteAt(bytes, lengthEnd + (at % 4))
  return { opcode: first & 0x0f, payload, length: begin + size }
}

const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0

/** A frame of a client must have a mask. This one has the mask 0, which changes nothing. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text, 'latin1')
  const head = Buffer.alloc(8)
  head[0] = FIN | TEXT
  head[1] = MASKED | SHORT_LENGTH
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
