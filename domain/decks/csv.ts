/** CSV with comma, semicolon or tab; quoted fields; CR, LF or CRLF; and an optional byte order mark. */

export type Separator = ',' | ';' | '\t'

export type CsvRecord = {
  /** Line number in an editor, starting at 1. */
  readonly line: number
  readonly fields: readonly string[]
  /** True if a quote is never closed. The record then ends the file. */
  readonly isOpen: boolean
}

/** Longer lines are cut, and longer records have an unclosed quote. It limits the time that one line can take. */
const MAX_RECORD = 100_000

/** Order of preference for ties. The comma is last because it can be a decimal comma. */
const SEPARATORS: readonly Separator[] = ['\t', ';', ',']

/** The separator that splits the first line into the most fields, ignoring quoted text. */
export function separatorOf(text: string): Separator {
  const [first = ''] = withoutByteOrderMark(text).slice(0, MAX_RECORD).trimStart().split(/\r|\n/, 1)
  const bare = first.replace(/"[^"]*"/g, '')
  const pieces = (separator: Separator) => bare.split(separator).length
  const best = SEPARATORS.reduce((left, right) => (pieces(right) > pieces(left) ? right : left))
  return pieces(best) > 1 ? best : ','
}

/** Skips empty lines. */
export function* readCsv(given: string, separator: Separator): Generator<CsvRecord> {
  const text = withoutByteOrderMark(given)
  let line = 1
  let at = 0
  while (at < text.length) {
    const end = endOfLine(text, at)
    const raw = text.slice(at, end)
    if (!raw.includes('"')) {
      if (raw !== '') yield { line, fields: raw.slice(0, MAX_RECORD).split(separator), isOpen: false }
      at = afterLineEnd(text, end)
      line++
      continue
    }
    const record = readQuoted(text, at, separator)
    yield { line, fields: record.fields, isOpen: record.isOpen }
    line += record.lines
    at = record.end
  }
}

/** Quoted fields can contain separators, line ends and doubled quotes. Copies whole runs, so a field of megabytes takes linear time. */
function readQuoted(text: string, from: number, separator: Separator) {
  const fields: string[] = []
  let field = ''
  let isBlank = true
  let isQuoted = false
  let lines = 1
  let at = from
  while (at < text.length) {
    if (at - from > MAX_RECORD) return { fields: [...fields, field], isOpen: true, lines, end: text.length }
    if (isQuoted) {
      const quote = text.indexOf('"', at)
      const end = quote < 0 ? text.length : quote
      field += text.slice(at, end)
      lines += lineEndsIn(text, at, end)
      if (quote < 0) {
        at = end
        break
      }
      isQuoted = text.charAt(end + 1) === '"'
      if (isQuoted) field += '"'
      at = end + (isQuoted ? 2 : 1)
      continue
    }
    const end = endOfRun(text, at, separator)
    const run = text.slice(at, end)
    field += run
    isBlank &&= run.trim() === ''
    at = end
    const char = text.charAt(at)
    if (char === '"') {
      isQuoted = isBlank
      field = isBlank ? '' : `${field}"`
      isBlank = false
    } else if (char === separator) {
      fields.push(field)
      field = ''
      isBlank = true
    } else break
    at++
  }
  return { fields: [...fields, field], isOpen: isQuoted, lines, end: afterLineEnd(text, at) }
}

/** The next separator, quote or line end. */
function endOfRun(text: string, from: number, separator: Separator): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === separator || char === '"' || char === '\n' || char === '\r') return at
  }
  return text.length
}

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++
  }
  return count
}

export const writeCsv = (records: Iterable<readonly string[]>, separator: Separator = ','): string =>
  Array.from(
    records,
    (fields) => `${fields.map((field) => quoted(field, fields.length)).join(separator)}\r\n`,
  ).join('')

/** Quotes a single empty field, because `readCsv` skips empty lines. */
const quoted = (field: string, count: number): string =>
  /["\r\n,;\t]|^\s|\s$/.test(field) || (field === '' && count === 1) || field.startsWith('\uFEFF')
    ? `"${field.replaceAll('"', '""')}"`
    : field

const withoutByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) return at
  }
  return text.length
}

/** CR, LF and CRLF each end one line. */
const afterLineEnd = (text: string, end: number): number =>
  text.charAt(end) === '\r' && text.charAt(end + 1) === '\n' ? end + 2 : end + 1

export const isBlank = ({ fields }: CsvRecord): boolean => fields.every((field) => field.trim() === '')

export function nextNonEmpty(records: Generator<CsvRecord>): CsvRecord | undefined {
  for (let each = records.next(); !each.done; each = records.next())
    if (!isBlank(each.value)) return each.value
  return undefined
}

/** A field that aborts reading of its line. */
export class BadField<Reason extends string> extends Error {
  readonly reason: Reason
  readonly value: string
  constructor(reason: Reason, value: string) {
    super(reason)
    this.reason = reason
    this.value = value
  }
}

/** The words of a column name without those to ignore. "costPerMinute" has the words of "Cost per minute". */
export const wordsOf = (name: string, ignored: ReadonlySet<string>): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => !ignored.has(word))
