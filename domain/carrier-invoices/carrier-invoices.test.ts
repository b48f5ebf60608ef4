import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '../decks/index.ts'
import { dollars, micros } from '../money/index.ts'
import {
  type CarrierInvoice,
  createZone,
  type DifferenceKind,
  findInvoiceColumns,
  findShift,
  type InvoiceOptions,
  type OwnCall,
  type ReconcileOptions,
  readInvoiceInSteps,
  reconcileInSteps,
} from './index.ts'

function finish<Result>(steps: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const options: InvoiceOptions = {
  timeZone: 'UTC',
  maxLines: 1_000,
  maxSeconds: 86_400,
  maxAmountMicros: dollars(1_000_000),
}
const attempt = (text: string, changes: Partial<InvoiceOptions> = {}) =>
  finish(readInvoiceInSteps(text, { ...options, ...changes }))
function read(text: string, changes: Partial<InvoiceOptions> = {}): CarrierInvoice {
  const invoice = attempt(text, changes)
  if ('problem' in invoice) throw new Error(invoice.problem)
  return invoice
}
const HEADER = 'Start,Called,Duration,Cost\n'
const faultsOf = (line: string) => read(`${HEADER}2026-11-15 10:00:00,4930123456,60,1\n${line}`).faults

describe('the columns of an invoice', () => {
  test.each([
    ['Call Date;Called Number;Billed Seconds;Amount (USD)', { start: 0, number: 1, billed: 2, amount: 3 }],
    [
      'calldate,src,dst,duration,billsec,cost',
      { start: 0, caller: 1, number: 2, duration: 3, billed: 4, amount: 5 },
    ],
    [
      'Connect Time,A-Number,B-Number,Charged Duration,Charge,Call-ID',
      { start: 0, caller: 1, number: 2, billed: 3, amount: 4, call_id: 5 },
    ],
    [
      'Date,Time,CLI,CLD,Duration,Total Cost',
      { start: 0, time: 1, caller: 2, number: 3, duration: 4, amount: 5 },
    ],
    ['Duration (minutes),Cost EUR', {}],
  ])('%j are found by their names', (header, columns) => {
    expect(findInvoiceColumns(header.split(/[;,]/))).toEqual(columns)
  })

  test('are named when they are missing', () => {
    expect(attempt('Start,Destination\n2026-11-15,44')).toEqual({
      problem: 'columns_missing',
      missing: ['duration', 'amount'],
    })
    expect(attempt('one column\n1\n2')).toMatchObject({ problem: 'columns_missing' })
  })

  test('can be given instead', () => {
    const text = 'When;Who;How long;Price EUR\n2026-11-15 10:00:00;4930123456;1:30;0,05\n'
    const { lines } = read(text, { columns: { start: 0, number: 1, duration: 2, amount: 3 } })
    expect(lines).toEqual([
      {
        line: 2,
        at: Date.UTC(2026, 10, 15, 10),
        number: '4930123456',
        seconds: 90,
        billedSeconds: null,
        amountMicros: 50_000n,
        caller: '',
        callId: '',
      },
    ])
  })
})

describe('a line of an invoice', () => {
  const at = (written: string, changes: Partial<InvoiceOptions> = {}) => {
    const moment = read(`${HEADER}"${written}",4930123456,60,1`, changes).lines[0]?.at
    return moment === undefined ? null : new Date(moment).toISOString()
  }

  test.each([
    ['2026-11-15 10:20:30', '2026-11-15T10:20:30.000Z'],
    ['2026-11-15T10:20:30.25Z', '2026-11-15T10:20:30.250Z'],
    ['2026-11-15T10:20:30+02:00', '2026-11-15T08:20:30.000Z'],
    ['15.11.2026 10:20', '2026-11-15T10:20:00.000Z'],
    ['11/15/2026 10:20:30 PM', '2026-11-15T22:20:30.000Z'],
    ['15/11/2026 12:20:30 am', '2026-11-15T00:20:30.000Z'],
    ['20261115102030', '2026-11-15T10:20:30.000Z'],
    ['1794738030', '2026-11-15T10:20:30.000Z'],
    ['1794738030123', '2026-11-15T10:20:30.123Z'],
  ])('starts at %j', (written, moment) => {
    expect(at(written)).toBe(moment)
  })

  test('has local times of the time zone of the file, across a change of the clock', () => {
    const berlin = { timeZone: 'Europe/Berlin' }
    expect(at('2026-07-01 12:00:00', berlin)).toBe('2026-07-01T10:00:00.000Z')
    expect(at('2026-10-25 02:30:00', berlin)).toBe('2026-10-25T00:30:00.000Z')
    expect(at('2026-10-25 03:00:00', berlin)).toBe('2026-10-25T02:00:00.000Z')
    expect(at('2026-03-29 02:30:00', berlin)).toBe('2026-03-29T01:30:00.000Z')
    const toUtc = createZone('Asia/Kathmandu')
    expect(new Date(toUtc(Date.UTC(2026, 10, 15, 12))).toISOString()).toBe('2026-11-15T06:15:00.000Z')
  })

  test('takes the time of day from a column of its own', () => {
    const { lines } = read('Date,Time,B-Number,Duration,Cost\n15.11.2026,10:20:30,4930123456,60,1')
    expect(lines[0]?.at).toBe(Date.UTC(2026, 10, 15, 10, 20, 30))
  })

  test('is refused while the order of day and month is unclear', () => {
    const text = `${HEADER}05/11/2026 10:00:00,4930123456,60,1`
    expect(attempt(text)).toEqual({ problem: 'dates_unclear' })
    expect(read(text, { dateOrder: 'mdy' }).lines[0]?.at).toBe(Date.UTC(2026, 4, 11, 10))
    expect(read(`${text}\n25/11/2026 10:00:00,4930123456,60,1`).lines[0]?.at).toBe(Date.UTC(2026, 10, 5, 10))
  })

  test.each([
    ['75', 75],
    ['74.2', 75],
    ['"74,0"', 74],
    ['1:15', 75],
    ['00:01:15', 75],
    ['100:00', 6_000],
  ])('with the duration %j lasts %d seconds', (written, seconds) => {
    expect(read(`${HEADER}2026-11-15 10:00:00,4930123456,${written},1`).lines[0]?.seconds).toBe(seconds)
  })

  test.each([
    ['0.005', 5_000n],
    ['"0,005"', 5_000n],
    ['$1.5', 1_500_000n],
    ['1.2E-05', 12n],
    ['0.0123456789', 12_346n],
    ['"1234,5"', 1_234_500_000n],
  ])('with the amount %j costs %s micro-dollars', (written, amount) => {
    expect(read(`${HEADER}2026-11-15 10:00:00,4930123456,60,${written}`).lines[0]?.amountMicros).toBe(amount)
  })

  test.each([
    ['4930123456', '4930123456'],
    ['+49 (30) 123-456', '4930123456'],
    ['004930123456', '4930123456'],
    ['"=""4930123456"""', '4930123456'],
    ['sip:4930123456@carrier.example', '4930123456'],
    ['9988#4930123456', '4930123456'],
  ])('with the number %j calls %s', (written, number) => {
    expect(read(`${HEADER}2026-11-15 10:00:00,${written},60,1`).lines[0]?.number).toBe(number)
  })

  test.each([
    [',4930123456,60,1', 'start_missing'],
    ['Total,4930123456,60,1', 'start_invalid'],
    ['2026-02-30 10:00:00,4930123456,60,1', 'start_invalid'],
    ['2026-11-15,4930123456,60,1', 'start_invalid'],
    ['2026-11-15 10:00:00,,60,1', 'number_missing'],
    ['2026-11-15 10:00:00,=cmd|calc,60,1', 'number_invalid'],
    ['2026-11-15 10:00:00,4.93E+11,60,1', 'number_rounded'],
    ['2026-11-15 10:00:00,4930123456,,1', 'duration_missing'],
    ['2026-11-15 10:00:00,4930123456,1:75,1', 'duration_invalid'],
    ['2026-11-15 10:00:00,4930123456,-5,1', 'duration_invalid'],
    ['2026-11-15 10:00:00,4930123456,60,', 'amount_missing'],
    ['2026-11-15 10:00:00,4930123456,60,free', 'amount_invalid'],
    ['2026-11-15 10:00:00,4930123456,60,"1,234"', 'amount_invalid'],
    ['2026-11-15 10:00:00,4930123456,60,-0.5', 'amount_negative'],
    ['2026-11-15 10:00:00,4930123456,60,"1', 'quote_open'],
  ])('%j is a fault with its line number', (line, reason) => {
    expect(faultsOf(line)).toMatchObject([{ line: 3, reason }])
  })

  test('without duration and amount is counted, but not compared', () => {
    const { lines, free } = read(`${HEADER}2026-11-15 10:00:00,4930123456,0,0.0000`)
    expect([lines, free]).toEqual([[], 1])
  })

  test('never makes the reader fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        attempt(`${HEADER}${text}`)
        attempt(text)
      }),
      { numRuns: 500 },
    )
  })
})

