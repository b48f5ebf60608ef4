import { type Micros, micros } from '../money/index.ts'

export type DateOrder = 'dmy' | 'mdy'

/** The text form of spreadsheets, `="44"` and `'44`. */
const bare = (written: string): string =>
  written
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^'/, '')

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ,]+(.+))?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,]+(.+))?$/
const DIGITS_ONLY = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(am|pm)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?$/i

/** Dates such as 11/15/2026, whose order must be known. Dots mean day first. */
export function dateOrderOf(written: string): DateOrder | 'unclear' | null {
  const [, first = '', separator, second = ''] = YEAR_LAST.exec(bare(written)) ?? []
  if (separator === undefined) return null
  if (Number(first) > 12) return 'dmy'
  if (Number(second) > 12) return 'mdy'
  return separator === '.' ? 'dmy' : first === second ? null : 'unclear'
}

/**
 * Milliseconds since 1970, or null. `time` is the content of a separate column, or empty. A time with its own offset ignores the
 * time zone of the file.
 */
export function parseMoment(
  written: string,
  time: string,
  order: DateOrder,
  toUtc: (localMs: number) => number,
): number | null {
  const text = bare(written)
  if (/^\d{10}(\.\d+)?$/.test(text)) return Number(text.slice(0, 10)) * 1_000
  if (/^\d{13}$/.test(text)) return Number(text)
  const run = DIGITS_ONLY.exec(text)
  if (run) {
    const [, year, month, day, hour, minute, second] = run
    return momentOf(dayOf(year, month, day), `${hour}:${minute}:${second}`, toUtc)
  }
  const yearFirst = YEAR_FIRST.exec(text)
  if (yearFirst) {
    const [, year, month, day, clock] = yearFirst
    return momentOf(dayOf(year, month, day), clock ?? bare(time), toUtc)
  }
  const yearLast = YEAR_LAST.exec(text)
  if (!yearLast) return null
  const [, first, , second, year, clock] = yearLast
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  return momentOf(dayOf(year, month, day), clock ?? bare(time), toUtc)
}

/** Midnight UTC of a date that exists, or null. */
function dayOf(year = '', month = '', day = ''): number | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  const at = Date.UTC(y, m - 1, d)
  const made = new Date(at)
  const exists = made.getUTCMonth() === m - 1 && made.getUTCDate() === d
  return exists && y >= 2000 && y < 2100 ? at : null
}

function momentOf(day: number | null, clock: string, toUtc: (localMs: number) => number): number | null {
  const match = CLOCK.exec(clock.trim())
  if (day === null || !match) return null
  const [, hours = '', minutes = '', seconds = '0', fraction = '', half = '', zone = ''] = match
  const hour = half === '' ? Number(hours) : hourOfHalf(Number(hours), half.toLowerCase())
  if (hour === null || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  const local =
    day +
    (hour * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000 +
    Number(fraction.slice(0, 3).padEnd(3, '0'))
  if (zone === '') return toUtc(local)
  const [, sign, zoneHours, zoneMinutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  if (!sign) return local
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000
  return sign === '+' ? local - offset : local + offset
}

const hourOfHalf = (hour: number, half: string): number | null =>
  hour < 1 || hour > 12 ? null : (hour % 12) + (half === 'pm' ? 12 : 0)

/** Seconds, mm:ss or hh:mm:ss. Fractions of a second are rounded up. */
export function parseDuration(written: string, max: number): number | null {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,7})(?:[.,](\d{1,9}))?$/.exec(bare(written))
  if (!match) return null
  const [, hours = '0', minutes, seconds = '0', fraction = ''] = match
  if (minutes !== undefined && Number(seconds) > 59) return null
  const whole = Number(hours) * 3_600 + Number(minutes ?? '0') * 60 + Number(seconds)
  const total = whole + (/[1-9]/.test(fraction) ? 1 : 0)
  return total <= max ? total : null
}

export type AmountProblem = 'amount_invalid' | 'amount_negative'

const AMOUNT = /^(-?)(\d{0,15})(?:[.,](\d{1,20}))?(?:e([+-]?\d{1,2}))?$/i
/** `1,234` could be one dollar or a thousand. */
const UNCLEAR_COMMA = /^-?[1-9]\d{0,2},\d{3}$/

/** Dollars with a decimal point or comma, rounded to the nearest micro-dollar. Spreadsheets write small amounts as 1.2E-05. */
export function parseInvoiceAmount(written: string, max: Micros): Micros | AmountProblem {
  const text = bare(written)
    .replace(/^(-?)\s*(?:\$|usd)\s*/i, '$1')
    .replace(/\s*(?:\$|usd)$/i, '')
  const match = UNCLEAR_COMMA.test(text) ? null : AMOUNT.exec(text)
  if (!match) return 'amount_invalid'
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = `${whole}${fraction}`
  if (digits === '') return 'amount_invalid'
  /** The value is `digits` × 10^`power` micro-dollars. */
  const power = 6 - fraction.length + Number(exponent)
  if (power > 20 || power < -60) return 'amount_invalid'
  const size =
    power >= 0 ? BigInt(digits) * 10n ** BigInt(power) : rounded(BigInt(digits), 10n ** BigInt(-power))
  if (size > max) return 'amount_invalid'
  return sign === '-' && size > 0n ? 'amount_negative' : micros(size)
}

const rounded = (value: bigint, unit: bigint): bigint => (value + unit / 2n) / unit

export type NumberProblem = 'number_invalid' | 'number_rounded'

/** Digits without +, 00, spaces, a SIP address around them and a prefix that ends with #. */
export function parseCalledNumber(written: string): string | NumberProblem {
  if (/^[1-9]\d{2,24}$/.test(written)) return written
  const text = bare(written)
  if (/^\d+[.,]\d+e\+?\d+$/i.test(text)) return 'number_rounded'
  const digits = text
    .replace(/^(?:sips?|tel):/i, '')
    .replace(/[@;].*$/s, '')
    .replace(/^[\d+]*#/, '')
    .replace(/[\s()./-]/g, '')
  return plainDigits(digits) ?? 'number_invalid'
}

/** Without an international prefix. Null if it is not a number. */
export function plainDigits(number: string): string | null {
  const digits = number.replace(/^(?:\+|00)/, '')
  return /^\d{3,25}$/.test(digits) ? digits : null
}
