import { type AmountFault, type Micros, parseDollars } from '../money/index.ts'

/** No number in international form begins with a nought. */
const PREFIX = /^[1-9][0-9]{0,14}$/

/** `44`, `+44`, `0044`, and what spreadsheets make of them to keep them text: `'44`, `="44"`. Null for anything else. */
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

/** Dollars with a point, or with a comma where a comma cannot be anything else. */
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

export function parseSeconds(written: string, most: number): number | null {
  const seconds = /^\d{1,6}$/.test(written.trim()) ? Number(written.trim()) : 0
  return seconds >= 1 && seconds <= most ? seconds : null
}

/** `60/6`, `60-6`, `60:6`, `60+6`; one number counts for both. */
export function parseIncrements(written: string, most: number): [first: number, next: number] | null {
  const [first = '', next = first, ...more] = written.trim().split(/\s*[/:+-]\s*/)
  const both = [parseSeconds(first, most), parseSeconds(next, most)] as const
  return more.length > 0 || both[0] === null || both[1] === null ? null : [both[0], both[1]]
}

/** The day of `2026-11-15`, with or without a time behind it. Other ways to write a day have two meanings, so they have none. */
export const parseDay = (written: string): string | null =>
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:$|[ T])/.exec(written.trim())?.[1] ?? null
