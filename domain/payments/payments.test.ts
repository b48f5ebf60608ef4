import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, dollars, micros, ZERO } from '../money/index.ts'
import {
  carryOut,
  creditKey,
  creditKind,
  decide,
  decideRefund,
  INVOICE_STATES,
  type Invoice,
  type InvoiceState,
  newInvoice,
  type Plan,
  PROVIDER_STATUSES,
  type ProviderReport,
  parseStatus,
  reportedAmount,
  TRANSITIONS,
} from './index.ts'

const ASKED = dollars(100)
const CREDITED_STATES: InvoiceState[] = ['paid', 'refunding', 'refunded']

const invoiceIn = (state: InvoiceState, isCredited = state === 'paid'): Invoice => ({
  ...newInvoice(ASKED),
  state,
  isCredited,
  hasExpired: state === 'expired',
})
const report = (
  status: string,
  receivedMicros = ASKED as ProviderReport['receivedMicros'],
  kind: Partial<ProviderReport> = {},
): ProviderReport => ({
  status,
  type: 'invoice',
  currency: 'USD',
  receivedMicros,
  ...kind,
})

/** The plan as a cell of the table in the README. */
function inWords(plan: Plan): string {
  const [first, second] = plan
  if (!first) return '-'
  if (first.do === 'note_expiry') return 'note expiry'
  if (first.do === 'review') return first.reason === 'underpaid' ? 'list underpaid' : first.reason
  if (first.do === 'credit') return 'credit without a move'
  if (first.to === 'paid')
    return second?.do === 'credit' && second.amountMicros === ASKED ? 'credit' : 'paid, uncredited'
  if (first.to === 'underpaid')
    return second?.do === 'review' && second.reason === 'underpaid' ? 'underpaid' : 'unlisted'
  return `to ${first.to}`
}

function readmeTable(): Map<string, string> {
  const text = readFileSync(new URL('./README.md', import.meta.url), 'utf8')
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const [header = [], ...body] = rows
  return new Map(
    body.flatMap(([state, ...cells]) =>
      cells.map((cell, at) => [`${state} ${header[at + 1]}`, cell] as const),
    ),
  )
}

describe('the transition table', () => {
  const table = readmeTable()
  const pairs = INVOICE_STATES.flatMap((state) => PROVIDER_STATUSES.map((status) => [state, status] as const))

  test('covers every state and every status', () => {
    expect([...table.keys()].sort()).toEqual(pairs.map((pair) => pair.join(' ')).sort())
  })

  test.each(pairs)('%s with report %s matches the README', (state, status) => {
    const written = table.get(`${state} ${status}`)
    expect(TRANSITIONS[state][status]).toBe(written)
    const expected = written === 'late unless credited' ? 'late' : written
    expect(inWords(decide(invoiceIn(state), report(status)))).toBe(expected)
    if (CREDITED_STATES.includes(state) && written === 'late unless credited') {
      expect(decide(invoiceIn(state, true), report(status))).toEqual([])
    }
  })

  test('accepts a status in any letter case', () => {
    expect(['Paid', 'MANUAL_ACCEPT', ' expired '].map(parseStatus)).toEqual([
      'paid',
      'manual_accept',
      'expired',
    ])
    expect(decide(invoiceIn('waiting'), report('PAID'))).toEqual(decide(invoiceIn('waiting'), report('paid')))
  })
})

