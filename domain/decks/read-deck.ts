import { type Micros, ZERO } from '../money/index.ts'
import type { PrefixRate } from '../rating/index.ts'
import { type Columns, findColumns, type Part } from './columns.ts'
import { BadField, type CsvRecord, isBlank, nextNonEmpty, readCsv, separatorOf } from './csv.ts'
import { parseDay, parseIncrements, parsePrefix, parsePrice, parseSeconds } from './values.ts'

export type DeckLine = PrefixRate & { readonly line: number }

export const deckFaultReasons = [
  'prefix_missing',
  'prefix_invalid',
  'prefix_repeated',
  'price_missing',
  'price_invalid',
  'price_too_fine',
  'price_too_high',
  'fee_invalid',
  'increment_invalid',
  'not_yet',
  'quote_open',
] as const
export type DeckFaultReason = (typeof deckFaultReasons)[number]

export type DeckFault = {
  readonly line: number
  readonly reason: DeckFaultReason
  /** The invalid text, or for `prefix_repeated` the line of the first occurrence. */
  readonly value: string
  /** Null if it could not be read. Rates of prefixes with an invalid line stay unchanged. */
  readonly prefix: string | null
}

export type DeckProblem =
  | 'empty'
  | 'all_elsewhere'
  | 'no_prefix_column'
  | 'no_price_column'
  | 'too_many_lines'

export type Deck = {
  readonly lines: readonly DeckLine[]
  readonly faults: readonly DeckFault[]
  /** Number of skipped lines, whose prefixes `isRelevant` rejects. */
  readonly elsewhere: number
  readonly read: readonly string[]
  readonly ignored: readonly string[]
}

export type DeckOptions = {
  readonly maxLines: number
  readonly maxRates: number
  readonly maxPriceMicros: Micros
  readonly maxIncrement: number
  /** YYYY-MM-DD. Rates that take effect later are reported as faults. */
  readonly today: string
  /** Filters prefixes, so a worldwide deck can be imported for one country. */
  readonly isRelevant?: (prefix: string) => boolean
}

/** Does not leave this module. */
class BadValue extends BadField<DeckFaultReason> {}

/** About 10 ms of work. */
const LINES_PER_STEP = 1_000

