import type { ClientTransactions } from './client-transactions.ts'
import type { Connection, Connections } from './connections.ts'
import { connectionOf, type Dialog, dialogRequest } from './dialog.ts'
import {
  cseqOf,
  type Header,
  headerOf,
  replyTo,
  type SipRequest,
  type SipResponse,
  tagOf,
  uriOf,
} from './message.ts'

export type SessionContext = {
  readonly connections: Connections
  readonly transactions: ClientTransactions
  /** Our Contact. */
  readonly contact: string
}

export type Answer = { readonly status: number; readonly reason: string; readonly body: string }

/** What the owner of a call decides and hears. */
export type SessionEvents = {
  /** An offer of the other side. Null asks for an offer of ours; its answer follows by `onAnswer`. */
  onOffer(offer: string | null): Answer
  /** The answer in an ACK to an offer of ours in a 200. */
  onAnswer(answer: string): void
  onInfo(contentType: string, body: string): void
  onEnd(by: 'them' | 'us'): void
}

/** An answered call in SIP. */
export type Session = {
  readonly dialog: Dialog
  /** Offers new SDP. Waits and repeats once if both sides offer at the same time. Status 487 if the call ends meanwhile. */
  reinvite(body: string): Promise<Answer>
  /** Ends the call. Resolves when the other side has confirmed it, at the latest after 32 seconds. */
  bye(): Promise<void>
  isOver(): boolean
  handle(request: SipRequest, connection: Connection): void
  /** Sends the 200 of the first INVITE and repeats it until its ACK. */
  accept(invite: SipRequest, connection: Connection, body: string): void
  /** Acknowledges a 200. */
  acknowledge(cseq: number): void
}

const FIRST_REPEAT_MS = 500
const LAST_REPEAT_MS = 4_000
const GIVE_UP_MS = 32_000
/** RFC 3261, section 14.1: the side that placed the call waits longer. */
const GLARE_MS = { placed: [2_100, 4_000], received: [0, 2_000] } as const
const ENDED: Answer = { status: 487, reason: 'Request Terminated', body: '' }
export const ALLOWED_METHODS = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE'

