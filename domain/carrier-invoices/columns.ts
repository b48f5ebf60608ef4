import { wordsOf } from '../decks/index.ts'

/** The fields of a carrier's call list. */
export const invoiceParts = [
  'start',
  'time',
  'number',
  'duration',
  'billed',
  'amount',
  'caller',
  'call_id',
] as const
export type InvoicePart = (typeof invoiceParts)[number]

/** Positions of the columns, starting at 0. */
export type InvoiceColumns = Readonly<Partial<Record<InvoicePart, number>>>

/** Either duration is enough. */
export const requiredParts = ['start', 'number', 'duration', 'amount'] as const
export type RequiredPart = (typeof requiredParts)[number]

/** Column names that carriers use, most reliable first. */
const NAMES: Readonly<Record<InvoicePart, readonly string[]>> = {
  start:
    list(`start time, call start, start, connect time, connected, answer time, answered at, started at, setup time,
    call start time, call date time, date time, datetime, date and time, timestamp, call time, call date, start date,
    begin time, begin, started, date, calldate, starttime, connecttime, answertime, disconnect date`),
  time: list('time, time of day, hour'),
  number:
    list(`called number, called party, called, called party number, b number, bnumber, b party, destination number,
    dialed number, dialled number, callee, callee number, dst, dest, dst number, number dialed, number dialled,
    called station id, cld, cld out, cld in, to number, to, dnis, phone number, number, destination`),
  duration:
    list(`duration, call duration, duration s, real duration, actual duration, session time, talk time, length,
    call length, elapsed, elapsed time, time s, acct session time`),
  billed:
    list(`billed duration, billed, bill, charged duration, chargeable duration, billable duration, billable,
    charged, rounded duration, rated duration, billed time, billsec, billed units, bill duration, charged time`),
  amount:
    list(`amount, cost, charge, total cost, total charge, call cost, charged amount, total, total amount, price total,
    call charge, net amount, net cost, value, debit, billed amount, sum, price`),
  caller:
    list(`calling number, caller, caller id, callerid, calling party, calling party number, a number, anumber, a party,
    caller number, src, source, source number, cli, cli in, calling station id, from, from number, ani, clid,
    originating number`),
  call_id: list(
    'call id, callid, sip call id, call uuid, uuid, unique id, uniqueid, record id, id, i xdr, cdr id',
  ),
}

function list(names: string): readonly string[] {
  return names.split(/,\s+/)
}

/** Words to ignore: "Cost (USD)" means "cost". Other currencies and minutes stay, so they are not read as dollars and seconds. */
const UNITS = new Set(['usd', 'us', 'dollars', 'dollar', 'seconds', 'secs', 'sec', 'in', 'utc', 'gmt'])

const plainName = (written: string): string => wordsOf(written, UNITS).join(' ')

/** Finds the columns by their names. Each column serves one part. */
export function findInvoiceColumns(header: readonly string[]): InvoiceColumns {
  const plain = header.map(plainName)
  const found: Partial<Record<InvoicePart, number>> = {}
  const isFree = (index: number) => !Object.values(found).includes(index)
  for (const part of invoiceParts)
    for (const name of NAMES[part]) {
      const at = plain.findIndex((each, index) => each === name && isFree(index))
      if (at < 0) continue
      found[part] = at
      break
    }
  return found
}

export const missingParts = (columns: InvoiceColumns): RequiredPart[] =>
  requiredParts.filter(
    (part) => columns[part] === undefined && !(part === 'duration' && columns.billed !== undefined),
  )
