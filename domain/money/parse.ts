import { dollars, MICROS_PER_DOLLAR, type Micros, micros, WIRE_LIMIT_MICROS, ZERO } from './micros.ts'

export type AmountFault = 'not_a_number' | 'too_many_decimals' | 'too_large' | 'not_positive'

export type ParsedAmount =
  | { readonly ok: true; readonly amountMicros: Micros }
  | { readonly ok: false; readonly fault: AmountFault }

const PLAIN_DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
/** Bounds the work for untrusted input. */
const LONGEST_DECIMAL = 40

const MICRO_DECIMALS = 6
const CENT_DECIMALS = 2

export const TOPUP_LIMIT_MICROS = dollars(10_000)

const refuse = (fault: AmountFault): ParsedAmount => ({ ok: false, fault })

/**
 * Parses dollars from JSON without rounding. A number is read by its shortest decimal form: 0.1 is a tenth,
 * and 0.1 + 0.2 is refused because it has too many decimals.
 */
export const parseDollars = (wire: unknown): ParsedAmount => parseDecimal(wire, MICRO_DECIMALS)

/** Parses a top-up amount: above $0, at most $10000, whole cents. */
export function parseAmount(wire: unknown): ParsedAmount {
  const parsed = parseDecimal(wire, CENT_DECIMALS)
  if (!parsed.ok) return parsed
  if (parsed.amountMicros <= ZERO) return refuse('not_positive')
  if (parsed.amountMicros > TOPUP_LIMIT_MICROS) return refuse('too_large')
  return parsed
}

function parseDecimal(wire: unknown, decimalsAllowed: number): ParsedAmount {
  const text = decimalText(wire)
  if (text === 'too_small' || text === 'too_large') {
    return refuse(text === 'too_small' ? 'too_many_decimals' : 'too_large')
  }
  const match = text === null || text.length > LONGEST_DECIMAL ? null : PLAIN_DECIMAL.exec(text)
  if (!match) return refuse('not_a_number')
  const [, sign = '', whole = '', written = ''] = match
  const fraction = written.replace(/0+$/, '')
  if (fraction.length > decimalsAllowed) return refuse('too_many_decimals')
  const size = BigInt(whole) * MICROS_PER_DOLLAR + BigInt(fraction.padEnd(MICRO_DECIMALS, '0'))
  if (size >= WIRE_LIMIT_MICROS) return refuse('too_large')
  return { ok: true, amountMicros: micros(sign === '-' ? -size : size) }
}

function decimalText(wire: unknown): string | 'too_small' | 'too_large' | null {
  if (typeof wire === 'string') return wire
  if (typeof wire !== 'number') return null
  const shortest = String(wire)
  // JS uses an exponent only below 0.000001, which is under a micro-dollar, and from 1e21 up.
  if (shortest.includes('e-')) return 'too_small'
  if (shortest.includes('e+')) return 'too_large'
  return shortest
}
