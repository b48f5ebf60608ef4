import { randomBytes } from 'node:crypto'
import type { Connection } from './connections.ts'
import { connectionOf, dialogOfRequest } from './dialog.ts'
import { headerOf, replyTo, type SipRequest } from './message.ts'
import { createSession, type Session, type SessionContext, type SessionEvents } from './session.ts'

/** A received call before its answer. */
export type Ringing = {
  readonly invite: SipRequest
  readonly tag: string
  readonly connection: Connection
  /** Sends 180 once. */
  ring(): void
  /** Sends 100 every second until the final reply, at most for this time. */
  repeatTrying(forMs: number): void
  /** Answers with this SDP. Null if the call is over already. */
  answer(body: string, events: SessionEvents): Session | null
  /** Does nothing after the answer. */
  reject(status: number, reason: string): void
  onCanceled(listener: () => void): void
  /** Answered, rejected or canceled. */
  onOver(listener: () => void): void
  /** Handles the caller's CANCEL. */
  cancel(): void
  isOver(): boolean
}

type Hooks = {
  readonly onAnswered: (session: Session) => void
  readonly onSessionOver: (session: Session) => void
  /** The INVITE has its final reply. */
  readonly onOver: () => void
}

const REPEAT_TRYING_MS = 1_000

export function receiveCall(
  context: SessionContext,
  invite: SipRequest,
  connection: Connection,
  hooks: Hooks,
): Ringing {
  const tag = randomBytes(8).toString('hex')
  const dialog = dialogOfRequest(invite, tag, connection)
  let isOver = false
  let isCanceled = false
  let hasRung = false
  const cancelListeners: (() => void)[] = []
  const overListeners: (() => void)[] = []

  function finish(): void {
    isOver = true
    hooks.onOver()
    for (const listener of overListeners) listener()
  }

  function say(status: number, reason: string): void {
    const open = connection.isOpen() ? connection : connectionOf(dialog, context.connections)
    open.send(replyTo(invite, status, reason, { tag, headers: [['contact', context.contact]] }))
  }

  function ring(): void {
    if (hasRung || isOver) return
    hasRung = true
    say(180, 'Ringing')
  }

  function repeatTrying(forMs: number): void {
    let left = Math.ceil(forMs / REPEAT_TRYING_MS)
    const repeating = setInterval(() => {
      left -= 1
      if (isOver || left < 0) return clearInterval(repeating)
      say(100, 'Trying')
    }, REPEAT_TRYING_MS)
    overListeners.push(() => clearInterval(repeating))
  }

  connection.send(replyTo(invite, 100, 'Trying'))

  return {
    invite,
    tag,
    connection,
    isOver: () => isOver,
    ring,
    repeatTrying,

    answer(body, events) {
      if (isOver) return null
      ring()
      finish()
      const session: Session = createSession(context, dialog, 'received', events, () =>
        hooks.onSessionOver(session),
      )
      hooks.onAnswered(session)
      session.accept(invite, connection, body)
      return session
    },

    reject(status, reason) {
      if (isOver) return
      say(status, reason)
      finish()
    },

    cancel() {
      if (isOver) return
      isCanceled = true
      say(487, 'Request Terminated')
      finish()
      for (const listener of cancelListeners) listener()
    },

    onOver(listener) {
      if (isOver) listener()
      else overListeners.push(listener)
    },

    onCanceled(listener) {
      if (isCanceled) queueMicrotask(listener)
      else cancelListeners.push(listener)
    },
  }
}

/** The first fault of an INVITE that would start a call, as a reply. */
export function faultOf(invite: SipRequest): { status: number; reason: string } | null {
  const needed = ['via', 'from', 'to', 'call-id', 'cseq', 'contact']
  const missing = needed.find((name) => headerOf(invite, name) === '')
  if (missing !== undefined) return { status: 400, reason: `Missing ${missing}` }
  if (!/;\s*tag=/i.test(headerOf(invite, 'from'))) return { status: 400, reason: 'Missing From tag' }
  if (invite.body !== '' && !/^application\/sdp/i.test(headerOf(invite, 'content-type')))
    return { status: 415, reason: 'Unsupported Media Type' }
  return null
}
