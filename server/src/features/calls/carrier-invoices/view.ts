import type { CarrierInvoice, InvoiceCall, KindSums } from '@trunkline/contract/carrier-invoices'
import { differenceKinds } from '@trunkline/domain/carrier-invoices'
import { micros, toWireNumber } from '@trunkline/domain/money'
import { writeRecordId } from '../cdr/record-id.ts'
import type { CallRow } from './calls-store.ts'
import type { InvoiceRow, SumsRow } from './store.ts'

const dollars = (amount: bigint): number => toWireNumber(micros(amount))

export function viewInvoice(row: InvoiceRow, sums: readonly SumsRow[]): CarrierInvoice {
  const own = sums.filter(({ invoice_id }) => invoice_id === row.id)
  const total = (amount: (sum: SumsRow) => bigint) => own.reduce((sum, each) => sum + amount(each), 0n)
  const calls = (isCounted: (kind: SumsRow['kind']) => boolean) =>
    own.reduce((sum, each) => sum + (isCounted(each.kind) ? each.calls : 0), 0)
  return {
    id: row.id,
    name: row.name,
    file_name: row.file_name,
    trunk: { id: row.trunk_id, name: row.trunk_name, exists: row.trunk_exists },
    timezone: row.timezone,
    from: row.period_from.toISOString(),
    to: row.period_to.toISOString(),
    match_tolerance: row.match_tolerance_seconds,
    duration_tolerance: row.duration_tolerance_seconds,
    price_tolerance: dollars(row.price_tolerance_micros),
    state: row.state,
    note: row.note,
    version: row.version,
    uploaded_by: row.uploader,
    uploaded_at: row.uploaded_at.toISOString(),
    carrier: {
      calls: calls((kind) => kind !== 'own_only'),
      seconds: Number(total(({ carrier_seconds }) => carrier_seconds)),
      amount: dollars(total(({ carrier_micros }) => carrier_micros)),
    },
    own: {
      calls: calls((kind) => kind !== 'carrier_only'),
      seconds: Number(total(({ own_seconds }) => own_seconds)),
      amount: dollars(total(({ own_micros }) => own_micros)),
    },
    sums: differenceKinds.flatMap((kind) => own.filter((sum) => sum.kind === kind).map(viewSums)),
    fault_count: row.fault_count,
    free_count: row.free_count,
    shift_minutes: row.shift_minutes,
  }
}

const viewSums = (row: SumsRow): KindSums => ({
  kind: row.kind,
  calls: row.calls,
  carrier_seconds: Number(row.carrier_seconds),
  own_seconds: Number(row.own_seconds),
  carrier_amount: dollars(row.carrier_micros),
  own_amount: dollars(row.own_micros),
  over: dollars(row.over_micros),
  under: dollars(row.under_micros),
})

export const viewCall = (row: CallRow): InvoiceCall => ({
  kind: row.kind,
  difference: dollars(row.difference_micros),
  carrier:
    row.line === null || row.carrier_at === null
      ? null
      : {
          line: row.line,
          at: row.carrier_at.toISOString(),
          number: row.carrier_number ?? '',
          seconds: row.carrier_seconds ?? 0,
          billed_seconds: row.carrier_billed_seconds,
          amount: dollars(row.carrier_micros ?? 0n),
          caller: row.carrier_caller ?? '',
          call_id: row.carrier_call_id ?? '',
        },
  own:
    row.call_id === null || row.call_started_at === null
      ? null
      : {
          id: writeRecordId({ startedAt: row.call_started_at, callId: row.call_id }),
          started_at: row.call_started_at.toISOString(),
          number: row.own_number ?? '',
          seconds: row.own_seconds ?? 0,
          cost: dollars(row.own_micros ?? 0n),
        },
})
