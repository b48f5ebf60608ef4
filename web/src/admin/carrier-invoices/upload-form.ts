import type { RequestOf } from '@trunkline/contract'
import {
  CARRIER_INVOICE_NAME_MAX,
  DURATION_TOLERANCE_DEFAULT,
  DURATION_TOLERANCE_MAX,
  MATCH_TOLERANCE_DEFAULT,
  MATCH_TOLERANCE_MAX,
  PRICE_TOLERANCE_DEFAULT,
  PRICE_TOLERANCE_MAX,
} from '@trunkline/contract/limits'
import { ownMessages } from '@trunkline/contract/messages'
import {
  findInvoiceColumns,
  type InvoiceColumns,
  missingParts,
  peekInvoice,
} from '@trunkline/domain/carrier-invoices'
import { dollarsIn, numberIn, oneOf } from '../../common/address.ts'

export type UploadValues = {
  trunk_id: string
  name: string
  timezone: string
  from: string
  to: string
  date_order: string
  match_tolerance: string
  duration_tolerance: string
  price_tolerance: string
}

export const blankUpload = (trunk: number | undefined, timezone: string): UploadValues => ({
  trunk_id: trunk === undefined ? '' : String(trunk),
  name: '',
  timezone,
  from: '',
  to: '',
  date_order: '',
  match_tolerance: String(MATCH_TOLERANCE_DEFAULT),
  duration_tolerance: String(DURATION_TOLERANCE_DEFAULT),
  price_tolerance: String(PRICE_TOLERANCE_DEFAULT),
})

export type ChosenFile = {
  name: string
  text: string
  header: readonly string[]
  /** The first call, as an example for each column. */
  example: readonly string[]
  columns: InvoiceColumns
}

/** The first lines are enough to find the columns. */
const PEEKED = 256 * 1024

export function openFile(name: string, text: string): ChosenFile {
  const { header, rows } = peekInvoice(text.slice(0, PEEKED), 1)
  return { name, text, header, example: rows[0] ?? [], columns: findInvoiceColumns(header) }
}

export const nameOf = (file: string): string =>
  file
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replaceAll('_', ' ')
    .slice(0, CARRIER_INVOICE_NAME_MAX)

type Errors = Partial<Record<keyof UploadValues | 'file' | 'columns', string>>

export function validateUpload(values: UploadValues, file: ChosenFile | null): Errors {
  const errors: Errors = {}
  if (values.trunk_id === '') errors.trunk_id = 'Please choose a carrier.'
  if (values.name.trim() === '') errors.name = ownMessages.invoiceNameMissing
  if (!file) errors.file = ownMessages.deckMissing
  if (values.from !== '' && values.to !== '' && values.from > values.to)
    errors.to = 'The last day is before the first.'
  if (!isWithin(numberIn(values.match_tolerance), MATCH_TOLERANCE_MAX))
    errors.match_tolerance = `Please enter 0 to ${MATCH_TOLERANCE_MAX} seconds.`
  if (!isWithin(numberIn(values.duration_tolerance), DURATION_TOLERANCE_MAX))
    errors.duration_tolerance = `Please enter 0 to ${DURATION_TOLERANCE_MAX} seconds.`
  const price = dollarsIn(values.price_tolerance)
  if (price === undefined || price > PRICE_TOLERANCE_MAX)
    errors.price_tolerance = `Please enter an amount from $0 to $${PRICE_TOLERANCE_MAX}.`
  return errors
}

const isWithin = (seconds: number | undefined, max: number): boolean =>
  seconds !== undefined && Number.isInteger(seconds) && seconds >= 0 && seconds <= max

/** Call it with valid values only. */
export function requestOf(
  values: UploadValues,
  file: ChosenFile,
): RequestOf<'POST /api/admin/carrier-invoices'>['body'] {
  const order = oneOf(['dmy', 'mdy'], values.date_order)
  return {
    trunk_id: Number(values.trunk_id),
    name: values.name.trim(),
    file_name: file.name.slice(0, 200),
    file: file.text,
    columns: file.columns,
    timezone: values.timezone,
    ...(values.from !== '' && { from: values.from }),
    ...(values.to !== '' && { to: values.to }),
    ...(order && { date_order: order }),
    match_tolerance: Number(values.match_tolerance),
    duration_tolerance: Number(values.duration_tolerance),
    price_tolerance: Number(values.price_tolerance),
  }
}

export const missingIn = (file: ChosenFile | null) => (file ? missingParts(file.columns) : [])
