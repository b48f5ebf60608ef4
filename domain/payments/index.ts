export { creditKey, creditKind, decideRefund, type RefundDecision, refundLimit } from './credits.ts'
export { carryOut, decide, type Plan, type Step } from './decide.ts'
export {
  INVOICE_STATES,
  type Invoice,
  type InvoiceState,
  isInvoiceReport,
  isOpen,
  newInvoice,
  PROVIDER_STATUSES,
  type ProviderReport,
  type ProviderStatus,
  parseStatus,
  type ReviewItem,
  type ReviewReason,
  reportedAmount,
  UNDER_PAID_COVERAGE_BASIS_POINTS,
} from './invoice.ts'
export { type Cell, TRANSITIONS } from './transitions.ts'
