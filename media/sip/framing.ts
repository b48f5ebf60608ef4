import { parseMessage, type SipMessage, unfold } from './message.ts'

/** Kamailio takes 16 kB from a phone and adds headers. */
const MAX_HEAD = 64 * 1024
const MAX_BODY = 64 * 1024
const LF = 10
const CR = 13
const NEWLINES = new Set([LF, CR])
/** Two empty lines ask for a keep-alive. */
const KEEP_ALIVE_BYTES = 4

export type Framer = {
  /** Returns false if the stream is not SIP or exceeds a limit: the connection must be closed. */
  push(chunk: Buffer): boolean
}

/**
 * Cuts a stream into messages by Content-Length. Newlines between messages are keep-alives. All calls of a switch share one connection,
 * and Kamailio forwards the line ends of phones. So a line may end with LF, and an unreadable message is skipped.
 */
export function createFramer(onMessage: (message: SipMessage) => void, onKeepAlive: () => void): Framer {
  let pending: Buffer = Buffer.alloc(0)
  /** No empty line begins before this position. */
  let searched = 0
  let isBroken = false

  function takeKeepAlives(): void {
    let newlines = 0
    while (newlines < pending.length && NEWLINES.has(pending[newlines] ?? 0)) newlines += 1
    if (newlines === 0) return
    pending = pending.subarray(newlines)
    if (newlines >= KEEP_ALIVE_BYTES) onKeepAlive()
  }

  /** The position after the first empty line, or -1. */
  function endOfHead(): number {
    for (let at = pending.indexOf(LF, searched); at >= 0; at = pending.indexOf(LF, at + 1)) {
      const next = pending[at + 1] === CR ? at + 2 : at + 1
      if (pending[next] === LF) return next + 1
      searched = at
    }
    return -1
  }

  function takeMessage(): 'taken' | 'incomplete' | 'broken' {
    takeKeepAlives()
    const bodyAt = endOfHead()
    if (bodyAt > MAX_HEAD || (bodyAt < 0 && pending.length > MAX_HEAD)) return 'broken'
    if (bodyAt < 0) return 'incomplete'
    const head = unfold(pending.toString('latin1', 0, bodyAt).trimEnd())
    const length = contentLength(head)
    if (length === null || length > MAX_BODY) return 'broken'
    if (pending.length < bodyAt + length) return 'incomplete'
    const message = parseMessage(head, pending.toString('latin1', bodyAt, bodyAt + length))
    pending = pending.subarray(bodyAt + length)
    searched = 0
    if (message !== null) onMessage(message)
    return 'taken'
  }

  return {
    push(chunk) {
      if (isBroken) return false
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      let outcome = takeMessage()
      while (outcome === 'taken') outcome = takeMessage()
      isBroken = outcome === 'broken'
      if (isBroken) pending = Buffer.alloc(0)
      return !isBroken
    },
  }
}

/** Content-Length is mandatory over TCP. Two different values are an attack. */
function contentLength(head: string): number | null {
  const values = [...head.matchAll(/\n(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gi)].map((match) =>
    (match[1] ?? '').trim(),
  )
  const [first] = values
  if (first === undefined || !/^\d{1,6}$/.test(first) || values.some((value) => value !== first)) return null
  return Number(first)
}