/** Parses a rate deck. Every non-empty line becomes a rate, a fault with a reason, or is skipped by `isRelevant`. */
export function readDeck(text: string, options: DeckOptions): Deck | DeckProblem {
  const steps = readDeckInSteps(text, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Like `readDeck`, but yields regularly, so parsing 100,000 lines does not block the event loop. */
export function* readDeckInSteps(
  text: string,
  options: DeckOptions,
): Generator<undefined, Deck | DeckProblem, undefined> {
  const separator = separatorOf(text)
  const records = readCsv(text, separator)
  const first = nextNonEmpty(records)
  if (!first) return 'empty'
  const columns = findColumns(first.fields)
  if (columns.at.prefix === undefined) return 'no_prefix_column'
  if (columns.at.price === undefined) return 'no_price_column'
  if (columns.hasHeader && first.isOpen) return 'empty'

  const reader = createDeckReader(columns, options, separator !== ',')
  if (!columns.hasHeader) reader.readLine(first)
  for (const record of records) {
    reader.readLine(record)
    if (reader.count() > options.maxLines || reader.rates() > options.maxRates) return 'too_many_lines'
    if (reader.count() % LINES_PER_STEP === 0) yield
  }
  if (reader.count() === 0) return 'empty'
  if (reader.count() === reader.elsewhere()) return 'all_elsewhere'
  return reader.deck()
}

function createDeckReader({ at, names, hasHeader }: Columns, options: DeckOptions, mayBeComma: boolean) {
  const lines: DeckLine[] = []
  const faults: DeckFault[] = []
  const firstAt = new Map<string, number>()
  let elsewhere = 0
  const unread = new Set<Part>()

  function rateOf(value: (part: Part) => string): Omit<PrefixRate, 'prefix'> {
    const priceMicros = priceOf(value('price'))
    const [first, next] = incrementsOf(value)
    return {
      priceMicros,
      connectFeeMicros: feeOf(value('connectFee')),
      firstIncrement: first,
      nextIncrement: next,
    }
  }

  function priceOf(written: string): Micros {
    if (written === '') throw new BadValue('price_missing', '')
    // If commas separate fields, a comma within a quoted field is a decimal comma.
    const price = parsePrice(written, mayBeComma || written.includes(','))
    if (price === 'too_many_decimals') throw new BadValue('price_too_fine', written)
    if (price === 'too_large' || (typeof price === 'bigint' && price > options.maxPriceMicros))
      throw new BadValue('price_too_high', written)
    if (typeof price !== 'bigint') throw new BadValue('price_invalid', written)
    return price
  }

  function feeOf(written: string): Micros {
    const fee = written === '' ? ZERO : parsePrice(written, true)
    if (typeof fee !== 'bigint' || fee > options.maxPriceMicros) throw new BadValue('fee_invalid', written)
    return fee
  }

  function incrementsOf(value: (part: Part) => string): [number, number] {
    const both = value('increments')
    if (both !== '') {
      const parsed = parseIncrements(both, options.maxIncrement)
      if (!parsed) throw new BadValue('increment_invalid', both)
      return parsed
    }
    const seconds = (written: string) => {
      if (written === '') return 1
      const parsed = parseSeconds(written, options.maxIncrement)
      if (parsed === null) throw new BadValue('increment_invalid', written)
      return parsed
    }
    const [first, next] = [value('firstIncrement'), value('nextIncrement')]
    // A single column, such as "interval", is about the whole call.
    return [seconds(at.firstIncrement === undefined ? next : first), seconds(next)]
  }

  function prefixOf(written: string): string {
    if (written === '') throw new BadValue('prefix_missing', '')
    const prefix = parsePrefix(written)
    if (prefix === null) throw new BadValue('prefix_invalid', written)
    return prefix
  }

  function checkDay(written: string): void {
    if (written === '') return
    const day = parseDay(written)
    if (day === null) unread.add('effective')
    else if (day > options.today) throw new BadValue('not_yet', day)
  }

  return {
    count: (): number => lines.length + faults.length + elsewhere,
    rates: (): number => lines.length,
    elsewhere: (): number => elsewhere,

    readLine(record: CsvRecord): void {
      if (isBlank(record)) return
      const { line, fields, isOpen } = record
      const value = (part: Part) => fields[at[part] ?? -1]?.trim() ?? ''
      let prefix: string | null = null
      try {
        if (isOpen) throw new BadValue('quote_open', '')
        prefix = prefixOf(value('prefix'))
        if (options.isRelevant && !options.isRelevant(prefix)) {
          elsewhere++
          return
        }
        const rate = rateOf(value)
        checkDay(value('effective'))
        const before = firstAt.get(prefix)
        if (before !== undefined) throw new BadValue('prefix_repeated', String(before))
        firstAt.set(prefix, line)
        lines.push({ line, prefix, ...rate })
      } catch (error) {
        if (!(error instanceof BadValue)) throw error
        faults.push({ line, prefix, reason: error.reason, value: error.value.slice(0, 60) })
      }
    },

    deck(): Deck {
      if (!hasHeader) return { lines, faults, elsewhere, read: [], ignored: [] }
      const readAt = new Set(
        Object.entries(at).flatMap(([part, index]) => (unread.has(part as Part) ? [] : index)),
      )
      const nameAt = (index: number) => names[index] || `column ${index + 1}`
      const all = names.map((_, index) => index)
      return {
        lines,
        faults,
        elsewhere,
        read: all.filter((index) => readAt.has(index)).map(nameAt),
        ignored: all.filter((index) => !readAt.has(index)).map(nameAt),
      }
    },
  }
}
