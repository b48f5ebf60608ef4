import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '../decks/index.ts'
import { dollars, micros } from '../money/index.ts'
import {
  type CarrierInvoice,
  type DifferenceKind,
  findShift,
  type OwnCall,
  type ReconcileOptions,
  readInvoiceInSteps,
  reconcileInSteps,
} from './index.ts'
import { finish } from './test/finish.ts'

function read(text: string): CarrierInvoice {
  const limits = { maxLines: 1_000, maxSeconds: 86_400, maxAmountMicros: dollars(1_000_000) }
  const invoice = finish(readInvoiceInSteps(text, { timeZone: 'UTC', ...limits }))
  if ('problem' in invoice) throw new Error(invoice.problem)
  return invoice
}

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
    const strict = { toleranceSeconds: 1, toleranceMicros: micros(0n) }
    expect(kindsOf([aLine({ seconds: 61, amountMicros: micros(4_067n) })], [aCall()], strict)).toEqual([
      'equal',
    ])
    const unbilled = aCall({ seconds: 0, costMicros: micros(0n) })
    expect(kindsOf([aLine({ seconds: 1, amountMicros: micros(0n) })], [unbilled], strict)).toEqual(['equal'])
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

  test('lets the duration decide between calls within a second, because files have whole seconds', () => {
    const at = BEGIN + 3_600_000
    const long = aCall({ callId: 'sw1/long', startedAt: at + 900, answeredAt: at + 950, seconds: 9 })
    const short = aCall({ callId: 'sw1/short', startedAt: at + 1_200, answeredAt: at + 1_250, seconds: 3 })
    const lines = [aLine({ at, seconds: 9 }), aLine({ line: 3, at: at + 1_000, seconds: 3 })]
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
    const at = (startedAt: number) => aCall({ startedAt, answeredAt: startedAt })
    expect(kindsOf([], [at(BEGIN), at(exact.period.to - 1), at(exact.period.to)])).toEqual([
      'own_only',
      'own_only',
    ])
  })

  test('adds calls, seconds and amounts of each kind', () => {
    const lines = [aLine({ seconds: 70 }), aLine({ line: 3, number: '4930999' })]
    const none = { calls: 0, carrierSeconds: 0, ownSeconds: 0, carrierMicros: 0n, ownMicros: 0n }
    expect(finish(reconcileInSteps(lines, [aCall()], exact)).sums).toMatchObject({
      longer: { calls: 1, carrierSeconds: 70, ownSeconds: 60, carrierMicros: 4_000n, ownMicros: 4_000n },
      carrier_only: { calls: 1, carrierSeconds: 60, ownSeconds: 0, carrierMicros: 4_000n, ownMicros: 0n },
      own_only: none,
      shorter: none,
      price: none,
      equal: { ...none, overMicros: 0n, underMicros: 0n },
    })
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
  const reconciled = (minutes: number, count: number, ofFirst = minutes) => {
    const calls = Array.from({ length: 6 }, (_, n) =>
      aCall({
        callId: `c${n}`,
        number: `49301234${n}`,
        startedAt: BEGIN + n * 3_600_000,
        answeredAt: BEGIN + n * 3_600_000,
      }),
    )
    const lines = calls.map(({ number, answeredAt }, n) => {
      const shift = (n === 0 ? ofFirst : minutes) * 60_000
      return aLine({ line: n + 2, number, at: answeredAt + (n < count ? shift + 5_000 : 0) })
    })
    return findShift(finish(reconcileInSteps(lines, calls, exact)).calls)
  }

  test('is found if it explains most lines', () => {
    expect([reconciled(60, 6), reconciled(-330, 4)]).toEqual([60, -330])
  })

  test('is found if one line has another shift', () => {
    expect(reconciled(60, 6, 30)).toBe(60)
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
