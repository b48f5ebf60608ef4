import { parseMessage, type SipMessage } from './message.ts'

const MAX_HEAD = 16 * 1024
const MAX_BODY = 64 * 1024
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const NEWLINES = new Set([10, 13])

export type Framer = {
  /** Returns false if the stream is not SIP or exceeds a limit: the connection must be closed. */
  push(chunk: Buffer): boolean
}

/** Cuts a stream into messages by Content-Length. Newlines between messages are keep-alives. */
export function createFramer(onMessage: (message: SipMessage) => void, onKeepAlive: () => void): Framer {
  let pending: Buffer = Buffer.alloc(0)
  let isBroken = false

  function takeKeepAlives(): void {
    let newlines = 0
    while (newlines < pending.length && NEWLINES.has(pending[newlines] ?? 0)) newlines += 1
    if (newlines === 0) return
    pending = pending.subarray(newlines)
    if (newlines >= END_OF_HEAD.length) onKeepAlive()
  }

  function takeMessage(): 'taken' | 'incomplete' | 'broken' {
    takeKeepAlives()
    const end = pending.indexOf(END_OF_HEAD)
    if (end > MAX_HEAD || (end < 0 && pending.length > MAX_HEAD)) return 'broken'
    if (end < 0) return 'incomplete'
    const head = pending.toString('latin1', 0, end)
    const length = contentLength(head)
    if (length === null || length > MAX_BODY) return 'broken'
    const bodyAt = end + END_OF_HEAD.length
    if (pending.length < bodyAt + length) return 'incomplete'
    const message = parseMessage(head, pending.toString('latin1', bodyAt, bodyAt + length))
    pending = pending.subarray(bodyAt + length)
    if (message === null) return 'broken'
    onMessage(message)
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
  const values = [...head.matchAll(/\r\n(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gi)].map((match) =>
    (match[1] ?? '').trim(),
  )
  const [first] = values
  if (first === undefined || !/^\d{1,6}$/.test(first) || values.some((value) => value !== first)) return null
  return Number(first)
}