describe('unexpected amounts', () => {
  test('overpaid: credits the invoice amount and lists the excess', () => {
    expect(decide(invoiceIn('paying'), report('paid', dollars(130)))).toEqual([
      { do: 'move', to: 'paid' },
      { do: 'credit', amountMicros: ASKED },
      { do: 'review', reason: 'overpaid', amountMicros: dollars(30) },
    ])
  })

  test('overpaid: ignores an excess below one cent', () => {
    const almost = micros(ASKED + cents(1) - 1n)
    expect(decide(invoiceIn('paying'), report('paid', almost))).toHaveLength(2)
    expect(decide(invoiceIn('paying'), report('paid', micros(almost + 1n)))).toHaveLength(3)
  })

  test('overpaid: lists an excess from a later report', () => {
    expect(decide(invoiceIn('paid'), report('paid', dollars(130)))).toEqual([
      { do: 'review', reason: 'overpaid', amountMicros: dollars(30) },
    ])
  })

  test('overpaid: lists the excess although an earlier part was underpaid', () => {
    const listed = [{ reason: 'underpaid', amountMicros: dollars(40) }] as const
    expect(decide({ ...invoiceIn('paid'), listed }, report('paid', dollars(130)))).toEqual([
      { do: 'review', reason: 'overpaid', amountMicros: dollars(30) },
    ])
  })

  test.each(['paid', 'manual_accept'])(
    '%s credits down to 97.5 percent of the amount and no further',
    (status) => {
      const least = cents(9750)
      expect(decide(invoiceIn('paying'), report(status, least))).toContainEqual({
        do: 'credit',
        amountMicros: ASKED,
      })
      const short = micros(least - 1n)
      expect(decide(invoiceIn('paying'), report(status, short))).toEqual([
        { do: 'move', to: 'underpaid' },
        { do: 'review', reason: 'underpaid', amountMicros: short },
      ])
      expect(decide(invoiceIn('underpaid'), report(status, short))).toEqual([
        { do: 'review', reason: 'underpaid', amountMicros: short },
      ])
    },
  )

  test('paid with $1 of $100 is underpaid, then credited when the rest arrives', () => {
    const { invoice, steps } = applyReports(invoiceIn('waiting'), [
      report('paid', dollars(1)),
      report('paid'),
    ])
    expect(steps.map((step) => step.do)).toEqual(['move', 'review', 'move', 'credit'])
    expect(invoice).toMatchObject({ state: 'paid', isCredited: true })
  })

  test('paid without an amount is listed, not credited', () => {
    expect(decide(invoiceIn('paying'), report('paid', null))).toEqual([
      { do: 'review', reason: 'unrecognised', amountMicros: null },
    ])
  })

  test('manual acceptance without money has an unknown amount', () => {
    const accepted = report('Manual_accept', ZERO)
    const listed = (reason: string) => [{ do: 'review', reason, amountMicros: null }]
    expect(decide(invoiceIn('waiting'), accepted)).toEqual(listed('unrecognised'))
    expect(decide(invoiceIn('expired'), accepted)).toEqual(listed('late'))
    expect(decide(null, accepted)).toEqual(listed('unmatched'))
    const { invoice } = applyReports(invoiceIn('waiting'), [accepted])
    expect(decide({ ...invoice, isCredited: true }, accepted)).toEqual([])
    expect(inWords(decide(invoiceIn('waiting'), report('paid', ZERO)))).toBe('underpaid')
  })

  const foreign: Partial<ProviderReport>[] = [
    { type: 'payout' },
    { type: 'donation' },
    { type: 'invoice2' },
    { type: '' },
    { type: null },
    { currency: 'EUR' },
    { currency: null },
  ]
  test.each(foreign)('a report with %o changes no invoice and credits nothing', (kind) => {
    const listed = [{ do: 'review', reason: 'unrecognised', amountMicros: ASKED }]
    for (const state of INVOICE_STATES) {
      for (const status of PROVIDER_STATUSES) {
        const isMoney = ['paid', 'manual_accept', 'underpaid', 'refunding', 'refunded'].includes(status)
        expect(decide(invoiceIn(state), report(status, ASKED, kind))).toEqual(isMoney ? listed : [])
      }
    }
    expect(decide(null, report('paid', ASKED, kind))).toEqual(listed)
    expect(decide(null, report('expired', ASKED, kind))).toEqual([])
  })

  test('accepts type and currency in any letter case', () => {
    expect(decide(invoiceIn('waiting'), report('paid', ASKED, { type: 'Invoice', currency: 'usd' }))).toEqual(
      decide(invoiceIn('waiting'), report('paid')),
    )
  })

  test('underpaid: raises the listed amount when more arrives', () => {
    const { invoice } = applyReports(invoiceIn('waiting'), [
      report('underpaid', dollars(30)),
      report('underpaid', dollars(60)),
    ])
    expect(invoice.listed).toEqual([{ reason: 'underpaid', amountMicros: dollars(60) }])
  })

  test('underpaid: lists the rest as late after an administrator credited the invoice', () => {
    const resolved = {
      ...invoiceIn('underpaid', true),
      listed: [{ reason: 'underpaid', amountMicros: dollars(60) }],
    } as const
    expect(decide(resolved, report('paid'))).toEqual([{ do: 'review', reason: 'late', amountMicros: ASKED }])
  })

  test('lists a refund by the provider after the credit', () => {
    expect(decide(invoiceIn('paid'), report('refunded'))).toEqual([
      { do: 'move', to: 'refunded' },
      { do: 'review', reason: 'refunded_after_credit', amountMicros: ASKED },
    ])
  })

  test.each(PROVIDER_STATUSES)('%s without a matching invoice is listed only if money arrived', (status) => {
    const isMoney = ['paid', 'manual_accept', 'underpaid', 'refunding', 'refunded'].includes(status)
    expect(decide(null, report(status))).toEqual(
      isMoney ? [{ do: 'review', reason: 'unmatched', amountMicros: ASKED }] : [],
    )
  })

  test('lists an unknown status', () => {
    const listed = [{ do: 'review', reason: 'unrecognised', amountMicros: null }]
    expect(decide(invoiceIn('waiting'), report('confirming', null))).toEqual(listed)
    expect(decide(null, report('confirming', null))).toEqual(listed)
  })
})

