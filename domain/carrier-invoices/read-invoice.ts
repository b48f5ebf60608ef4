import { BadField, type CsvRecord, isBlank, nextNonEmpty, readCsv, separatorOf } from '../decks/index.ts'
import type { Micros } from '../money/index.ts'
import {
  findInvoiceColumns,
  type InvoiceColumns,
  type InvoicePart,
  missingParts,
  type RequiredPart,
} from './columns.ts'
import {
  type DateOrder,
  dateOrderOf,
  parseCalledNumber,
  parseDuration,
  parseInvoiceAmount,
  parseMoment,
} from './values.ts'
import { createZone } from './zone.ts'

/** One call as the carrier billed it. */
export type CarrierLine = {
  readonly line: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly number: string
  /** Talk time if the file has it, otherwise the billed time. */
  readonly seconds: number
  readonly billedSeconds: number | null
  readonly amountMicros: Micros
  readonly caller: string
  readonly callId: string
}

export const invoiceFaultReasons = [
  'start_missing',
  'start_invalid',
  'number_missing',
  'number_invalid',
  'number_rounded',
  'duration_missing',
  'duration_invalid',
  'amount_missing',
  'amount_invalid',
  'amount_negative',
  'quote_open',
] as const
export type InvoiceFaultReason = (typeof invoiceFaultReasons)[number]

export type InvoiceFault = {
  readonly line: number
  readonly reason: InvoiceFaultReason
  readonly value: string
}

export type InvoiceProblem =
  | { readonly problem: 'empty' | 'too_many_lines' | 'dates_unclear' | 'no_valid_line' }
  | { readonly problem: 'columns_missing'; readonly missing: readonly RequiredPart[] }

export type CarrierInvoice = {
  readonly lines: readonly CarrierLine[]
  readonly faults: readonly InvoiceFault[]
  /** Lines without duration and amount, such as failed attempts. They are left out. */
  readonly free: number
}

export type InvoiceOptions = {
  /** Overrides the columns found by name. */
  readonly columns?: InvoiceColumns | undefined
  readonly timeZone: string
  /** Undefined: found from the dates of the file. */
  readonly dateOrder?: DateOrder | undefined
  readonly maxLines: number
  readonly maxSeconds: number
  readonly maxAmountMicros: Micros
}

/** Less than 10 ms of work. */
const LINES_PER_STEP = 1_000
const MAX_TEXT = 100

/** The header and the first lines of a file, to show the columns before it is sent. */
export function peekInvoice(text: string, count: number): { header: string[]; rows: string[][] } {
  const rows: string[][] = []
  for (const record of readCsv(text, separatorOf(text))) {
    if (isBlank(record)) continue
    rows.push(record.fields.map((field) => field.trim()))
    if (rows.length > count) break
  }
  const [header = [], ...others] = rows
  return { header, rows: others }
}

/** Parses a carrier's list of calls. Every non-empty line becomes a call, a fault with a reason, or is counted as free. */
export function* readInvoiceInSteps(
  text: string,
  options: InvoiceOptions,
): Generator<undefined, CarrierInvoice | InvoiceProblem, undefined> {
  const separator = separatorOf(text)
  const header = nextNonEmpty(readCsv(text, separator))
  if (!header || header.isOpen) return { problem: 'empty' }
  const columns = options.columns ?? findInvoiceColumns(header.fields)
  const missing = missingParts(columns)
  if (missing.length > 0) return { problem: 'columns_missing', missing }

  const dateOrder =
    options.dateOrder ??
    (yield* findDateOrder(readCsv(text, separator), columns.start ?? 0, options.maxLines))
  if (dateOrder === 'unclear') return { problem: 'dates_unclear' }

  const reader = createLineReader(columns, dateOrder, options)
  let count = 0
  for (const record of readCsv(text, separator)) {
    if (record.line <= header.line || isBlank(record)) continue
    reader.readLine(record)
    count++
    if (count > options.maxLines) return { problem: 'too_many_lines' }
    if (count % LINES_PER_STEP === 0) yield
  }
  if (count === 0) return { problem: 'empty' }
  const invoice = reader.invoice()
  return invoice.lines.length === 0 && invoice.free === 0 ? { problem: 'no_valid_line' } : invoice
}

/** The first date that has only one reading decides for all. */
function* findDateOrder(
  records: Generator<CsvRecord>,
  column: number,
  maxLines: number,
): Generator<undefined, DateOrder | 'unclear', undefined> {
  let isUnclear = false
  let count = 0
  for (const { fields } of records) {
    const order = dateOrderOf(fields[column] ?? '')
    if (order === 'dmy' || order === 'mdy') return order
    isUnclear ||= order === 'unclear'
    count++
    if (count > maxLines || (!isUnclear && count > LINES_PER_STEP)) break
    if (count % LINES_PER_STEP === 0) yield
  }
  return isUnclear ? 'unclear' : 'dmy'
}

/** Does not leave this module. */
class BadValue extends BadField<InvoiceFaultReason> {}

function createLineReader(columns: InvoiceColumns, dateOrder: DateOrder, options: InvoiceOptions) {
  const toUtc = createZone(options.timeZone)
  const lines: CarrierLine[] = []
  const faults: InvoiceFault[] = []
  let free = 0

  function momentOf(start: string, time: string): number {
    if (start === '') throw new BadValue('start_missing', '')
    const at = parseMoment(start, time, dateOrder, toUtc)
    if (at === null) throw new BadValue('start_invalid', `${start} ${time}`.trim())
    return at
  }

  function numberOf(written: string): string {
    if (written === '') throw new BadValue('number_missing', '')
    const number = parseCalledNumber(written)
    if (number === 'number_invalid' || number === 'number_rounded') throw new BadValue(number, written)
    return number
  }

  function secondsOf(written: string): number | null {
    if (written === '') return null
    const seconds = parseDuration(written, options.maxSeconds)
    if (seconds === null) throw new BadValue('duration_invalid', written)
    return seconds
  }

  function amountOf(written: string): Micros {
    if (written === '') throw new BadValue('amount_missing', '')
    const amount = parseInvoiceAmount(written, options.maxAmountMicros)
    if (typeof amount === 'string') throw new BadValue(amount, written)
    return amount
  }

  function lineOf(line: number, value: (part: InvoicePart) => string): CarrierLine {
    const number = numberOf(value('number'))
    const at = momentOf(value('start'), value('time'))
    const billedSeconds = secondsOf(value('billed'))
    const seconds = secondsOf(value('duration')) ?? billedSeconds
    if (seconds === null) throw new BadValue('duration_missing', '')
    const amountMicros = amountOf(value('amount'))
    const caller = value('caller').slice(0, MAX_TEXT)
    return {
      line,
      at,
      number,
      seconds,
      billedSeconds,
      amountMicros,
      caller,
      callId: value('call_id').slice(0, MAX_TEXT),
    }
  }

  return {
    readLine({ line, fields, isOpen }: CsvRecord): void {
      const value = (part: InvoicePart) => fields[columns[part] ?? -1]?.trim() ?? ''
      try {
        if (isOpen) throw new BadValue('quote_open', '')
        const read = lineOf(line, value)
        if (read.seconds === 0 && read.amountMicros === 0n) free++
        else lines.push(read)
      } catch (error) {
        if (!(error instanceof BadValue)) throw error
        faults.push({ line, reason: error.reason, value: error.value.slice(0, 60) })
      }
    },

    invoice: (): CarrierInvoice => ({ lines, faults, free }),
  }
}
