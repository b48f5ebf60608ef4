export { creditKey, creditKind, decideRefund, type RefundDecision } from './credits.ts'
export { carryOut, decide, type Plan, type Step } from './decide.ts'
export {
  INVOICE_STATES,
  type Invoice,
  type InvoiceState,
  isOpen,
  newInvoice,
  PROVIDER_STATUSES,
  type ProviderReport,
  type ProviderStatus,
  parseStatus,
  type ReviewItem,
  type ReviewReason,
} from './invoice.ts'
export { type Cell, TRANSITIONS } from './transitions.ts'
