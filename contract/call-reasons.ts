import type { CallReason, RefusalReason } from '@trunkline/domain/callcontrol'

/** Texts for records and alerts. No zod import, because the browser loads this file too. */
export const reasonTexts: Readonly<Record<CallReason, string>> = {
  unknown_caller: 'The caller is unknown.',
  account_disabled: 'The account is disabled.',
  no_emergency_service: 'Emergency calls are not available on this service.',
  calls_stopped: 'All calls are stopped for this account.',
  no_caller_id: 'No caller ID is set. Add one in the dashboard before calling.',
  caller_id_unapproved: 'The caller ID is not approved. Check its status in the dashboard.',
  unknown_number: 'This number is not valid.',
  number_suspended: 'The called number is suspended because its rent is not paid.',
  call_loop: 'The call was forwarded in a circle, or too many times.',
  country_blocked: 'Calls to this country are blocked for this account.',
  high_risk_blocked: 'High-risk numbers are blocked for this account.',
  no_route: 'No route is selected for this country.',
  premium_route: 'The selected route is for premium users.',
  price_above_limit: 'The price is above this account’s limit.',
  too_many_calls: 'This account has reached its limit of concurrent calls.',
  too_many_calls_per_second: 'This account has reached its limit of calls per second.',
  daily_spend_reached: 'The daily spending limit is reached.',
  no_trunk: 'No trunk is available for this route.',
  trunks_full: 'All trunks of this route are at capacity.',
  below_cost: 'The price of this route is below its carrier cost.',
  no_balance: 'The balance does not cover this call.',
  overloaded: 'Too many calls at once. Please try again.',
  unavailable: 'Calls are unavailable right now. Please try again shortly.',
  hung_up_by_caller: 'The caller hung up.',
  hung_up_by_callee: 'The called party hung up.',
  balance_used_up: 'The balance ran out.',
  daily_spend_used_up: 'The daily spending limit was reached during the call.',
  longest_call_reached: 'Maximum call length reached.',
  went_silent: 'Ended after several minutes without audio from either side.',
  hung_up_by_customer: 'Ended from the portal.',
  hung_up_by_admin: 'Ended by an administrator.',
  account_stopped: 'Ended because the account was disabled or its calls were stopped.',
  browser_gone: 'Ended because the browser was closed, signed out or lost its connection.',
  media_lost: 'Ended because the server that played and recorded audio failed.',
  busy: 'The called party was busy.',
  no_answer: 'Nobody answered.',
  cancelled: 'The caller hung up before the call was answered.',
  rejected: 'The called party rejected the call.',
  carrier_failed: 'No carrier could complete the call.',
  switch_lost: 'The connection to the switch was lost. The call was closed at its last known time.',
}

/** The SIP code that the caller's phone receives. */
export const sipCodes: Readonly<Record<RefusalReason, number>> = {
  unknown_caller: 403,
  account_disabled: 403,
  no_emergency_service: 403,
  calls_stopped: 403,
  no_caller_id: 403,
  caller_id_unapproved: 403,
  unknown_number: 404,
  number_suspended: 480,
  call_loop: 482,
  country_blocked: 403,
  high_risk_blocked: 403,
  no_route: 403,
  premium_route: 403,
  price_above_limit: 403,
  too_many_calls: 486,
  too_many_calls_per_second: 486,
  daily_spend_reached: 402,
  no_trunk: 503,
  trunks_full: 503,
  below_cost: 503,
  no_balance: 402,
  overloaded: 503,
  unavailable: 503,
}

/** Reasons that concern the called customer. The caller only learns that the number cannot be reached. */
const ownReasons: ReadonlySet<RefusalReason> = new Set([
  'account_disabled',
  'no_balance',
  'daily_spend_reached',
])

/** The SIP code of a refusal. For incoming calls, the caller is not the customer. */
export const refusalCode = (reason: RefusalReason, direction: 'in' | 'out'): number =>
  direction === 'in' && ownReasons.has(reason) ? 480 : sipCodes[reason]

/** Texts that differ for incoming calls. */
export const incomingTexts: Readonly<Partial<Record<CallReason, string>>> = {
  carrier_failed: 'No phone could take the call.',
}

/** Records of earlier releases may have reasons that are gone. */
export const reasonText = (reason: CallReason, direction: 'in' | 'out'): string =>
  (direction === 'in' ? incomingTexts[reason] : undefined) ?? reasonTexts[reason] ?? reason
