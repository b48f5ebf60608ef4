import { createClientTransactions } from './client-transactions.ts'
import { type Connection, openConnections } from './connections.ts'
import { dialogKey } from './dialog.ts'
import {
  bracketed,
  branchOf,
  headerOf,
  isRequest,
  replyTo,
  type SipMessage,
  type SipRequest,
  tagOf,
} from './message.ts'
import { ALLOWED_METHODS, type Session, type SessionContext } from './session.ts'
import { type Placed, type PlaceEvents, type PlaceOptions, placeCall } from './uac.ts'
import { faultOf, type Ringing, receiveCall } from './uas.ts'

export type AgentOptions = {
  readonly host: string
  readonly port: number
  readonly advertisedHost: string
  readonly isAllowed: (address: string) => boolean
  readonly onCall: (call: Ringing) => void
  readonly onError: (error: unknown) => void
}

export type Agent = {
  readonly port: number
  place(options: PlaceOptions, events: Omit<PlaceEvents, 'onSessionOver'>): Placed
  close(): Promise<void>
}

/** One SIP user agent: finds the call of each message. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const ringing = new Map<string, Ringing>()
  const sessions = new Map<string, Session>()
  let isClosing = false

  const connections = await openConnections({
    host: options.host,
    port: options.port,
    isAllowed: options.isAllowed,
    onMessage: handle,
    onError: options.onError,
  })
  const sentBy = `${bracketed(options.advertisedHost)}:${connections.port}`
  const context: SessionContext = {
    connections,
    transactions: createClientTransactions(sentBy),
    contact: `<sip:media@${sentBy};transport=tcp>`,
  }

  const keyOf = ({ dialog }: Session) => dialogKey(dialog.callId, dialog.localTag)
  const remember = (session: Session) => sessions.set(keyOf(session), session)
  const forget = (session: Session) => sessions.delete(keyOf(session))

  function handle(message: SipMessage, connection: Connection) {
    if (!isRequest(message)) return context.transactions.handle(message)
    const tag = tagOf(headerOf(message, 'to'))
    const session = tag === '' ? undefined : sessions.get(dialogKey(headerOf(message, 'call-id'), tag))
    if (session) return session.handle(message, connection)
    if (message.method === 'ACK') return
    if (tag !== '') return connection.send(replyTo(message, 481, 'Call/Transaction Does Not Exist'))
    handleOutside(message, connection)
  }

  /** CANCEL has the branch of its INVITE. */
  const ringingKey = (request: SipRequest) => `${headerOf(request, 'call-id')} ${branchOf(request)}`

  function handleOutside(request: SipRequest, connection: Connection) {
    const allow: [string, string] = ['allow', ALLOWED_METHODS]
    switch (request.method) {
      case 'INVITE':
        return handleInvite(request, connection)
      case 'CANCEL': {
        const call = ringing.get(ringingKey(request))
        if (!call) return connection.send(replyTo(request, 481, 'Call/Transaction Does Not Exist'))
        connection.send(replyTo(request, 200, 'OK', { tag: call.tag }))
        return call.cancel()
      }
      case 'OPTIONS': {
        const [status, reason] = isClosing ? [503, 'Service Unavailable'] : [200, 'OK']
        return connection.send(
          replyTo(request, status as number, reason as string, { tag: 'options', headers: [allow] }),
        )
      }
      default:
        return connection.send(replyTo(request, 405, 'Method Not Allowed', { tag: 'none', headers: [allow] }))
    }
  }

  function handleInvite(invite: SipRequest, connection: Connection) {
    const key = ringingKey(invite)
    if (ringing.has(key)) return
    const required = headerOf(invite, 'require')
    if (isClosing) return connection.send(replyTo(invite, 503, 'Service Unavailable', { tag: 'closing' }))
    if (required !== '') {
      const headers: [string, string][] = [['unsupported', required]]
      return connection.send(replyTo(invite, 420, 'Bad Extension', { tag: 'none', headers }))
    }
    const fault = faultOf(invite)
    if (fault) return connection.send(replyTo(invite, fault.status, fault.reason, { tag: 'none' }))
    const call = receiveCall(context, invite, connection, {
      onAnswered: remember,
      onSessionOver: forget,
      onOver: () => ringing.delete(key),
    })
    ringing.set(key, call)
    options.onCall(call)
  }

  return {
    port: connections.port,
    place: (placeOptions, events) =>
      placeCall(context, placeOptions, {
        onRinging: events.onRinging,
        onFailed: events.onFailed,
        onAnswered: events.onAnswered,
        onSession(session) {
          remember(session)
          events.onSession(session)
        },
        onSessionOver: forget,
      }),
    async close() {
      isClosing = true
      for (const call of [...ringing.values()]) call.reject(503, 'Service Unavailable')
      const ended = Promise.all([...sessions.values()].map((session) => session.bye()))
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
      context.transactions.close()
      await connections.close()
    },
  }
}

/** A switch that does not confirm a BYE does not hold up the end of the process. */
const CLOSE_MS = 2_000
