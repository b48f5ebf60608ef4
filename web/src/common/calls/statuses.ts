import type { CdrRecord } from '@trunkline/contract/cdr'
import type { BadgeTone } from '../../ui/Badge.tsx'

export type CallStatus = CdrRecord['status']

/** Completed green, failed red, busy yellow, anything else grey; the word always goes with the colour. */
export const statuses: Record<CallStatus, { label: string; tone: BadgeTone }> = {
  completed: { label: 'Completed', tone: 'success' },
  busy: { label: 'Busy', tone: 'pending' },
  failed: { label: 'Failed', tone: 'danger' },
  'no-answer': { label: 'No-answer', tone: 'neutral' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'neutral' },
}

/** A status that came later than this page is capitalised and grey. */
export const lookOf = (status: string): { label: string; tone: BadgeTone } =>
  Object.hasOwn(statuses, status)
    ? statuses[status as CallStatus]
    : { label: status.charAt(0).toUpperCase() + status.slice(1), tone: 'neutral' }
