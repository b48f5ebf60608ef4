import type { DifferenceKind, InvoiceFault } from '@trunkline/domain/carrier-invoices'
import type { ColumnType, Generated } from 'kysely'

/** Tables for invoices of carriers. */
export type CarrierInvoiceTables = {
  carrier_invoices: {
    id: Generated<number>
    trunk_id: number
    trunk_name: string
    name: string
    file_name: string
    timezone: string
    period_from: Date
    period_to: Date
    match_tolerance_seconds: number
    duration_tolerance_seconds: number
    price_tolerance_micros: bigint
    state: Generated<'open' | 'accepted' | 'disputed'>
    note: Generated<string>
    fault_count: number
    faults: ColumnType<InvoiceFault[], string, string>
    free_count: number
    shift_minutes: number | null
    uploaded_by: number | null
    uploaded_at: Date
    version: Generated<number>
  }
  carrier_invoice_sums: {
    invoice_id: number
    kind: DifferenceKind
    calls: number
    carrier_seconds: bigint
    own_seconds: bigint
    carrier_micros: bigint
    own_micros: bigint
    over_micros: bigint
    under_micros: bigint
  }
  carrier_invoice_calls: {
    invoice_id: number
    position: number
    kind: DifferenceKind
    difference_micros: bigint
    sort_key: bigint
    line: number | null
    carrier_at: Date | null
    carrier_number: string | null
    carrier_seconds: number | null
    carrier_billed_seconds: number | null
    carrier_micros: bigint | null
    carrier_caller: string | null
    carrier_call_id: string | null
    call_started_at: Date | null
    call_id: string | null
    own_number: string | null
    own_seconds: number | null
    own_micros: bigint | null
  }
}