describe('reports in any order, with repeats', () => {
  const casing = fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
  )
  const anyReport = fc
    .record({
      status: fc.constantFrom(...PROVIDER_STATUSES, 'confirming'),
      cased: casing,
      received: fc.option(fc.integer({ min: 0, max: 150 })),
      type: fc.constantFrom('invoice', 'invoice', 'invoice', 'payout'),
    })
    .map(({ status, cased, received, type }) =>
      report(cased(status), received === null ? null : dollars(received), { type }),
    )
  const reports = fc.array(anyReport, { maxLength: 30 })
  const start = fc.constantFrom<InvoiceState>('creating', 'unknown', 'waiting', 'paying')
  const runs = { numRuns: 5_000 }

  const isOurs = ({ type }: ProviderReport) => type === 'invoice'
  const saysPaid = (one: ProviderReport) =>
    isOurs(one) && ['paid', 'manual_accept'].includes(one.status.toLowerCase())
  const isPaid = (one: ProviderReport) => saysPaid(one) && (one.receivedMicros ?? 0n) >= cents(9750)
  const isEnd = (one: ProviderReport) =>
    isOurs(one) && ['expired', 'refunding', 'refunded'].includes(one.status.toLowerCase())

  test('credit at most once, and always the invoice amount', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INVOICE_STATES), reports, (state, received) => {
        const credits = applyReports(invoiceIn(state), received).steps.filter((step) => step.do === 'credit')
        expect(credits.length + (state === 'paid' ? 1 : 0)).toBeLessThanOrEqual(1)
        for (const credit of credits) expect(credit).toEqual({ do: 'credit', amountMicros: ASKED })
      }),
      runs,
    )
  })

  test('credit a full payment once before the invoice ends, and only list it afterwards', () => {
    fc.assert(
      fc.property(start, reports, (state, received) => {
        const { steps, invoice } = applyReports(invoiceIn(state), received)
        const credits = steps.filter((step) => step.do === 'credit').length
        const paidAt = received.findIndex(isPaid)
        const endAt = received.findIndex(isEnd)
        const isInTime = paidAt >= 0 && (endAt < 0 || paidAt < endAt)
        expect(credits).toBe(isInTime ? 1 : 0)
        expect(invoice.isCredited).toBe(isInTime)
        const isLate = paidAt >= 0 && !isInTime
        if (isLate)
          expect(invoice.listed.some(({ reason }) => reason === 'late' || reason === 'underpaid')).toBe(true)
        if (endAt < 0) expect(invoice.listed.some((item) => item.reason === 'late')).toBe(false)
      }),
      runs,
    )
  })

  test('change nothing when each report, or the whole sequence, repeats', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INVOICE_STATES), reports, (state, all) => {
        // Without an amount, a repeated payment looks like a second, late one.
        const received = all.filter((one) => !saysPaid(one) || reportedAmount(one) !== null)
        const once = applyReports(invoiceIn(state), received)
        expect(
          applyReports(
            invoiceIn(state),
            received.flatMap((one) => [one, one]),
          ),
        ).toEqual(once)
        expect(applyReports(once.invoice, received)).toEqual({ invoice: once.invoice, steps: [] })
      }),
      runs,
    )
  })

  test('never move an invoice backward', () => {
    const rank: Record<InvoiceState, number> = {
      creating: 0,
      unknown: 0,
      waiting: 1,
      paying: 2,
      failed: 3,
      expired: 3,
      underpaid: 4,
      paid: 5,
      refunding: 6,
      refunded: 7,
    }
    fc.assert(
      fc.property(fc.constantFrom(...INVOICE_STATES), reports, (state, received) => {
        let at = rank[state]
        for (const step of applyReports(invoiceIn(state), received).steps) {
          if (step.do !== 'move') continue
          expect(rank[step.to]).toBeGreaterThan(at)
          at = rank[step.to]
        }
      }),
      runs,
    )
  })

  test('lead received money to a credit, the review list or a refund', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INVOICE_STATES), reports, (state, received) => {
        const { invoice } = applyReports(invoiceIn(state), received)
        const money = received.some((one) => saysPaid(one) || one.status.toLowerCase() === 'underpaid')
        const isAccountedFor =
          invoice.isCredited || invoice.listed.length > 0 || ['refunding', 'refunded'].includes(invoice.state)
        expect(!money || isAccountedFor).toBe(true)
      }),
      runs,
    )
  })
})

