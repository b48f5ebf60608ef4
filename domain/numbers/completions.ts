import { type PhoneNumber, parseNumber } from './parse.ts'

/** Digits to go on with. Several, because of most prefixes only some of what could follow is in use. */
const CONTINUATIONS = [
  '2345678901234',
  '5550123456789',
  '7012345678901',
  '1122334455667',
  '8765432109876',
  '3009988776655',
]
/** The likely lengths of a whole number come first. */
const LENGTHS = [11, 12, 10, 13, 9, 8, 14, 15]

/**
 * Valid numbers that begin with a prefix, made up one after the other: of which country and kind the numbers behind a prefix
 * are. None where we find no number, which is not to say that there is none.
 */
export function* completions(prefix: string): Generator<PhoneNumber> {
  for (const length of LENGTHS)
    for (const digits of CONTINUATIONS) {
      if (prefix.length > length) continue
      const number = parseNumber(`+${prefix}${digits.slice(0, length - prefix.length)}`)
      if (number?.e164.startsWith(prefix)) yield number
    }
}
