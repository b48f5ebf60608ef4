import { differenceKinds, invoiceFaultReasons } from '@trunkline/domain/carrier-invoices'
import { z } from 'zod'
import { TimeZone } from './cdr.ts'
import type { Endpoints } from './endpoint.ts'
import { filled, Id, Message, Timestamp, textUpTo } from './fields.ts'
import {
  CARRIER_INVOICE_NAME_MAX,
  CARRIER_INVOICE_NOTE_MAX,
  CARRIER_INVOICE_REQUEST_BYTES_MAX,
  DURATION_TOLERANCE_DEFAULT,
  DURATION_TOLERANCE_MAX,
  MATCH_TOLERANCE_DEFAULT,
  MATCH_TOLERANCE_MAX,
  PAGE_MAX,
  PRICE_TOLERANCE_DEFAULT,
  PRICE_TOLERANCE_MAX,
} from './limits.ts'
import { ownMessages } from './messages.ts'
import { GivenId, IdInAddress, IdInPath, Next, page, pageSize } from './money.ts'
import { dollarsUpTo } from './rates.ts'

/** A carrier's invoice, compared call by call with our records. */

export const InvoiceState = z.enum(['open', 'accepted', 'disputed'])
export type InvoiceState = z.output<typeof InvoiceState>
const Kind = z.enum(differenceKinds)

/** Dollars and seconds of one kind. `over` and `under` add up what the carrier charged more and less than our cost. */
const KindSums = z.object({
  kind: Kind,
  calls: z.int(),
  carrier_seconds: z.int(),
  own_seconds: z.int(),
  carrier_amount: z.number(),
  own_amount: z.number(),
  over: z.number(),
  under: z.number(),
})
export type KindSums = z.output<typeof KindSums>

const Side = z.object({ calls: z.int(), seconds: z.int(), amount: z.number() })

export const CarrierInvoice = z.object({
  id: Id,
  name: z.string(),
  file_name: z.string(),
  /** `exists` is false after the trunk was deleted. */
  trunk: z.object({ id: Id, name: z.string(), exists: z.boolean() }),
  /** Time zone of the times in the file. */
  timezone: z.string(),
  /** The compared period. `to` is exclusive. */
  from: Timestamp,
  to: Timestamp,
  match_tolerance: z.int(),
  duration_tolerance: z.int(),
  price_tolerance: z.number(),
  state: InvoiceState,
  note: z.string(),
  version: z.int(),
  /** Null if the account was deleted. */
  uploaded_by: z.string().nullable(),
  uploaded_at: Timestamp,
  /** Totals of the compared calls. */
  carrier: Side,
  own: Side,
  /** One entry for each kind, also for kinds without calls. */
  sums: z.array(KindSums),
  /** Lines that could not be read, and lines without duration and amount. Neither is compared. */
  fault_count: z.int(),
  free_count: z.int(),
  /** Minutes by which the times of the file seem to be ahead of ours because of a wrong time zone. */
  shift_minutes: z.int().nullable(),
})
export type CarrierInvoice = z.output<typeof CarrierInvoice>

const Fault = z.object({ line: z.int(), reason: z.enum(invoiceFaultReasons), value: z.string() })

/** A line of the file, our call, or both. */
export const InvoiceCall = z.object({
  kind: Kind,
  /** Amount of the carrier minus our cost, in dollars. */
  difference: z.number(),
  carrier: z
    .object({
      line: z.int(),
      at: Timestamp,
      number: z.string(),
      seconds: z.int(),
      billed_seconds: z.int().nullable(),
      amount: z.number(),
      caller: z.string(),
      call_id: z.string(),
    })
    .nullable(),
  own: z
    .object({
      /** Id of the call record. */
      id: z.string(),
      started_at: Timestamp,
      number: z.string(),
      seconds: z.int(),
      cost: z.number(),
    })
    .nullable(),
})
export type InvoiceCall = z.output<typeof InvoiceCall>

const column = z.int().min(0).max(999)
const columns = z.strictObject({
  start: column.optional(),
  time: column.optional(),
  number: column.optional(),
  duration: column.optional(),
  billed: column.optional(),
  amount: column.optional(),
  caller: column.optional(),
  call_id: column.optional(),
})

const Name = filled(ownMessages.invoiceNameMissing, CARRIER_INVOICE_NAME_MAX)

