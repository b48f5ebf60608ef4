import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dollars, micros } from '../money/index.ts'
import { type InventoryList, readInventory } from './index.ts'

const limits = {
  rentMicros: dollars(10_000),
  priceMicros: dollars(1_000),
  calls: 1_000,
  label: 100,
  note: 500,
  tags: 20,
  tag: 40,
}

function read(text: string): InventoryList {
  const reading = readInventory(text, limits)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}
const linesOf = (text: string) => {
  const list = read(text)
  if (!list.ok) throw new Error(list.reason)
  return list.lines
}

it('reads a list without a header in the order of the columns', () => {
  expect(linesOf('+442079460001,GB,London,local,Carrier A,2.5,1,0.01,1,0.004,5,a;b,hello\n')).toMatchObject([
    {
      line: 1,
      e164: '442079460001',
      country: 'GB',
      fault: null,
      values: {
        area: 'London',
        type: 'local',
        trunk: 'Carrier A',
        monthly: micros(2_500_000n),
        setup: micros(1_000_000n),
        price: micros(10_000n),
        cost_monthly: micros(1_000_000n),
        cost: micros(4_000n),
        max_calls: 5,
        tags: ['a', 'b'],
        note: 'hello',
      },
    },
  ])
})

it.each([
  ['DID,MRC,NRC', { monthly: micros(2_000_000n), setup: micros(1_000_000n) }],
  ['Phone number,Monthly fee (USD),Set-up fee', { monthly: micros(2_000_000n), setup: micros(1_000_000n) }],
  ['E.164,Price per month,Price per minute', { monthly: micros(2_000_000n), price: micros(1_000_000n) }],
  ['number,costMonthly,Cost/min', { cost_monthly: micros(2_000_000n), cost: micros(1_000_000n) }],
])('knows the columns %s', (header, values) => {
  expect(linesOf(`${header}\n+442079460001,2,1\n`)[0]?.values).toEqual(values)
})

it('derives the type from the numbering plan', () => {
  const typesOf = (numbers: string[]) => linesOf(numbers.join('\n')).map(({ usualType }) => usualType)
  expect(typesOf(['+442079460001', '+447400123456', '+448001111111', '+12025550123'])).toEqual([
    'local',
    'mobile',
    'toll_free',
    'local',
  ])
})

it('reports a number that is in the list twice, with the line of the first', () => {
  const lines = linesOf('+442079460001\n+442079460002\n+44 20 7946 0001\nnonsense\nnonsense')
  const firstLines = lines.map(({ fault }) => (fault?.kind === 'duplicate' ? fault.line : null))
  expect(firstLines).toEqual([null, null, 1, null, null])
})

it('reports a missing column, an empty list and an open quote', () => {
  expect(read('monthly,area\n1,London')).toEqual({ ok: false, reason: 'no_number_column' })
  expect(read('\n,,\n')).toEqual({ ok: false, reason: 'empty' })
  expect(read('number,monthly\n')).toEqual({ ok: false, reason: 'empty' })
  expect(linesOf('+442079460001,"never closed')[0]?.fault).toEqual({ kind: 'quote_open' })
})

it('reads any text without an exception', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('number', 'monthly', '+442079460001', '"', '1,5', 'GB'))
  fc.assert(
    fc.property(fc.array(fc.array(cell)), (records) => {
      read(records.map((record) => record.join(',')).join('\n'))
    }),
  )
})
