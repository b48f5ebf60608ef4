import type {
  DifferenceKind,
  InvoiceFault,
  InvoicePart,
  InvoiceProblem,
} from '@trunkline/domain/carrier-invoices'

/** Texts of carrier invoices, for screens and server. No zod import, because the browser loads this file too. */

export const invoiceParts: Readonly<Record<InvoicePart, string>> = {
  start: 'Start or answer time',
  time: 'Time of day',
  number: 'Called number',
  duration: 'Duration',
  billed: 'Billed duration',
  amount: 'Amount',
  caller: 'Caller',
  call_id: 'Call ID',
}

export const differenceKinds: Readonly<Record<DifferenceKind, { label: string; hint: string }>> = {
  carrier_only: { label: 'Only at the carrier', hint: 'Billed, but we have no such call.' },
  own_only: { label: 'Only with us', hint: 'Our calls that the carrier did not bill.' },
  longer: { label: 'Longer at the carrier', hint: 'The carrier billed more seconds than we measured.' },
  shorter: { label: 'Shorter at the carrier', hint: 'The carrier billed fewer seconds than we measured.' },
  price: { label: 'Different price', hint: 'The same duration, but another amount than our rates give.' },
  equal: { label: 'Equal', hint: 'Number, time, duration and amount agree.' },
}

export function invoiceProblemWords(problem: InvoiceProblem): string {
  switch (problem.problem) {
    case 'empty':
      return 'This file has no calls.'
    case 'too_many_lines':
      return 'This file has more than 200,000 lines. Split it into shorter periods.'
    case 'dates_unclear':
      return 'Dates such as 05/11/2026 have two readings. Choose the date format of the file.'
    case 'no_valid_line':
      return 'No line of this file could be read. Check the columns and the date format.'
    case 'columns_missing':
      return `These columns were not found: ${problem.missing.map((part) => invoiceParts[part].toLowerCase()).join(', ')}. Choose them below.`
  }
}

export function invoiceFaultWords({ reason, value }: Pick<InvoiceFault, 'reason' | 'value'>): string {
  switch (reason) {
    case 'start_missing':
      return 'The time is missing.'
    case 'start_invalid':
      return `“${value}” isn’t a date with a time.`
    case 'number_missing':
      return 'The called number is missing.'
    case 'number_invalid':
      return `“${value}” isn’t a phone number.`
    case 'number_rounded':
      return `A spreadsheet rounded the number to ${value}. Export the file again with numbers as text.`
    case 'duration_missing':
      return 'The duration is missing.'
    case 'duration_invalid':
      return `“${value}” isn’t a duration. Use seconds, mm:ss or hh:mm:ss.`
    case 'amount_missing':
      return 'The amount is missing.'
    case 'amount_invalid':
      return `“${value}” isn’t an amount in dollars.`
    case 'amount_negative':
      return `${value} is a credit. Credits are not compared with calls.`
    case 'quote_open':
      return 'This line has an unclosed quote.'
  }
}
