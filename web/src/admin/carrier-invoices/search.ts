import type { InvoiceState } from '@trunkline/contract/carrier-invoices'
import { type DifferenceKind, differenceKinds } from '@trunkline/domain/carrier-invoices'
import { idIn, oneOf, textIn, withoutGaps } from '../../common/address.ts'

/** Search parameters of the list. */
export type InvoicesSearch = Partial<{
  trunk: number
  state: InvoiceState
  /** The page after this invoice. */
  before: number
  /** The dialog for a new invoice is open. */
  compare: 1
}>

/** Search parameters of one invoice. */
export type InvoiceSearch = Partial<{
  /** All differences when absent. */
  kind: DifferenceKind
  /** The page after this call. */
  after: string
}>

export const invoiceStates = ['open', 'accepted', 'disputed'] as const

/** Ignores values that are not valid. */
export const readInvoicesSearch = (raw: Record<string, unknown>): InvoicesSearch =>
  withoutGaps({
    trunk: idIn(raw.trunk),
    state: oneOf(invoiceStates, raw.state),
    before: idIn(raw.before),
    compare: textIn(raw.compare) === '1' ? (1 as const) : undefined,
  })

export function readInvoiceSearch(raw: Record<string, unknown>): InvoiceSearch {
  const after = textIn(raw.after) ?? ''
  return withoutGaps({
    kind: oneOf(differenceKinds, raw.kind),
    after: /^\d{1,18}\.\d{1,9}$/.test(after) ? after : undefined,
  })
}
