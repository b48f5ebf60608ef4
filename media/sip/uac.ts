import { randomBytes } from 'node:crypto'
import { dialogOfResponse, dialogRequest } from './dialog.ts'
import { answerChallenge, type Credentials } from './digest.ts'
import { cseqOf, type Header, headerOf, type SipRequest, type SipResponse, tagOf } from './message.ts'
import {
  ALLOWED_METHODS,
  createSession,
  type Session,
  type SessionContext,
  type SessionEvents,
} from './session.ts'

export type PlaceOptions = {
  readonly host: string
  readonly port: number
  readonly uri: string
  /** From, without tag. */
  readonly from: string
  readonly credentials: Credentials
  readonly headers: readonly Header[]
  readonly body: string
}

export type PlaceEvents = {
  onRinging(): void
  onFailed(status: number, reason: string): void
  /** Returns what the session tells its owner. */
  onAnswered(body: string): SessionEvents
  onSession(session: Session): void
  onSessionOver(session: Session): void
}

export type Placed = { cancel(): void }

/** A rejected password is not tried again; a nonce may expire once. */
const MAX_TRIES = 3

export function placeCall(context: SessionContext, options: PlaceOptions, events: PlaceEvents): Placed {
  const { transactions, connections } = context
  const callId = randomBytes(16).toString('hex')
  const tag = randomBytes(8).toString('hex')
  const connection = connections.connectTo(options.host, options.port)
  let cseq = 0
  let tries = 0
  let isCanceled = false
  let isDone = false
  let isRinging = false
  let session: Session | null = null
  /** The INVITE without a final reply. */
  let pending: { invite: SipRequest; branch: string; hasProvisional: boolean } | null = null

  function fail(status: number, reason: string): void {
    if (isDone) return
    isDone = true
    events.onFailed(status, reason)
  }

  function invite(authorization: readonly Header[]): void {
    cseq += 1
    tries += 1
    const request: SipRequest = {
      method: 'INVITE',
      uri: options.uri,
      headers: [
        ['max-forwards', '70'],
        ['from', `${options.from};tag=${tag}`],
        ['to', `<${options.uri}>`],
        ['call-id', callId],
        ['cseq', `${cseq} INVITE`],
        ['contact', context.contact],
        ['allow', ALLOWED_METHODS],
        ...authorization,
        ...options.headers,
        ['content-type', 'application/sdp'],
      ],
      body: options.body,
    }
    pending = { invite: request, branch: '', hasProvisional: false }
    pending.branch = transactions.send(request, connection, (response) => heard(request, response)).branch
  }

  function heard(request: SipRequest, response: SipResponse) {
    if (response.status < 200) return provisional(response)
    const isCurrent = pending?.invite === request
    if (isCurrent) pending = null
    if (response.status < 300) return answered(request, response)
    if (isCanceled) return
    const canTry = (response.status === 401 || response.status === 407) && isCurrent && tries < MAX_TRIES
    const isSecond = tries > 1 && !/stale="?true/i.test(JSON.stringify(response.headers))
    const authorization =
      canTry && !isSecond ? answerChallenge(response, options.credentials, 'INVITE', options.uri) : null
    if (authorization) invite([authorization])
    else fail(response.status, response.reason)
  }

  function provisional(response: SipResponse) {
    if (pending) pending.hasProvisional = true
    if (isCanceled) return sendCancel()
    if (response.status > 100 && !isRinging && !isDone) {
      isRinging = true
      events.onRinging()
    }
  }

  function answered(request: SipRequest, response: SipResponse) {
    const number = cseqOf(request)?.number ?? cseq
    if (session && session.dialog.remoteTag === tagOf(headerOf(response, 'to')))
      return session.acknowledge(number)
    const dialog = dialogOfResponse(request, response, connection)
    // A canceled call, or a second phone that answered at the same time.
    if (isDone) {
      connection.send(transactions.withVia(dialogRequest(dialog, 'ACK', { cseq: number })))
      transactions.send(dialogRequest(dialog, 'BYE'), connection, () => {})
      return
    }
    isDone = true
    const created: Session = createSession(context, dialog, 'placed', events.onAnswered(response.body), () =>
      events.onSessionOver(created),
    )
    session = created
    created.acknowledge(number)
    events.onSession(created)
  }

  function sendCancel(): void {
    if (!pending?.hasProvisional) return
    const { invite: request, branch } = pending
    pending = null
    const kept = request.headers.filter(
      ([name]) => name === 'max-forwards' || name === 'from' || name === 'to' || name === 'call-id',
    )
    const headers: Header[] = [...kept, ['cseq', `${cseqOf(request)?.number ?? 1} CANCEL`]]
    connection.send(transactions.withVia({ method: 'CANCEL', uri: request.uri, headers, body: '' }, branch))
  }

  invite([])

  return {
    cancel() {
      if (isDone || isCanceled) return
      isCanceled = true
      sendCancel()
      fail(487, 'Request Terminated')
    },
  }
}
