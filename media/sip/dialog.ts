import type { Connection, Connections } from './connections.ts'
import {
  addressesOf,
  cseqOf,
  type Header,
  headerOf,
  hostOf,
  type SipRequest,
  type SipResponse,
  tagOf,
  uriOf,
} from './message.ts'

/** RFC 3261, section 12: what both sides know about each other. */
export type Dialog = {
  readonly callId: string
  readonly localTag: string
  readonly remoteTag: string
  /** From and To of our own requests. */
  readonly local: string
  readonly remote: string
  readonly routes: readonly string[]
  /** Contact of the other side. A re-INVITE may change it. */
  target: string
  localCseq: number
  remoteCseq: number
  connection: Connection
}

export const dialogKey = (callId: string, localTag: string): string => `${callId} ${localTag}`

/** The dialog of a call that was received. */
export function dialogOfRequest(invite: SipRequest, localTag: string, connection: Connection): Dialog {
  const from = headerOf(invite, 'from')
  return {
    callId: headerOf(invite, 'call-id'),
    localTag,
    remoteTag: tagOf(from),
    local: `${headerOf(invite, 'to')};tag=${localTag}`,
    remote: from,
    routes: addressesOf(invite, 'record-route'),
    target: uriOf(headerOf(invite, 'contact')),
    localCseq: 0,
    remoteCseq: cseqOf(invite)?.number ?? 0,
    connection,
  }
}

/** The dialog of a call that was placed, from its 200. */
export function dialogOfResponse(invite: SipRequest, response: SipResponse, connection: Connection): Dialog {
  const from = headerOf(invite, 'from')
  const to = headerOf(response, 'to')
  return {
    callId: headerOf(invite, 'call-id'),
    localTag: tagOf(from),
    remoteTag: tagOf(to),
    local: from,
    remote: to,
    routes: addressesOf(response, 'record-route').toReversed(),
    target: uriOf(headerOf(response, 'contact')) || invite.uri,
    localCseq: cseqOf(invite)?.number ?? 1,
    remoteCseq: 0,
    connection,
  }
}

/** A request inside the dialog, without Via. An ACK takes the CSeq of its INVITE. */
export function dialogRequest(
  dialog: Dialog,
  method: string,
  { cseq, headers = [], body = '' }: { cseq?: number; headers?: readonly Header[]; body?: string } = {},
): SipRequest {
  if (cseq === undefined) dialog.localCseq += 1
  const all: Header[] = [
    ['max-forwards', '70'],
    ['from', dialog.local],
    ['to', dialog.remote],
    ['call-id', dialog.callId],
    ['cseq', `${cseq ?? dialog.localCseq} ${method}`],
    ...dialog.routes.map((route): Header => ['route', route]),
    ...headers,
  ]
  return { method, uri: dialog.target, headers: all, body }
}

/**
 * The connection for our next request: the one of the dialog, or a new one to the switch. The address in a Record-Route or Contact is
 * used only if it is a switch.
 */
export function connectionOf(dialog: Dialog, connections: Connections): Connection {
  if (dialog.connection.isOpen()) return dialog.connection
  const next = hostOf(uriOf(dialog.routes[0] ?? `<${dialog.target}>`))
  const host = next && connections.isAllowed(next.host) ? next.host : dialog.connection.address
  dialog.connection = connections.connectTo(host, next?.port ?? 5060)
  return dialog.connection
}
