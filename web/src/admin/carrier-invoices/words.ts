import type { CarrierInvoice, InvoiceState } from '@trunkline/contract/carrier-invoices'
import { formatPeriod } from '../../common/format/dates.ts'
import { formatSpan } from '../../common/format/durations.ts'
import { currentViewer } from '../../common/format/viewer.ts'
import type { BadgeTone } from '../../ui/Badge.tsx'

export const stateWords: Readonly<Record<InvoiceState, { label: string; tone: BadgeTone }>> = {
  open: { label: 'Open', tone: 'pending' },
  accepted: { label: 'Accepted', tone: 'success' },
  disputed: { label: 'Disputed', tone: 'danger' },
}

/** `Nov 1 – Nov 30, 2026`, as days of the time zone of the file. `to` is exclusive. */
export function periodWords({
  from,
  to,
  timezone,
}: Pick<CarrierInvoice, 'from' | 'to' | 'timezone'>): string {
  return formatPeriod(from, to, { ...currentViewer(), timeZone: timezone })
}

/** Calls that differ, and what the carrier charged too much. */
export const differencesOf = ({ sums }: CarrierInvoice) => {
  const different = sums.filter(({ kind }) => kind !== 'equal')
  return {
    calls: different.reduce((sum, { calls }) => sum + calls, 0),
    over: toMicroDollars(different.reduce((sum, { over }) => sum + over, 0)),
  }
}

/** Sums of amounts are exact after rounding to micro-dollars. */
export const toMicroDollars = (amount: number): number => Math.round(amount * 1_000_000) / 1_000_000

/** `The times of the file seem to be 1 h ahead of ours.` */
export function shiftWords(minutes: number): string {
  const span = formatSpan(Math.abs(minutes) * 60)
  return `The times of the file seem to be ${span} ${minutes > 0 ? 'ahead of' : 'behind'} ours. Delete this comparison and upload the file again with another time zone.`
}
