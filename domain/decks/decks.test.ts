import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollars, micros } from '../money/index.ts'
import type { PrefixRate } from '../rating/index.ts'
import {
  compareDeck,
  type Deck,
  type DeckOptions,
  readCsv,
  readDeck,
  readDeckInSteps,
  type Separator,
  separatorOf,
  writeCsv,
  writeDeck,
} from './index.ts'

const options: DeckOptions = {
  maxLines: 1_000,
  maxRates: 1_000,
  maxPriceMicros: dollars(1_000),
  maxIncrement: 3_600,
  today: '2026-11-15',
}
const read = (text: string, differences: Partial<DeckOptions> = {}): Deck => {
  const deck = readDeck(text, { ...options, ...differences })
  if (typeof deck === 'string') throw new Error(deck)
  return deck
}
const pricesOf = (text: string) => read(text).lines.map(({ prefix, priceMicros }) => [prefix, priceMicros])
const faultsOf = (text: string, differences: Partial<DeckOptions> = {}) =>
  read(text, differences).faults.map(({ line, reason }) => [line, reason])

const anyPrefix = fc.integer({ min: 1, max: 99_999_999 }).map(String)
const anyAmount = fc.bigInt({ min: 0n, max: 1_000_000_000n }).map((count) => micros(count))
const anySeconds = fc.integer({ min: 1, max: 3_600 })
const anyRates: fc.Arbitrary<PrefixRate[]> = fc.uniqueArray(
  fc.record({
    prefix: anyPrefix,
    priceMicros: anyAmount,
    connectFeeMicros: anyAmount,
    firstIncrement: anySeconds,
    nextIncrement: anySeconds,
  }),
  { selector: ({ prefix }) => prefix, minLength: 1, maxLength: 30 },
)

describe('a CSV file', () => {
  test('reads back as written for any field content', () => {
    const anyField = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.string({ unit: fc.constantFrom(...'",;\t\r\n a\uFEFF'), maxLength: 8 }),
    )
    const anyRecords = fc.array(fc.array(anyField, { minLength: 1, maxLength: 5 }), { maxLength: 10 })
    fc.assert(
      fc.property(anyRecords, fc.constantFrom<Separator>(',', ';', '\t'), (records, separator) => {
        const text = writeCsv(records, separator)
        expect([...readCsv(text, separator)].map(({ fields }) => fields)).toEqual(records)
      }),
      { numRuns: 300 },
    )
  })

  test('numbers its lines like an editor', () => {
    const text = '\uFEFFa,b\r\n\r\n"1\n2",3\rc,d\n\n"x'
    expect([...readCsv(text, ',')]).toEqual([
      { line: 1, fields: ['a', 'b'], isOpen: false },
      { line: 3, fields: ['1\n2', '3'], isOpen: false },
      { line: 5, fields: ['c', 'd'], isOpen: false },
      { line: 7, fields: ['x'], isOpen: true },
    ])
  })

  test.each([
    ['an open quote', `a,"${'x'.repeat(200_000)}`, true],
    ['many quotes', 'a"b"'.repeat(50_000), true],
    ['one long field', 'x'.repeat(200_000), false],
    ['many fields', ','.repeat(200_000), false],
  ])('reads no more than 100,000 characters of a line with %s', (_name, text, isOpen) => {
    const [record] = [...readCsv(text, ',')]
    expect(record?.isOpen).toBe(isOpen)
    expect(record?.fields.join(',').length).toBeLessThan(200_100)
  })

  test.each([
    ['prefix,price', ','],
    ['prefix;price, dollars', ';'],
    ['prefix\tprice', '\t'],
    ['"a;b;c",price', ','],
    ['\uFEFF\nprefix;price', ';'],
    ['prefix', ','],
    ['44;0,005', ';'],
  ])('%j is separated by %j', (text, separator) => {
    expect(separatorOf(text)).toBe(separator)
  })
})