const uploaded = z.strictObject({
  trunk_id: GivenId,
  name: Name,
  file_name: z.string().trim().max(200).default(''),
  /** The CSV file. */
  file: z
    .string({ error: ownMessages.deckMissing })
    .min(1, ownMessages.deckMissing)
    .refine((text) => !text.includes('\u0000'), ownMessages.deckNoText),
  timezone: TimeZone.default('UTC'),
  /** Dates in that time zone, both inclusive. Without them, the days from the first to the last call of the file. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  /** Positions of the columns, starting at 0. Without them, the columns are found by name. */
  columns: columns.optional(),
  /** For dates such as 05/11/2026. Without it, the dates of the file decide. */
  date_order: z.enum(['dmy', 'mdy']).optional(),
  /** Seconds between the times of both sides. */
  match_tolerance: z.int().min(0).max(MATCH_TOLERANCE_MAX).default(MATCH_TOLERANCE_DEFAULT),
  /** Differences up to these seconds and dollars count as equal. */
  duration_tolerance: z.int().min(0).max(DURATION_TOLERANCE_MAX).default(DURATION_TOLERANCE_DEFAULT),
  price_tolerance: dollarsUpTo(PRICE_TOLERANCE_MAX, ownMessages.amountInvalid).default(
    PRICE_TOLERANCE_DEFAULT,
  ),
})
export type UploadedInvoice = z.output<typeof uploaded>

/** `next` of the previous page: amount at stake and position. */
const Cursor = z.string().regex(/^\d{1,18}\.\d{1,9}$/)
const kinds = {
  /** All differences when absent. */
  kind: Kind.optional(),
}

export const carrierInvoices = {
  'GET /api/admin/carrier-invoices': {
    access: 'admin',
    summary: 'List the compared invoices of carriers, newest first',
    query: z.strictObject({
      ...page,
      before: IdInAddress.optional(),
      trunk: IdInAddress.optional(),
      state: InvoiceState.optional(),
    }),
    answer: z.object({ invoices: z.array(CarrierInvoice), next: Next }),
  },
  'POST /api/admin/carrier-invoices': {
    access: 'admin',
    summary: 'Compare a carrier’s list of calls with our call records and store the result',
    body: uploaded,
    maxBodyBytes: CARRIER_INVOICE_REQUEST_BYTES_MAX,
    answer: z.object({ invoice: CarrierInvoice }),
    refusals: ['not_found', 'invoice_unreadable', 'archived', 'too_many_requests'],
  },
  'GET /api/admin/carrier-invoices/:id': {
    access: 'admin',
    summary: 'Get a compared invoice with its totals and the first lines that could not be read',
    params: IdInPath,
    answer: z.object({ invoice: CarrierInvoice, faults: z.array(Fault) }),
    refusals: ['not_found'],
  },
  'PATCH /api/admin/carrier-invoices/:id': {
    access: 'admin',
    summary: 'Accept, dispute or reopen an invoice, or change its name and note',
    params: IdInPath,
    body: z.strictObject({
      version: z.int().positive(),
      state: InvoiceState.optional(),
      name: Name.optional(),
      note: textUpTo(CARRIER_INVOICE_NOTE_MAX).optional(),
    }),
    answer: z.object({ invoice: CarrierInvoice }),
    refusals: ['not_found', 'changed_meanwhile'],
  },
  'DELETE /api/admin/carrier-invoices/:id': {
    access: 'admin',
    summary: 'Delete a compared invoice. Call records stay',
    params: IdInPath,
    answer: Message,
    refusals: ['not_found'],
  },
  'GET /api/admin/carrier-invoices/:id/calls': {
    access: 'admin',
    summary: 'List the differences of an invoice, the largest amount first',
    params: IdInPath,
    query: z.strictObject({
      ...kinds,
      after: Cursor.optional(),
      limit: pageSize(PAGE_MAX, 50),
    }),
    answer: z.object({ calls: z.array(InvoiceCall), next: z.string().nullable() }),
    refusals: ['not_found'],
  },
  'GET /api/admin/carrier-invoices/:id/calls.csv': {
    access: 'admin',
    summary: 'Export the differences of an invoice as CSV, the largest amount first',
    params: IdInPath,
    query: z.strictObject(kinds),
    streams: 'text/csv',
    answer: z.string(),
    refusals: ['not_found'],
  },
} as const satisfies Endpoints
