import { wordsOf } from './csv.ts'
import { parsePrefix, parsePrice } from './values.ts'

/** The fields of a rate that a deck can contain. */
export type Part =
  | 'prefix'
  | 'price'
  | 'connectFee'
  | 'firstIncrement'
  | 'nextIncrement'
  | 'increments'
  | 'effective'

export type Columns = {
  readonly at: Readonly<Partial<Record<Part, number>>>
  /** False if the first line is a rate. */
  readonly hasHeader: boolean
  /** Column names as written in the deck. */
  readonly names: readonly string[]
}

/** Column names that carriers use, most reliable first: in a deck with "code" and "destination", "code" is the prefix. */
const NAMES: Readonly<Record<Part, readonly string[]>> = {
  prefix:
    list(`prefix, dial prefix, dialing prefix, dialling prefix, dial code, dialcode, dialing code, code, codes,
    destination code, area code, number prefix, prefixes, digits, destination`),
  price:
    list(`price, rate, new rate, new price, buy rate, sell rate, buy price, sell price, cost, tariff, charge, amount,
    price 1, rate 1`),
  connectFee:
    list(`connect fee, connection fee, connect charge, connection charge, connect, setup fee, set up fee, setup,
    call setup, setup charge, fee, connection cost, connectfee`),
  firstIncrement:
    list(`first increment, initial increment, first interval, initial interval, interval 1, increment 1, initial,
    minimum, minimum duration, min duration, min time, minimum time, first, initblock`),
  nextIncrement:
    list(`next increment, additional increment, subsequent increment, next interval, interval n, increment n,
    interval 2, increment 2, subsequent, additional, increment, interval, next, billingblock`),
  increments: list(
    'increments, billing increments, billing increment, billing, intervals, billing terms, rounding',
  ),
  effective: list('effective date, effective, effective from, valid from, start date, date'),
}

function list(names: string): readonly string[] {
  return names.split(/,\s+/)
}

/** Words to ignore: "Rate (USD/min)" means "rate". Other currencies stay, so "Rate EUR" is not read as dollars. */
const UNITS = new Set([
  'usd',
  'us',
  'dollars',
  'dollar',
  'per',
  'minute',
  'minutes',
  'seconds',
  'secs',
  'sec',
  'in',
])

function plainName(written: string): string {
  const words = wordsOf(written, UNITS)
  if (words.length > 1 && words.at(-1) === 'min') words.pop()
  return words.join(' ')
}

export function findColumns(first: readonly string[]): Columns {
  const names = first.map((name) => name.trim())
  const headless = columnsByValues(names)
  if (headless) return { at: headless, hasHeader: false, names }
  const plain = names.map(plainName)
  const at: Partial<Record<Part, number>> = {}
  for (const part of Object.keys(NAMES) as Part[]) {
    const name = NAMES[part].find((each) => plain.includes(each))
    if (name !== undefined) at[part] = plain.indexOf(name)
  }
  return { at, hasHeader: true, names }
}

/** For decks without a header: the first value with digits is the prefix, the next amount is the price. */
function columnsByValues(values: readonly string[]): Columns['at'] | null {
  const prefix = values.findIndex((value) => parsePrefix(value) !== null)
  if (prefix < 0) return null
  const price = values.findIndex((value, at) => at > prefix && typeof parsePrice(value, true) === 'bigint')
  return price < 0 ? null : { prefix, price }
}
