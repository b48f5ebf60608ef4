import type { AnswerOf, RequestOf } from '@trunkline/contract'
import type { CallFlow } from '@trunkline/contract/call-flows'
import type { AdminCdrDetails, CdrDetails, CdrRecord } from '@trunkline/contract/cdr'
import type { CallSounds, Peaks } from '@trunkline/contract/recordings'
import { createContext, use } from 'react'
import type { LiveCalls } from '../use-after-calls.ts'

export type CallFilters = NonNullable<RequestOf<'GET /api/admin/cdr/totals'>['query']>
type PageAsked = CallFilters & { timezone: string; cursor?: string; limit?: number }

/** The endpoints of a report: own calls for customers, all calls for administrators. */
export type CallSource<Call extends CdrRecord = CdrRecord> = {
  /** Part of the query keys. */
  name: string
  /** Notifies when one of these calls ends. */
  live: LiveCalls
  csv: 'GET /api/cdr.csv' | 'GET /api/admin/cdr.csv'
  page: (query: PageAsked, signal: AbortSignal) => Promise<{ records: Call[]; next: string | null }>
  totals: (query: CallFilters, signal: AbortSignal) => Promise<AnswerOf<'GET /api/cdr/totals'>['totals']>
  /** Null: the call did not go through a flow. */
  flow: (id: string, signal: AbortSignal) => Promise<CallFlow | null>
  details: (id: string, timezone: string, signal: AbortSignal) => Promise<CdrDetails | AdminCdrDetails>
  recordings: {
    ofCall: (id: string, signal: AbortSignal) => Promise<CallSounds>
    peaks: (recording: number, signal: AbortSignal) => Promise<Peaks>
    audio: 'GET /api/recordings/:id/audio' | 'GET /api/admin/recordings/:id/audio'
    /** Null if the viewer cannot delete recordings. */
    remove: ((recording: number) => Promise<{ message: string }>) | null
    /** The viewer has the mailbox with the messages. */
    hasMailbox: boolean
  }
}

const SourceContext = createContext<CallSource | null>(null)
export const CallSourceProvider = SourceContext.Provider

export function useCallSource(): CallSource {
  const source = use(SourceContext)
  if (!source) throw new Error('A report of calls stands inside a CallSourceProvider')
  return source
}
