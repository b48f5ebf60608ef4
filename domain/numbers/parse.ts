import { type PhoneNumber as Parsed, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { type CountryCode, INTERNATIONAL } from '../countries/index.ts'
import { isHighRisk } from './high-risk.ts'
import { type LineType, lineTypeOf } from './line-type.ts'

export type PhoneNumber = {
  /** Digits, without the plus. */
  readonly e164: string
  readonly country: CountryCode
  readonly lineType: LineType
  readonly isHighRisk: boolean
}

/**
 * A number as dialled: `+44 ...`, `0044 ...`, `01144 ...` or `44 ...`, with the usual signs between the digits. Null when it is
 * none that can be called. There is no home country, so a national number is never guessed at.
 */
export function parseNumber(dialled: string): PhoneNumber | null {
  const digits = digitsOf(dialled)
  const parsed = digits === null ? undefined : parsePhoneNumberFromString(`+${digits}`, { extract: false })
  const type = parsed?.getType()
  return parsed && type ? described(parsed, lineTypeOf(parsed, type)) : null
}

function described(parsed: Parsed, lineType: LineType): PhoneNumber {
  const e164 = parsed.number.slice(1)
  const country = parsed.country ?? INTERNATIONAL
  return { e164, country, lineType, isHighRisk: isHighRisk(e164, country, lineType) }
}

const SEPARATORS = /[\s().\-/]/g
/** No country code begins with 0, so neither way of dialling abroad can be part of the number itself. */
const INTERNATIONAL_NUMBER = /^(?:\+|00|011)?([1-9]\d{6,17})$/

const digitsOf = (dialled: string): string | null =>
  INTERNATIONAL_NUMBER.exec(dialled.replace(SEPARATORS, ''))?.[1] ?? null