test('more lines than the limit are refused', () => {
  const text = `${HEADER}${'2026-11-15 10:00:00,4930123456,60,1\n'.repeat(4)}`
  expect(read(text, { maxLines: 4 }).lines).toHaveLength(4)
  expect(attempt(text, { maxLines: 3 })).toEqual({ problem: 'too_many_lines' })
})

const BEGIN = Date.UTC(2026, 10, 1)
const exact: ReconcileOptions = {
  toleranceMs: 60_000,
  toleranceSeconds: 0,
  toleranceMicros: micros(0n),
  period: { from: BEGIN, to: BEGIN + 86_400_000 },
}
const aCall = (changes: Partial<OwnCall> = {}): OwnCall => ({
  callId: 'sw1/call',
  number: '4930123456',
  startedAt: BEGIN + 3_600_000,
  answeredAt: BEGIN + 3_605_000,
  seconds: 60,
  costMicros: micros(4_000n),
  ...changes,
})
const aLine = (changes: Partial<CarrierInvoice['lines'][number]> = {}): CarrierInvoice['lines'][number] => ({
  line: 2,
  at: BEGIN + 3_602_000,
  number: '4930123456',
  seconds: 60,
  billedSeconds: null,
  amountMicros: micros(4_000n),
  caller: '',
  callId: '',
  ...changes,
})
const kindsOf = (
  lines: CarrierInvoice['lines'],
  calls: readonly OwnCall[],
  changes: Partial<ReconcileOptions> = {},
) => finish(reconcileInSteps(lines, calls, { ...exact, ...changes })).calls.map(({ kind }) => kind)