describe('a rate deck', () => {
  test('reads back as written', () => {
    fc.assert(
      fc.property(anyRates, (rates) => {
        const { lines, faults, ignored } = read(writeDeck(rates))
        expect(lines.map(({ line: _line, ...rate }) => rate)).toEqual(rates)
        expect([faults, ignored]).toEqual([[], []])
      }),
    )
  })

  test('turns every non-empty line into a rate or a fault', () => {
    const anyLine = fc.oneof(fc.string(), fc.stringMatching(/^[0-9+.,;"$ ]{0,12}$/))
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (typed) => {
        const text = `prefix,price\n${typed.join('\n')}`
        const deck = readDeck(text, options)
        const filled = [...readCsv(text, ',')]
          .slice(1)
          .filter(({ fields }) => fields.some((each) => each.trim()))
        if (typeof deck === 'string') expect(filled).toEqual([])
        else expect(deck.lines.length + deck.faults.length).toBe(filled.length)
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    ['Code,Destination,Rate (USD/min)\n44,UK,0.005', ['Code', 'Rate (USD/min)']],
    ['Destination;Price\n44;0,005', ['Destination', 'Price']],
    ['"Dial Code"\t"Price per Minute"\tComment\n+44\t$0.005\tx', ['Dial Code', 'Price per Minute']],
    ['RatePerMin,DialPrefix\n.005,0044', ['RatePerMin', 'DialPrefix']],
    ['prefix,price\r\n="44","0,005"\r\n', ['prefix', 'price']],
    ['44,0.005', []],
    ['UK;44;0,005', []],
  ])('understands the columns of %j', (text, columns) => {
    expect(pricesOf(text)).toEqual([['44', 5_000n]])
    expect(read(text).read).toEqual(columns)
  })

  test('reads fee and increments and lists the ignored columns', () => {
    const text =
      'Prefix,Name,Rate,Connection Fee,Increments,Effective Date\n49,x,0.01,0.002,60/6,15.11.2026\n'
    const { lines, ignored } = read(text)
    expect(lines).toEqual([
      {
        line: 2,
        prefix: '49',
        priceMicros: 10_000n,
        connectFeeMicros: 2_000n,
        firstIncrement: 60,
        nextIncrement: 6,
      },
    ])
    // Ambiguous dates are ignored.
    expect(ignored).toEqual(['Name', 'Effective Date'])
  })

  test('bills by the second and without a fee unless the deck says otherwise', () => {
    expect(read('prefix,price,first increment,next increment\n49,0.01,,\n44,0.01,30,').lines).toMatchObject([
      { firstIncrement: 1, nextIncrement: 1, connectFeeMicros: 0n },
      { firstIncrement: 30, nextIncrement: 1, connectFeeMicros: 0n },
    ])
  })

  test.each(['interval', 'increment', 'billing increment'])(
    'bills the whole call by a single column named "%s"',
    (name) => {
      expect(read(`prefix,price,${name}\n49,0.01,60\n44,0.01,`).lines).toMatchObject([
        { firstIncrement: 60, nextIncrement: 60 },
        { firstIncrement: 1, nextIncrement: 1 },
      ])
    },
  )

  test('accepts values at its limits and refuses values above them', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1},1`).join('\n')
    expect(read(lines(3), { maxLines: 3 }).lines).toHaveLength(3)
    expect(readDeck(lines(4), { ...options, maxLines: 3 })).toBe('too_many_lines')
    expect(read(lines(3), { maxRates: 3 }).lines).toHaveLength(3)
    expect(readDeck(lines(4), { ...options, maxRates: 3 })).toBe('too_many_lines')
    expect(read('prefix,price,fee\n1,1000,1000').lines).toMatchObject([
      { priceMicros: dollars(1_000), connectFeeMicros: dollars(1_000) },
    ])
    expect(faultsOf('prefix,price,fee\n1,1000.000001,0\n2,1,1000.000001')).toEqual([
      [2, 'price_too_high'],
      [3, 'fee_invalid'],
    ])
    expect(faultsOf('prefix,price,increments\n1,1,60/6\n2,1,60/6/6\n3,1,3601')).toEqual([
      [3, 'increment_invalid'],
      [4, 'increment_invalid'],
    ])
    expect(faultsOf('prefix,price,date\n1,1,2026-11-15\n2,1,2026-11-16')).toEqual([[3, 'not_yet']])
  })

  test('pauses after every thousand lines', () => {
    const text = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1},1`).join('\n')
    const pauses = (count: number) => {
      const steps = readDeckInSteps(text(count), { ...options, maxLines: 5_000, maxRates: 5_000 })
      let found = 0
      while (!steps.next().done) found++
      return found
    }
    expect([999, 1_000, 2_500].map(pauses)).toEqual([0, 1, 2])
  })

  test('reports every invalid line with its reason', () => {
    const text = [
      'prefix,price,connect fee,first increment,effective date',
      '44,0.005,,,2026-11-15',
      ',1',
      'abc,1',
      '0123,1',
      '4.47E+11,1',
      '45,',
      '46,free',
      '47,-1',
      '48,0.0000001',
      '49,1001',
      '44,0.006',
      '50,1,x',
      '51,1,,0',
      '52,1,,,2026-11-16 00:00',
      '390,1',
      '53,"1',
    ].join('\n')
    const { elsewhere, lines } = read(text, { isRelevant: (prefix) => prefix !== '390' })
    expect([elsewhere, lines.length]).toEqual([1, 1])
    expect(faultsOf(text, { isRelevant: (prefix) => prefix !== '390' })).toEqual([
      [3, 'prefix_missing'],
      [4, 'prefix_invalid'],
      [5, 'prefix_invalid'],
      [6, 'prefix_invalid'],
      [7, 'price_missing'],
      [8, 'price_invalid'],
      [9, 'price_invalid'],
      [10, 'price_too_fine'],
      [11, 'price_too_high'],
      [12, 'prefix_repeated'],
      [13, 'fee_invalid'],
      [14, 'increment_invalid'],
      [15, 'not_yet'],
      [17, 'quote_open'],
    ])
  })

  test.each([
    ['', 'empty'],
    ['\n \n', 'empty'],
    ['prefix,price\n', 'empty'],
    ['name,price\nx,1', 'no_prefix_column'],
    ['prefix,Rate EUR\n44,1', 'no_price_column'],
    ['1,1\n2,1\n3,1\n4,1', 'too_many_lines'],
    ['39,1\n390,1', 'all_elsewhere'],
  ])('rejects the whole deck %j: %s', (text, problem) => {
    expect(
      readDeck(text, { ...options, maxLines: 3, isRelevant: (prefix) => !prefix.startsWith('39') }),
    ).toBe(problem)
  })
})

describe('comparing a deck with the present rates', () => {
  const applied = (present: ReadonlyMap<string, PrefixRate>, changes: ReturnType<typeof compareDeck>) => {
    const rates = new Map(present)
    for (const { prefix, after } of changes)
      if (after) rates.set(prefix, after)
      else rates.delete(prefix)
    return rates
  }
  const byPrefix = (rates: readonly PrefixRate[]) => new Map(rates.map((rate) => [rate.prefix, rate]))

  test('replaces all rates with the deck, or merges the deck into them', () => {
    fc.assert(
      fc.property(anyRates, anyRates, (before, after) => {
        const present = byPrefix(before)
        const lines = after.map((rate, at) => ({ ...rate, line: at + 2 }))
        const untouched = new Set<string>()
        const replaced = compareDeck({ mode: 'replace', present, lines, untouched })
        expect(applied(present, replaced)).toEqual(byPrefix(after))
        const merged = compareDeck({ mode: 'merge', present, lines, untouched })
        expect(applied(present, merged)).toEqual(new Map([...present, ...byPrefix(after)]))
      }),
    )
  })

  test('classifies each change and keeps the rates of invalid lines', () => {
    const rate = (prefix: string, price: number, nextIncrement = 1): PrefixRate => ({
      prefix,
      priceMicros: dollars(price),
      connectFeeMicros: micros(0n),
      firstIncrement: 1,
      nextIncrement,
    })
    const lines = [rate('1', 2), rate('2', 2), rate('3', 2), rate('4', 2, 6), rate('5', 2)].map(
      (each, at) => ({
        ...each,
        line: at,
      }),
    )
    const present = byPrefix([
      rate('2', 1),
      rate('3', 3),
      rate('4', 2),
      rate('5', 2),
      rate('6', 1),
      rate('7', 1),
    ])
    const changes = compareDeck({ mode: 'replace', present, lines, untouched: new Set(['7']) })
    expect(changes.map(({ prefix, kind }) => [prefix, kind])).toEqual([
      ['1', 'new'],
      ['2', 'dearer'],
      ['3', 'cheaper'],
      ['4', 'changed'],
      ['5', 'unchanged'],
      ['6', 'removed'],
      ['7', 'unchanged'],
    ])
  })
})
