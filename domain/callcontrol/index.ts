export {
  type Admitted,
  admit,
  type CallerIdPolicy,
  type CallRequest,
  type CallTerms,
  type CallUser,
  type Refused,
} from './admit.ts'
export { type Cover, cover } from './cover.ts'
export {
  admitEmergency,
  EMERGENCY_ROUTE_ID,
  type EmergencyRequest,
  type EmergencyRoute,
} from './emergency.ts'
export { type CoveredCall, type ExtensionPace, extend } from './extend.ts'
export {
  admitDeviceLeg,
  admitMailbox,
  type DeviceLegRequest,
  FLOW_LEG_ROUTE_ID,
  INNER_LEG_ROUTE_ID,
  isDeviceLeg,
  MAILBOX_NUMBER,
  MAILBOX_ROUTE_ID,
  type MailboxRequest,
} from './free-calls.ts'
export {
  admitIncoming,
  INCOMING_ROUTE_ID,
  type IncomingAdmitted,
  type IncomingRefused,
  type IncomingRequest,
  type InventoryNumber,
} from './incoming.ts'
export { admitInternal, INTERNAL_ROUTE_ID, type InternalRequest } from './internal.ts'
export {
  type CallReason,
  type CallStatus,
  callStatuses,
  type EndReason,
  endReasons,
  type RefusalReason,
  refusalReasons,
} from './reasons.ts'
export { isRefusalWindowOver, nextRefusal, type RefusalWindow } from './refusal-window.ts'
export { runningCost, type Settlement, settle } from './settle.ts'
export { failureReason, statusOf } from './status.ts'
export { timeoutReason } from './timeout.ts'
