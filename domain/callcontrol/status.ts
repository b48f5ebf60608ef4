import type { CallReason, CallStatus, EndReason } from './reasons.ts'
import { refusalReasons } from './reasons.ts'

/** Maps the SIP code of an unanswered call. Many carriers send 480 when ringing times out. */
export function failureReason(sipCode: number): EndReason {
  switch (sipCode) {
    case 486:
    case 600:
      return 'busy'
    case 408:
    case 480:
      return 'no_answer'
    case 487:
      return 'cancelled'
    case 403:
    case 603:
      return 'rejected'
    default:
      return 'carrier_failed'
  }
}

const refusals: ReadonlySet<CallReason> = new Set(refusalReasons)

export function statusOf(end: { readonly reason: CallReason; readonly isAnswered: boolean }): CallStatus {
  if (refusals.has(end.reason)) return 'refused'
  if (end.isAnswered) return 'completed'
  switch (end.reason) {
    case 'busy':
      return 'busy'
    case 'no_answer':
      return 'no-answer'
    case 'cancelled':
    case 'hung_up_by_caller':
    case 'hung_up_by_customer':
    case 'hung_up_by_admin':
    case 'account_stopped':
    case 'browser_gone':
      return 'cancelled'
    default:
      return 'failed'
  }
}
