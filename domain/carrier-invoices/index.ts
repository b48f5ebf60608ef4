export {
  findInvoiceColumns,
  type InvoiceColumns,
  type InvoicePart,
  invoiceParts,
  missingParts,
  type RequiredPart,
  requiredParts,
} from './columns.ts'
export type { OwnCall } from './match.ts'
export {
  type CarrierInvoice,
  type CarrierLine,
  type InvoiceFault,
  type InvoiceFaultReason,
  type InvoiceOptions,
  type InvoiceProblem,
  invoiceFaultReasons,
  peekInvoice,
  readInvoiceInSteps,
} from './read-invoice.ts'
export {
  type DifferenceKind,
  differenceKinds,
  type KindSums,
  type ReconciledCall,
  type ReconcileOptions,
  type Reconciliation,
  reconcileInSteps,
} from './reconcile.ts'
export { findShift } from './shift.ts'
export type { DateOrder } from './values.ts'
export { createZone } from './zone.ts'
