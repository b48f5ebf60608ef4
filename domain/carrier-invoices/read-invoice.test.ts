import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollars } from '../money/index.ts'
import {
  type CarrierInvoice,
  createZone,
  findInvoiceColumns,
  type InvoiceOptions,
  readInvoiceInSteps,
} from './index.ts'
import { finish } from './test/finish.ts'

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
    ['1:59', 119],
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
    ['1999-12-31 10:00:00,4930123456,60,1', 'start_invalid'],
    ['2100-01-01 10:00:00,4930123456,60,1', 'start_invalid'],
    ['2026-11-15,4930123456,60,1', 'start_invalid'],
    ['2026-11-15 24:00:00,4930123456,60,1', 'start_invalid'],
    ['2026-11-15 10:60:00,4930123456,60,1', 'start_invalid'],
    ['2026-11-15 10:00:60,4930123456,60,1', 'start_invalid'],
    ['2026-11-15 10:00:00,,60,1', 'number_missing'],
    ['2026-11-15 10:00:00,=cmd|calc,60,1', 'number_invalid'],
    ['2026-11-15 10:00:00,4.93E+11,60,1', 'number_rounded'],
    ['2026-11-15 10:00:00,4930123456,,1', 'duration_missing'],
    ['2026-11-15 10:00:00,4930123456,1:60,1', 'duration_invalid'],
    ['2026-11-15 10:00:00,4930123456,1:75,1', 'duration_invalid'],
    ['2026-11-15 10:00:00,4930123456,-5,1', 'duration_invalid'],
    ['2026-11-15 10:00:00,4930123456,60,', 'amount_missing'],
    ['2026-11-15 10:00:00,4930123456,60,free', 'amount_invalid'],
    ['2026-11-15 10:00:00,4930123456,60,"1,234"', 'amount_invalid'],
    ['2026-11-15 10:00:00,4930123456,60,-0.5', 'amount_negative'],
    ['2026-11-15 10:00:00,4930123456,60,-0.000001', 'amount_negative'],
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
      { numRuns: 100 },
    )
  })
})

test('more lines than the limit are refused', () => {
  const text = `${HEADER}${'2026-11-15 10:00:00,4930123456,60,1\n'.repeat(4)}`
  expect(read(text, { maxLines: 4 }).lines).toHaveLength(4)
  expect(attempt(text, { maxLines: 3 })).toEqual({ problem: 'too_many_lines' })
})