export function createSession(
  context: SessionContext,
  dialog: Dialog,
  origin: 'placed' | 'received',
  events: SessionEvents,
  onOver: () => void,
): Session {
  const { connections, transactions, contact } = context
  let isOver = false
  let isOffering = false
  /** Our 200 to an INVITE without its ACK. */
  let unacknowledged: { cseq: number; hasOffer: boolean; stop(): void } | null = null
  let lastReply: { cseq: number; method: string; reply: SipResponse } | null = null
  let wake: (() => void) | null = null
  let sendBye: (() => void) | null = null

  const sdpHeaders: Header[] = [
    ['contact', contact],
    ['allow', ALLOWED_METHODS],
    ['content-type', 'application/sdp'],
  ]

  function finish(by: 'them' | 'us'): void {
    if (isOver) return
    isOver = true
    wake?.()
    events.onEnd(by)
  }

  function reply(request: SipRequest, connection: Connection, response: SipResponse): void {
    const { number = 0 } = cseqOf(request) ?? {}
    lastReply = { cseq: number, method: request.method, reply: response }
    connection.send(response)
  }

  function accept(invite: SipRequest, connection: Connection, body: string): void {
    const response = replyTo(invite, 200, 'OK', { tag: dialog.localTag, headers: sdpHeaders, body })
    const startedAt = performance.now()
    let waitMs = FIRST_REPEAT_MS
    let timer: NodeJS.Timeout
    const repeat = () => {
      if (performance.now() - startedAt > GIVE_UP_MS) {
        acknowledged()
        void bye()
        return
      }
      const open = connection.isOpen() ? connection : connectionOf(dialog, connections)
      open.send(response)
      waitMs = Math.min(waitMs * 2, LAST_REPEAT_MS)
      timer = setTimeout(repeat, waitMs)
      timer.unref()
    }
    unacknowledged?.stop()
    unacknowledged = {
      cseq: cseqOf(invite)?.number ?? 0,
      hasOffer: invite.body === '',
      stop: () => clearTimeout(timer),
    }
    reply(invite, connection, response)
    timer = setTimeout(repeat, waitMs)
    timer.unref()
  }

  function handleInvite(request: SipRequest, connection: Connection) {
    const { localTag: tag } = dialog
    if (isOver)
      return reply(request, connection, replyTo(request, 481, 'Call/Transaction Does Not Exist', { tag }))
    if (isOffering || unacknowledged !== null)
      return reply(request, connection, replyTo(request, 491, 'Request Pending', { tag }))
    const contactUri = uriOf(headerOf(request, 'contact'))
    if (contactUri !== '') dialog.target = contactUri
    const answer = events.onOffer(request.body === '' ? null : request.body)
    if (answer.status === 200) accept(request, connection, answer.body)
    else reply(request, connection, replyTo(request, answer.status, answer.reason, { tag }))
  }

  /** An UPDATE is a session refresh, or an offer that is answered without an ACK. */
  function handleUpdate(request: SipRequest, connection: Connection, ok: SipResponse) {
    const { localTag: tag } = dialog
    if (request.body === '' || isOver) return reply(request, connection, ok)
    if (isOffering || unacknowledged !== null)
      return reply(request, connection, replyTo(request, 491, 'Request Pending', { tag }))
    const { status, reason, body } = events.onOffer(request.body)
    const headers = status === 200 ? sdpHeaders : []
    reply(request, connection, replyTo(request, status, reason, { tag, headers, body }))
  }

  function handleAck(request: SipRequest): void {
    if (unacknowledged === null || cseqOf(request)?.number !== unacknowledged.cseq) return
    const { hasOffer } = unacknowledged
    acknowledged()
    if (!isOver && hasOffer && request.body !== '') events.onAnswer(request.body)
  }

  function acknowledged(): void {
    unacknowledged?.stop()
    unacknowledged = null
    wake?.()
    sendBye?.()
  }

  function acknowledge(cseq: number): void {
    connectionOf(dialog, connections).send(transactions.withVia(dialogRequest(dialog, 'ACK', { cseq })))
  }

  function bye(): Promise<void> {
    if (isOver) return Promise.resolve()
    return new Promise((resolve) => {
      sendBye = () => {
        sendBye = null
        transactions.send(dialogRequest(dialog, 'BYE'), connectionOf(dialog, connections), (response) => {
          if (response.status < 200) return
          onOver()
          resolve()
        })
      }
      finish('us')
      // RFC 3261, section 15: the called side must not send a BYE before it has the ACK.
      if (unacknowledged === null) sendBye()
    })
  }

  function offerOnce(body: string): Promise<Answer> {
    return new Promise((resolve) => {
      const request = dialogRequest(dialog, 'INVITE', { headers: sdpHeaders, body })
      const cseq = dialog.localCseq
      let isDone = false
      transactions.send(request, connectionOf(dialog, connections), (response) => {
        if (response.status < 200) return
        if (response.status < 300) {
          const contactUri = uriOf(headerOf(response, 'contact'))
          if (contactUri !== '') dialog.target = contactUri
          acknowledge(cseq)
        }
        if (isDone) return
        isDone = true
        resolve(isOver ? ENDED : { status: response.status, reason: response.reason, body: response.body })
      })
    })
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  return {
    dialog,
    isOver: () => isOver,
    accept,
    acknowledge,
    bye,

    async reinvite(body) {
      if (isOffering) return { status: 491, reason: 'Request Pending', body: '' }
      isOffering = true
      try {
        // A new INVITE must not overtake the ACK of the last one.
        while (unacknowledged !== null && !isOver) await pause(GIVE_UP_MS)
        if (isOver) return ENDED
        const answer = await offerOnce(body)
        if (answer.status !== 491 || isOver) return answer
        const [shortest, longest] = GLARE_MS[origin]
        isOffering = false
        await pause(shortest + Math.random() * (longest - shortest))
        if (isOver) return ENDED
        isOffering = true
        return await offerOnce(body)
      } finally {
        isOffering = false
      }
    },

    handle(request, connection) {
      const { localTag: tag } = dialog
      const cseq = cseqOf(request)?.number ?? 0
      if (request.method === 'ACK') return handleAck(request)
      if (lastReply && cseq === lastReply.cseq && request.method === lastReply.method)
        return connection.send(lastReply.reply)
      if (request.method === 'CANCEL') return connection.send(replyTo(request, 200, 'OK', { tag }))
      if (cseq <= dialog.remoteCseq || tagOf(headerOf(request, 'from')) !== dialog.remoteTag)
        return connection.send(replyTo(request, 500, 'Server Internal Error', { tag }))
      dialog.remoteCseq = cseq
      dialog.connection = connection
      const ok = replyTo(request, 200, 'OK', { tag, headers: [['contact', contact]] })
      switch (request.method) {
        case 'INVITE':
          return handleInvite(request, connection)
        case 'BYE':
          reply(request, connection, replyTo(request, 200, 'OK', { tag }))
          unacknowledged?.stop()
          sendBye = null
          finish('them')
          return onOver()
        case 'INFO':
          reply(request, connection, ok)
          return events.onInfo(headerOf(request, 'content-type'), request.body)
        case 'UPDATE':
          return handleUpdate(request, connection, ok)
        case 'OPTIONS':
          return reply(request, connection, ok)
        default:
          return reply(
            request,
            connection,
            replyTo(request, 405, 'Method Not Allowed', { tag, headers: [['allow', ALLOWED_METHODS]] }),
          )
      }
    },
  }
}
