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
 * Parses a dialed number: `+44 ...`, `0044 ...`, `01144 ...` or `44 ...`, with common separators, and with the parameters of
 * a tel URI (`02079460123;phone-context=+44`). With a home country, national numbers such as `020 7946 0123` come first.
 * Returns null if the number cannot be called.
 */
export function parseNumber(dialed: string, home: CountryCode | null = null): PhoneNumber | null {
  const parts = splitParameters(dialed)
  if (parts === null) return null
  const { number, context } = parts
  if (context !== null && !number.startsWith('+')) return parseE164(`${context}${number}`)
  return parseNational(number, home) ?? parseInternational(number, home)
}

/** A calling code, or a longer prefix of a local number. */
const CONTEXT = /^\+\d{1,14}$/
const DIGITS = /^\+?\d{1,20}$/

/** Refuses extensions and subaddresses. Ignores other parameters, except `phone-context`. */
function splitParameters(dialed: string): { number: string; context: string | null } | null {
  const [first = '', ...parameters] = dialed.split(';')
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

/** Parses by the dialing rules of the home country, including its international prefix. */
function parseNational(number: string, home: CountryCode | null): PhoneNumber | null {
  if (home === null || !isSupportedCountry(home)) return null
  return toPhoneNumber(parsePhoneNumberFromString(number, { defaultCountry: home, extract: false }))
}

/** With a home country, a shorter number without a plus is local, not the number of a small foreign country. */
const SHORTEST_WITHOUT_PLUS = 10

function parseInternational(number: string, home: CountryCode | null): PhoneNumber | null {
  const [, prefix = '', digits = ''] = INTERNATIONAL_NUMBER.exec(number) ?? []
  if (digits === '' || (home !== null && prefix === '' && digits.length < SHORTEST_WITHOUT_PLUS)) return null
  return parseE164(`+${digits}`)
}

const parseE164 = (number: string): PhoneNumber | null =>
  toPhoneNumber(parsePhoneNumberFromString(number, { extract: false }))

function toPhoneNumber(parsed: Parsed | undefined): PhoneNumber | null {
  const type = parsed?.getType()
  return parsed && type ? buildPhoneNumber(parsed, lineTypeOf(parsed, type)) : null
}

function buildPhoneNumber(parsed: Parsed, lineType: LineType): PhoneNumber {
  const e164 = parsed.number.slice(1)
  const country = parsed.country ?? INTERNATIONAL
  return { e164, country, lineType, isHighRisk: isHighRisk(e164, country, lineType) }
}

const SEPARATORS = /[\s().\-/]/g
/** Country codes never start with 0, so `00` and `011` are international prefixes. */
const INTERNATIONAL_NUMBER = /^(\+|00|011)?([1-9]\d{6,17})$/
