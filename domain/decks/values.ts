import { type AmountFault, type Micros, parseDollars } from '../money/index.ts'

/** International numbers never start with 0. */
const PREFIX = /^[1-9][0-9]{0,14}$/

/** Accepts `44`, `+44`, `0044` and the text forms of spreadsheets, `'44` and `="44"`. */
export function parsePrefix(written: string): string | null {
  if (PREFIX.test(written)) return written
  const digits = written
    .trim()
    .replace(/^="?([^"]*)"?$/, '$1')
    .replace(/^'/, '')
    .replace(/\s+/g, '')
    .replace(/^(\+|00)/, '')
  return PREFIX.test(digits) ? digits : null
}

/** Dollars with a decimal point, or with a decimal comma if `mayBeComma` and not ambiguous (`1,234` is). */
export function parsePrice(written: string, mayBeComma: boolean): Micros | AmountFault {
  const bare = written
    .trim()
    .replace(/^\$\s*|\s*\$$/g, '')
    .replace(/^\./, '0.')
  const isComma = mayBeComma && /^\d*,\d+$/.test(bare) && !/^[1-9]\d{0,2},\d{3}$/.test(bare)
  const parsed = parseDollars(isComma ? bare.replace(',', '.').replace(/^\./, '0.') : bare)
  if (!parsed.ok) return parsed.fault
  return parsed.amountMicros < 0n ? 'not_positive' : parsed.amountMicros
}

export function parseSeconds(written: string, max: number): number | null {
  const seconds = /^\d{1,6}$/.test(written.trim()) ? Number(written.trim()) : 0
  return seconds >= 1 && seconds <= max ? seconds : null
}

/** Accepts `60/6`, `60-6`, `60:6`, `60+6`, or one number for both increments. */
export function parseIncrements(written: string, max: number): [first: number, next: number] | null {
  const [first = '', next = first, ...more] = written.trim().split(/\s*[/:+-]\s*/)
  const both = [parseSeconds(first, max), parseSeconds(next, max)] as const
  return more.length > 0 || both[0] === null || both[1] === null ? null : [both[0], both[1]]
}

/** The date of `2026-11-15`, optionally followed by a time. Other formats are ambiguous and give null. */
export const parseDay = (written: string): string | null =>
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:$|[ T])/.exec(written.trim())?.[1] ?? null
