import type { CountryCode } from '../countries/index.ts'
import { parseNumber } from './parse.ts'

/** How a carrier writes the numbers of incoming calls. */
export type CarrierFormat = {
  /** Removed from the front of the called number. */
  readonly prefix: string
  /** Country of numbers in national format. Null: international formats only. */
  readonly country: CountryCode | null
}

const SEPARATORS = /[\s().\-/]/g
const PLAIN = /^(?:\+|00|011)?([1-9]\d{5,14})$/

/**
 * The E.164 digits that a called number can mean, most likely first. An inventory can have numbers that are missing in the
 * numbering plans, so plain international digits count even if no plan knows them.
 */
export function calledNumbers(sent: string, { prefix, country }: CarrierFormat): string[] {
  const [first = ''] = sent.split(';')
  const written = first.replace(SEPARATORS, '')
  const stripped =
    prefix !== '' && written.startsWith(prefix) ? [written.slice(prefix.length), written] : [written]
  const readings = stripped.flatMap((number) => [
    parseNumber(number, country)?.e164 ?? [],
    PLAIN.exec(number)?.[1] ?? [],
  ])
  return [...new Set(readings.flat())]
}

/** The digits of a caller as sent by a carrier. Empty if the caller withheld them, or if there are none. */
export function callerDigits(sent: string, country: CountryCode | null): string {
  const [first = ''] = sent.split(';')
  const written = first.replace(SEPARATORS, '')
  if (!/^\+?\d{1,20}$/.test(written)) return ''
  return parseNumber(written, country)?.e164 ?? written.replace(/^(\+|00)/, '')
}