describe('a reconciliation', () => {
  test.each([
    ['equal', {}],
    ['longer', { seconds: 61 }],
    ['shorter', { seconds: 59 }],
    ['price', { amountMicros: micros(4_001n) }],
    ['price', { amountMicros: micros(3_999n) }],
  ])('finds %s', (kind, changes) => {
    expect(kindsOf([aLine(changes)], [aCall()])).toEqual([kind])
  })

  test('tolerates small differences, and values a tolerated second at our price', () => {
    const tolerant = { toleranceSeconds: 1, toleranceMicros: micros(100n) }
    expect(kindsOf([aLine({ seconds: 61, amountMicros: micros(4_067n) })], [aCall()], tolerant)).toEqual([
      'equal',
    ])
    expect(kindsOf([aLine({ seconds: 61, amountMicros: micros(4_200n) })], [aCall()], tolerant)).toEqual([
      'price',
    ])
    expect(kindsOf([aLine({ seconds: 62 })], [aCall()], tolerant)).toEqual(['longer'])
  })

  test('accepts any time from start to answer, give or take the tolerance', () => {
    const { startedAt, answeredAt } = aCall({ answeredAt: BEGIN + 3_900_000 })
    const fits = (at: number) => kindsOf([aLine({ at })], [aCall({ startedAt, answeredAt })]).length === 1
    expect([startedAt - 60_000, startedAt + 100_000, answeredAt + 60_000].map(fits)).toEqual([
      true,
      true,
      true,
    ])
    expect([startedAt - 60_001, answeredAt + 60_001].map(fits)).toEqual([false, false])
  })

  test('matches the nearest call, and each call once', () => {
    const near = aCall({ callId: 'near', seconds: 10, costMicros: micros(10n) })
    const far = aCall({
      callId: 'far',
      startedAt: near.startedAt + 30_000,
      answeredAt: near.answeredAt + 30_000,
    })
    const { calls } = finish(
      reconcileInSteps([aLine(), aLine({ line: 3 }), aLine({ line: 4 })], [far, near], exact),
    )
    expect(calls.map(({ kind, line, call }) => [kind, line?.line, call?.callId])).toEqual([
      ['longer', 2, 'near'],
      ['equal', 3, 'far'],
      ['carrier_only', 4, undefined],
    ])
  })

  test('lets the duration decide between equally near calls', () => {
    const short = aCall({ callId: 'a', seconds: 5, costMicros: micros(5n) })
    const long = aCall({ callId: 'b' })
    const lines = [aLine(), aLine({ line: 3, seconds: 5, amountMicros: micros(5n) })]
    expect(kindsOf(lines, [short, long])).toEqual(['equal', 'equal'])
  })

  test('knows the number as it was sent to the carrier', () => {
    const asSent = (number: string) => `0099${number.slice(2)}`
    expect(kindsOf([aLine({ number: '9930123456' })], [aCall()], { asSent })).toEqual(['equal'])
    expect(kindsOf([aLine()], [aCall()], { asSent })).toEqual(['equal'])
  })

  test('reports no missing bill for calls outside of the period', () => {
    const early = aCall({ startedAt: BEGIN - 1, answeredAt: BEGIN })
    expect(kindsOf([], [early])).toEqual([])
    expect(kindsOf([aLine({ at: BEGIN - 1 })], [early])).toEqual(['equal'])
  })

  test('matches thousands of calls to one number within a minute', () => {
    const calls = Array.from({ length: 5_000 }, (_, n) =>
      aCall({
        callId: `c${n}`,
        startedAt: BEGIN + n * 10,
        answeredAt: BEGIN + n * 10 + 2_000,
        seconds: n % 7,
      }),
    )
    const lines = calls.map(({ answeredAt, seconds }, n) => aLine({ line: n + 2, at: answeredAt, seconds }))
    const { sums } = finish(reconcileInSteps(lines, calls, exact))
    expect([sums.equal.calls, sums.carrier_only.calls, sums.own_only.calls]).toEqual([5_000, 0, 0])
  })
})

