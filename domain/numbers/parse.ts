import {
  isSupportedCountry,
  type PhoneNumber as Parsed,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
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
 * A number as dialled: `+44 ...`, `0044 ...`, `01144 ...` or `44 ...`, with the usual signs between the digits, and with the
 * parameters of a tel URI (`02079460123;phone-context=+44`). With a home country a number is national first: `020 7946 0123`.
 * Without one a national number is never guessed at. Null when the number cannot be called.
 */
export function parseNumber(dialled: string, home: CountryCode | null = null): PhoneNumber | null {
  const written = withoutParameters(dialled)
  if (written === null) return null
  const { number, context } = written
  if (context !== null && !number.startsWith('+')) return read(`${context}${number}`)
  return readNational(number, home) ?? readInternational(number, home)
}

/** A calling code or the beginning of a number before a local one; the zero of national dialling is forgiven. */
const CONTEXT = /^\+\d{1,14}$/
const DIGITS = /^\+?\d{1,20}$/

/** Extensions and subaddresses cannot be dialled; all other parameters but `phone-context` change nothing. */
function withoutParameters(dialled: string): { number: string; context: string | null } | null {
  const [first = '', ...parameters] = dialled.split(';')
  const number = first.replace(SEPARATORS, '')
  const named = new Map(
    parameters.map((text) => {
      const [name = '', value = ''] = text.split('=')
      return [name.trim().toLowerCase(), value.replace(SEPARATORS, '')]
    }),
  )
  if (!DIGITS.test(number) || named.has('ext') || named.has('isub')) return null
  const context = named.get('phone-context') ?? ''
  return { number, context: CONTEXT.test(context) ? context : null }
}

/** As one dials in that country, its way of dialling abroad included. */
function readNational(number: string, home: CountryCode | null): PhoneNumber | null {
  if (home === null || !isSupportedCountry(home)) return null
  return describedIfValid(parsePhoneNumberFromString(number, { defaultCountry: home, extract: false }))
}

/** So short a number without a plus is a local one where there is a home country, not that of a small country far away. */
const SHORTEST_WITHOUT_PLUS = 10

function readInternational(number: string, home: CountryCode | null): PhoneNumber | null {
  const [, prefix = '', digits = ''] = INTERNATIONAL_NUMBER.exec(number) ?? []
  if (digits === '' || (home !== null && prefix === '' && digits.length < SHORTEST_WITHOUT_PLUS)) return null
  return read(`+${digits}`)
}

const read = (number: string): PhoneNumber | null =>
  describedIfValid(parsePhoneNumberFromString(number, { extract: false }))

function describedIfValid(parsed: Parsed | undefined): PhoneNumber | null {
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
const INTERNATIONAL_NUMBER = /^(\+|00|011)?([1-9]\d{6,17})$/
