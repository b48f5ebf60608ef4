/** CSV with comma, semicolon or tab; quoted fields; CR, LF or CRLF; and an optional byte order mark. */

export type Separator = ',' | ';' | '\t'

export type CsvRecord = {
  /** Line number in an editor, starting at 1. */
  readonly line: number
  readonly fields: readonly string[]
  /** True if a quote is never closed. The last field then contains the rest of the file. */
  readonly isOpen: boolean
}

/** Order of preference for ties. The comma is last because it can be a decimal comma. */
const SEPARATORS: readonly Separator[] = ['\t', ';', ',']

/** The separator that splits the first line into the most fields, ignoring quoted text. */
export function separatorOf(text: string): Separator {
  const [first = ''] = withoutByteOrderMark(text).trimStart().split(/\r|\n/, 1)
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
      if (raw !== '') yield { line, fields: raw.split(separator), isOpen: false }
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

/** Reads character by character: quoted fields can contain separators, line ends and doubled quotes. */
function readQuoted(text: string, from: number, separator: Separator) {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  let lines = 1
  let at = from
  for (; at < text.length; at++) {
    const char = text.charAt(at)
    const isLineEnd = char === '\n' || char === '\r'
    if (isQuoted) {
      if (char !== '"') {
        field += char
        if (char === '\n' || (char === '\r' && text.charAt(at + 1) !== '\n')) lines++
      } else if (text.charAt(at + 1) === '"') {
        field += '"'
        at++
      } else isQuoted = false
    } else if (char === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (char === separator) {
      fields.push(field)
      field = ''
    } else if (isLineEnd) break
    else field += char
  }
  return { fields: [...fields, field], isOpen: isQuoted, lines, end: afterLineEnd(text, at) }
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
