import { randomBytes } from 'node:crypto'
import type { Connection } from './connections.ts'
import { branchOf, cseqOf, type Header, headerOf, type SipRequest, type SipResponse } from './message.ts'

export type ClientTransactions = {
  /** `onResponse` gets provisional and final replies, also repeated 200s to an INVITE. A 408 or 503 may be made here. */
  send(
    request: SipRequest,
    connection: Connection,
    onResponse: (response: SipResponse) => void,
  ): { branch: string }
  /** Sends a request that gets no reply, or a CANCEL with the branch of its INVITE. */
  withVia(request: SipRequest, branch?: string): SipRequest
  handle(response: SipResponse): void
  close(): void
}

type Transaction = {
  readonly request: SipRequest
  readonly connection: Connection
  readonly onResponse: (response: SipResponse) => void
  hasReply: boolean
  isOver: boolean
  timer: NodeJS.Timeout
  /** Stops watching the connection. */
  release(): void
}

/** 64 * T1 of RFC 3261. */
const TIMEOUT_MS = 32_000
/** A caller gives up ringing earlier. */
const MAX_RINGING_MS = 10 * 60_000

export const newBranch = (): string => `z9hG4bK${randomBytes(9).toString('hex')}`

/** Requests over TCP are not repeated, so a transaction is a table entry with a timeout. */
export function createClientTransactions(sentBy: string): ClientTransactions {
  const transactions = new Map<string, Transaction>()

  const withVia = (request: SipRequest, branch = newBranch()): SipRequest => ({
    ...request,
    headers: [['via', `SIP/2.0/TCP ${sentBy};branch=${branch};rport`], ...request.headers],
  })

  function forgetLater(key: string, transaction: Transaction, afterMs: number): void {
    clearTimeout(transaction.timer)
    transaction.timer = setTimeout(() => transactions.delete(key), afterMs)
    transaction.timer.unref()
  }

  function fail(key: string, transaction: Transaction, status: number, reason: string): void {
    if (transaction.isOver) return
    transaction.isOver = true
    transaction.release()
    clearTimeout(transaction.timer)
    transactions.delete(key)
    transaction.onResponse({ status, reason, headers: transaction.request.headers, body: '' })
  }

  return {
    withVia,
    send(request, connection, onResponse) {
      const branch = newBranch()
      const sent = withVia(request, branch)
      const key = `${branch} ${request.method}`
      const timeOut = () => fail(key, transaction, 408, 'Request Timeout')
      const transaction: Transaction = {
        request: sent,
        connection,
        onResponse,
        hasReply: false,
        isOver: false,
        timer: setTimeout(timeOut, TIMEOUT_MS),
        release() {},
      }
      transactions.set(key, transaction)
      transaction.release = connection.onClose(() => {
        if (!transaction.hasReply) fail(key, transaction, 503, 'Service Unavailable')
      })
      connection.send(sent)
      return { branch }
    },

    handle(response) {
      const method = cseqOf(response)?.method ?? ''
      const key = `${branchOf(response)} ${method}`
      const transaction = transactions.get(key)
      if (transaction === undefined) return
      const isInvite = method === 'INVITE'
      if (isInvite && response.status >= 300)
        transaction.connection.send(acknowledgment(transaction.request, response))
      // Only a 200 to an INVITE may come more than once, and from several phones.
      if (transaction.isOver && !(isInvite && isSuccess(response))) return
      transaction.hasReply = true
      transaction.release()
      if (response.status >= 200) {
        transaction.isOver = true
        if (isInvite) forgetLater(key, transaction, TIMEOUT_MS)
        else {
          clearTimeout(transaction.timer)
          transactions.delete(key)
        }
      } else if (isInvite) {
        clearTimeout(transaction.timer)
        transaction.timer = setTimeout(() => fail(key, transaction, 408, 'Request Timeout'), MAX_RINGING_MS)
      }
      transaction.onResponse(response)
    },

    close() {
      for (const transaction of transactions.values()) clearTimeout(transaction.timer)
      transactions.clear()
    },
  }
}

const isSuccess = (response: SipResponse): boolean => response.status >= 200 && response.status < 300

/** The ACK of a failed INVITE belongs to its transaction: same Via, URI and Route. */
function acknowledgment(invite: SipRequest, response: SipResponse): SipRequest {
  const kept = invite.headers.filter(
    ([name]) => name === 'via' || name === 'from' || name === 'call-id' || name === 'route',
  )
  const headers: Header[] = [
    ...kept,
    ['to', headerOf(response, 'to')],
    ['cseq', `${cseqOf(invite)?.number ?? 1} ACK`],
    ['max-forwards', '70'],
  ]
  return { method: 'ACK', uri: invite.uri, headers, body: '' }
}