describe('credits and refunds', () => {
  test('use a different ledger key for each review reason', () => {
    expect([creditKey('9'), creditKey('9', 'late')]).toEqual(['invoice:9', 'invoice:9:late'])
  })

  test('credit the second upgrade to the balance', () => {
    expect([creditKind('upgrade', false), creditKind('upgrade', true), creditKind('topup', false)]).toEqual([
      'upgrade_purchase',
      'top_up',
      'top_up',
    ])
  })

  test('never refund more than the paid amount in total', () => {
    const amounts = fc.array(fc.integer({ min: -5, max: 60 }), { maxLength: 12 })
    fc.assert(
      fc.property(amounts, (wanted) => {
        let refunded = ZERO
        for (const amount of wanted) {
          const decision = decideRefund(ASKED, refunded, dollars(amount))
          const isWithinAmount = amount > 0 && refunded + dollars(amount) <= ASKED
          expect(decision.ok).toBe(isWithinAmount)
          if (decision.ok) refunded = micros(ASKED - decision.leftMicros)
          expect(refunded >= ZERO && refunded <= ASKED).toBe(true)
        }
      }),
    )
  })
})

function applyReports(invoice: Invoice, received: readonly ProviderReport[]) {
  let current = invoice
  const steps = []
  for (const one of received) {
    const plan = decide(current, one)
    steps.push(...plan)
    current = carryOut(current, plan)
  }
  return { invoice: current, steps }
}
