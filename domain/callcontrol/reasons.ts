/** Why a call was refused. `contract/call-reasons.ts` maps each reason to a SIP code and a text. */
export const refusalReasons = [
  'unknown_caller',
  'account_disabled',
  'no_emergency_service',
  'calls_stopped',
  'no_caller_id',
  'caller_id_unapproved',
  'unknown_number',
  /** The rent of the called number is not paid. */
  'number_suspended',
  'call_loop',
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

/** Why an admitted call ended. */
export const endReasons = [
  'hung_up_by_caller',
  'hung_up_by_callee',
  'balance_used_up',
  'daily_spend_used_up',
  'longest_call_reached',
  /** No media from either side. Ending the call stops the charges. */
  'went_silent',
  'hung_up_by_customer',
  'hung_up_by_admin',
  'account_stopped',
  /** The browser was closed, disconnected or signed out. */
  'browser_gone',
  /** The media process that handled the call crashed or was not seen for seconds. */
  'media_lost',
  'busy',
  'no_answer',
  'cancelled',
  'rejected',
  'carrier_failed',
  /** The switch crashed or lost the call. The call ends at the last time it was known to be live. */
  'switch_lost',
] as const
export type EndReason = (typeof endReasons)[number]

export type CallReason = RefusalReason | EndReason

/** The status in a call record. */
export const callStatuses = ['completed', 'busy', 'no-answer', 'cancelled', 'failed', 'refused'] as const
export type CallStatus = (typeof callStatuses)[number]