describe('a shift of all times', () => {
  const reconciled = (minutes: number, count: number) => {
    const calls = Array.from({ length: 6 }, (_, n) =>
      aCall({
        callId: `c${n}`,
        number: `49301234${n}`,
        startedAt: BEGIN + n * 3_600_000,
        answeredAt: BEGIN + n * 3_600_000,
      }),
    )
    const lines = calls.map(({ number, answeredAt }, n) =>
      aLine({ line: n + 2, number, at: answeredAt + (n < count ? minutes * 60_000 + 5_000 : 0) }),
    )
    return findShift(finish(reconcileInSteps(lines, calls, exact)).calls)
  }

  test('is found if it explains most lines', () => {
    expect([reconciled(60, 6), reconciled(-330, 4)]).toEqual([60, -330])
  })

  test('is not suggested for a few lines', () => {
    expect([reconciled(60, 2), reconciled(0, 6)]).toEqual([null, null])
  })
})

type Edit = Exclude<DifferenceKind, 'equal'> | 'none'
const anyEdit = fc.constantFrom<Edit>(
  'none',
  'none',
  'carrier_only',
  'own_only',
  'longer',
  'shorter',
  'price',
)
const anyHistory = fc.array(
  fc.record({
    /** Calls of one number are more than two tolerances apart, so the match has one solution. */
    slot: fc.integer({ min: 0, max: 200 }),
    number: fc.constantFrom('4930123456', '442079460000', '12025550100'),
    ring: fc.integer({ min: 0, max: 30_000 }),
    late: fc.integer({ min: -59, max: 59 }),
    seconds: fc.integer({ min: 2, max: 3_000 }),
    cost: fc.bigInt({ min: 10n, max: 5_000_000n }),
    by: fc.integer({ min: 1, max: 500 }),
    edit: anyEdit,
  }),
  { maxLength: 60 },
)

test('a file derived from our calls differs in exactly the edits, for any separator', () => {
  fc.assert(
    fc.property(anyHistory, fc.constantFrom<',' | ';' | '\t'>(',', ';', '\t'), (history, separator) => {
      const unique = [...new Map(history.map((each) => [`${each.number} ${each.slot}`, each])).values()]
      const calls: OwnCall[] = []
      const rows: string[][] = [['Start Time', 'Called Number', 'Duration', 'Amount']]
      const expected: Record<string, [DifferenceKind, bigint]> = {}
      for (const { slot, number, ring, late, seconds, cost, by, edit } of unique) {
        const startedAt = BEGIN + slot * 300_000
        const key = `${number} ${slot}`
        if (edit !== 'carrier_only')
          calls.push({
            callId: key,
            number,
            startedAt,
            answeredAt: startedAt + ring,
            seconds,
            costMicros: micros(cost),
          })
        const billed =
          edit === 'longer' ? seconds + by : edit === 'shorter' ? Math.max(1, seconds - by) : seconds
        const amount = edit === 'price' ? cost + BigInt(by) : cost
        if (edit !== 'own_only')
          rows.push([
            new Date(startedAt + late * 1_000).toISOString(),
            `+${number}`,
            String(billed),
            `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`,
          ])
        const difference = edit === 'own_only' ? -cost : edit === 'carrier_only' ? amount : amount - cost
        expected[key] = [edit === 'none' ? 'equal' : edit, difference]
      }
      if (rows.length === 1) return
      const { lines, faults } = read(writeCsv(rows, separator))
      expect(faults).toEqual([])
      const { calls: found, sums } = finish(reconcileInSteps(lines, calls, exact))
      const reported = Object.fromEntries(
        found.map(({ kind, line, call, differenceMicros }) => {
          const slot = Math.round(((line?.at ?? 0) - BEGIN) / 300_000)
          return [call?.callId ?? `${line?.number} ${slot}`, [kind, differenceMicros]]
        }),
      )
      expect(reported).toEqual(expected)
      const net = Object.values(sums).reduce(
        (sum, { overMicros, underMicros }) => sum + overMicros - underMicros,
        0n,
      )
      expect(net).toBe(Object.values(expected).reduce((sum, [, difference]) => sum + difference, 0n))
    }),
    { numRuns: 300 },
  )
})
