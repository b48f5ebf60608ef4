/** Why a call was not admitted. The closed list: contract/call-reasons.ts gives each its SIP code and its words. */
export const refusalReasons = [
  'unknown_caller',
  'account_disabled',
  'no_emergency_service',
  'calls_stopped',
  'no_caller_id',
  'caller_id_unapproved',
  'unknown_number',
  'country_blocked',
  'high_risk_blocked',
  'no_route',
  'premium_route',
  'price_above_limit',
  'too_many_calls',
  'too_many_calls_per_second',
  'daily_spend_reached',
  'no_trunk',
  'trunks_full',
  'below_cost',
  'no_balance',
  'overloaded',
  'unavailable',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** How a call that was admitted came to its end. */
export const endReasons = [
  'hung_up_by_caller',
  'hung_up_by_callee',
  /** What was held for it was used up. */
  'balance_used_up',
  /** As much as the account may spend in a day. */
  'daily_spend_used_up',
  /** As long as any call may last. */
  'longest_call_reached',
  /** Neither side was heard any more: it is gone, or would be charged for nothing. */
  'went_silent',
  'hung_up_by_customer',
  'hung_up_by_admin',
  'account_stopped',
  /** The browser it was made in was closed, lost or signed out. */
  'browser_gone',
  'busy',
  'no_answer',
  'cancelled',
  'rejected',
  'carrier_failed',
  /** The switch died or forgot the call; it was closed as of the last moment it was known to live. */
  'switch_lost',
] as const
export type EndReason = (typeof endReasons)[number]

export type CallReason = RefusalReason | EndReason

/** What the record of a call says of it. */
export const callStatuses = ['completed', 'busy', 'no-answer', 'cancelled', 'failed', 'refused'] as const
export type CallStatus = (typeof callStatuses)[number]
