import type { CallMessages } from '@trunkline/contract/sip-messages'
import { formatOffset } from '../../../common/format/durations.ts'

export type TraceMessage = CallMessages['messages'][number]
export type TraceColumn = CallMessages['columns'][number]

/** `+0.142 s` since the first message. */
export const offsetOf = (message: TraceMessage, first: TraceMessage | undefined): string =>
  formatOffset(Date.parse(message.at) - Date.parse(first?.at ?? message.at))

/** `INVITE +442079460123` or `180 Ringing`. The host of the URI is the column, and masked addresses say nothing. */
export function labelOf({ first_line: line, method, status }: TraceMessage): string {
  if (status !== null) return line.replace(/^SIP\/2\.0 /, '')
  const user = /^\S+ (?:sips?|tel):([^@;\s]+)(?:@|;| )/i.exec(line)?.[1]
  const isNumber = user !== undefined && /^\+?[\d*#]+$/.test(user)
  return isNumber ? `${method} ${user}` : method
}

export type MessageTone = 'request' | 'progress' | 'success' | 'failure'

/** A challenge is part of every call with a password, so it counts as progress. */
export function toneOf({ status }: TraceMessage): MessageTone {
  if (status === null) return 'request'
  if (status < 200 || status === 401 || status === 407) return 'progress'
  return status < 300 ? 'success' : 'failure'
}

/** The messages as a text file. */
export function traceText({ columns, messages }: CallMessages): string {
  const name = (index: number) => columns[index]?.name ?? ''
  return messages
    .map((message) => {
      const peer = message.from === SWITCH ? `to ${message.peer}` : `from ${message.peer}`
      const repeat = message.is_retransmission ? ', retransmission' : ''
      const head = `${message.at} ${offsetOf(message, messages[0])}  ${name(message.from)} -> ${name(message.to)} (${message.transport.toUpperCase()} ${peer}${repeat})`
      return `${head}\n${'-'.repeat(head.length)}\n${message.text.replaceAll('\r\n', '\n').trimEnd()}\n`
    })
    .join('\n')
}

const SWITCH = 1

/** Center of a column in percent of the width. */
export const centerOf = (column: number, columns: number): number => ((column + 0.5) / columns) * 100
