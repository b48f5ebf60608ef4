/** Comma-separated values as programs and people write them: any of three separators, quotes, any line end, a byte order mark. */

export type Separator = ',' | ';' | '\t'

export type CsvRecord = {
  /** Where it begins, counted as an editor counts. */
  readonly line: number
  readonly fields: readonly string[]
  /** A quote was opened and never closed: everything behind it is in the last field. */
  readonly isOpen: boolean
}

/** The rarest in other uses first: where two cut a line alike, the comma is in an amount. */
const SEPARATORS: readonly Separator[] = ['\t', ';', ',']

/** The one that cuts the first line into most pieces. What stands in quotes does not count. */
export function separatorOf(text: string): Separator {
  const [first = ''] = withoutMark(text).trimStart().split(/\r|\n/, 1)
  const bare = first.replace(/"[^"]*"/g, '')
  const pieces = (separator: Separator) => bare.split(separator).length
  const best = SEPARATORS.reduce((sofar, each) => (pieces(each) > pieces(sofar) ? each : sofar))
  return pieces(best) > 1 ? best : ','
}

/** Lines with nothing in them are passed over. */
export function* readCsv(given: string, separator: Separator): Generator<CsvRecord> {
  const text = withoutMark(given)
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

/** Quotes may hold separators and line ends, and a doubled quote is one: read sign by sign. */
function readQuoted(text: string, from: number, separator: Separator) {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  let lines = 1
  let at = from
  for (; at < text.length; at++) {
    const sign = text.charAt(at)
    const isLineEnd = sign === '\n' || sign === '\r'
    if (isQuoted) {
      if (sign !== '"') {
        field += sign
        if (sign === '\n' || (sign === '\r' && text.charAt(at + 1) !== '\n')) lines++
      } else if (text.charAt(at + 1) === '"') {
        field += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && field.trim() === '') {
      field = ''
      isQuoted = true
    } else if (sign === separator) {
      fields.push(field)
      field = ''
    } else if (isLineEnd) break
    else field += sign
  }
  return { fields: [...fields, field], isOpen: isQuoted, lines, end: afterLineEnd(text, at) }
}

export const writeCsv = (records: Iterable<readonly string[]>, separator: Separator = ','): string =>
  Array.from(
    records,
    (fields) => `${fields.map((field) => quoted(field, fields.length)).join(separator)}\r\n`,
  ).join('')

/** An empty line would be passed over when it is read, so a record of one empty field says that it is there. */
const quoted = (field: string, count: number): string =>
  /["\r\n,;\t]|^\s|\s$/.test(field) || (field === '' && count === 1) || field.startsWith('\uFEFF')
    ? `"${field.replaceAll('"', '""')}"`
    : field

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

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
