import type { NewAlert } from '../../identity/alerts/service.ts'

export const PENDING_ALERT = 'caller_id_pending'
export const subjectOf = (userId: number): string => `caller_id:${userId}`

/** Alerts administrators, because the customer cannot call before the decision. */
export const callerIdPending = (userId: number, callerid: string): NewAlert => ({
  kind: PENDING_ALERT,
  subject: subjectOf(userId),
  userId,
  message: `Caller ID +${callerid} is waiting for approval.`,
  details: { callerid },
})
