import { type PhoneNumber, parseNumber } from './parse.ts'

/** Several, because most prefixes have only some valid continuations. */
const CONTINUATIONS = [
  '2345678901234',
  '5550123456789',
  '7012345678901',
  '1122334455667',
  '8765432109876',
  '3009988776655',
]
/** Most likely lengths first. */
const LENGTHS = [11, 12, 10, 13, 9, 8, 14, 15]

/**
 * Generates valid numbers with a prefix, to find the country and line type behind it. An empty result does not prove that
 * no valid number exists.
 */
export function* completions(prefix: string): Generator<PhoneNumber> {
  for (const length of LENGTHS)
    for (const digits of CONTINUATIONS) {
      if (prefix.length > length) continue
      const number = parseNumber(`+${prefix}${digits.slice(0, length - prefix.length)}`)
      if (number?.e164.startsWith(prefix)) yield number
    }
}
