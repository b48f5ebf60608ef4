import type { CdrRecord } from '@trunkline/contract/cdr'
import type { BadgeTone } from '../../ui/Badge.tsx'

export type CallStatus = CdrRecord['status']

/** Colors of the specification: completed green, failed red, busy yellow, others gray. */
export const statuses: Record<CallStatus, { label: string; tone: BadgeTone }> = {
  completed: { label: 'Completed', tone: 'success' },
  busy: { label: 'Busy', tone: 'pending' },
  failed: { label: 'Failed', tone: 'danger' },
  'no-answer': { label: 'No-answer', tone: 'neutral' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'neutral' },
}

/** Capitalizes unknown statuses. */
export const lookOf = (status: string): { label: string; tone: BadgeTone } =>
  Object.hasOwn(statuses, status)
    ? statuses[status as CallStatus]
    : { label: status.charAt(0).toUpperCase() + status.slice(1), tone: 'neutral' }
