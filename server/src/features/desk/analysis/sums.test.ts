import { type AnalysisFigures, type Dimension, dimensions } from '@trunkline/contract/analysis'
import { ANALYSIS_HOURS_DAYS_MAX } from '@trunkline/contract/limits'
import { micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, withAdministrator } from '../../../../test/analysis.ts'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { checkBooks } from '../../../main/check-books.ts'
import { insertCdrs, type NewCdr } from '../../calls/cdr/cdr-store.ts'

const MINUTE = 60_000

type Season = { firstDay: string; now: string }

/** Weeks in which clocks change: New York, Berlin, then Lord Howe by half an hour, forward and back. */
const seasons: [string, Season][] = [
  ['spring', { firstDay: '2026-03-05', now: '2026-04-08T09:41:00Z' }],
  ['autumn', { firstDay: '2026-10-01', now: '2026-11-04T09:41:00Z' }],
]
const SEASON_DAYS = 34

const someCalls = ({ firstDay, now }: Season): fc.Arbitrary<NewCdr[]> =>
  fc.array(
    fc
      .record({
        at: fc.integer({ min: Date.parse(firstDay), max: Date.parse(now) }),
        status: fc.constantFrom(
          'completed',
          'completed',
          'busy',
          'no-answer',
          'cancelled',
          'failed',
          'refused',
        ),
        country: fc.constantFrom('GB', 'DE', 'IN', null),
        prefix: fc.constantFrom('44', '4420', null),
        route: fc.constantFrom(1, 2, null),
        user: fc.constantFrom(1, 2, 3, null),
        caller: fc.constantFrom('12025550100', '442079460000', ''),
        trunk: fc.constantFrom(1, 2, null),
        tried: fc.array(
          fc.record({ trunk: fc.integer({ min: 3, max: 4 }), code: fc.constantFrom(486, 503, 480) }),
          {
            maxLength: 2,
          },
        ),
        direction: fc.constantFrom('in' as const, 'out' as const),
        rings: fc.boolean(),
        delay: fc.integer({ min: 0, max: 20_000 }),
        seconds: fc.integer({ min: 0, max: 4_000 }),
      })
      .map((call) => {
        const startedAt = new Date(call.at)
        const isAnswered = call.status === 'completed'
        const last = !isAnswered && call.trunk !== null ? [{ trunk: call.trunk, code: 503 }] : []
        const attempts = [...call.tried, ...last].map((one) => ({
          ...one,
          name: `Carrier ${one.trunk}`,
          reason: '',
        }))
        return aCdr({
          startedAt,
          status: call.status as NewCdr['status'],
          seconds: isAnswered ? call.seconds : 0,
          country: call.country as NewCdr['country'],
          ratePrefix: call.prefix,
          routeId: call.route,
          userId: call.user,
          direction: call.direction,
          callerId: call.caller,
          sipCode: isAnswered ? 200 : call.status === 'refused' ? null : 503,
          trunkId: isAnswered ? call.trunk : (attempts.at(-1)?.trunk ?? null),
          attempts,
          ringingAt: isAnswered || call.rings ? new Date(call.at + call.delay) : null,
          costMicros: micros(isAnswered ? BigInt(call.seconds) * 173n : 0n),
          buyMicros: micros(isAnswered ? BigInt(call.seconds) * 91n : 0n),
        })
      }),
    { minLength: 20, maxLength: 120 },
  )

/** One line of a sum: a call, or an attempt at a carrier. */
type Line = Pick<NewCdr, 'startedAt'> & {
  key: string
  answered: boolean
  reached: boolean
  delay: number | null
  seconds: number
  cost: bigint
  buy: bigint
}

const REACHED: readonly string[] = ['completed', 'busy', 'no-answer', 'cancelled']
const BUSY_OR_UNANSWERED = [408, 480, 486, 487, 600, 603]

function linesOf(call: NewCdr, by: Dimension): Line[] {
  const delay = call.ringingAt ? +call.ringingAt - +call.startedAt : null
  const money = { seconds: call.seconds, cost: call.costMicros, buy: call.buyMicros }
  const none = { seconds: 0, cost: 0n, buy: 0n }
  const isAnswered = call.status === 'completed'
  const { startedAt } = call
  if (by === 'carrier' && call.direction === 'in') return []
  if (by !== 'carrier')
    return [
      {
        startedAt,
        key: keyOf(call, by),
        answered: isAnswered,
        reached: REACHED.includes(call.status),
        delay,
        ...money,
      },
    ]
  const failed = call.attempts.map(({ trunk, code }, index) => ({
    startedAt,
    key: String(trunk),
    answered: false,
    reached: BUSY_OR_UNANSWERED.includes(code),
    delay: !isAnswered && index === call.attempts.length - 1 ? delay : null,
    ...none,
  }))
  const answered =
    isAnswered && call.trunkId !== null
      ? [{ startedAt, key: String(call.trunkId), answered: true, reached: true, delay, ...money }]
      : []
  return [...failed, ...answered]
}

function keyOf(call: NewCdr, by: Exclude<Dimension, 'carrier'>): string {
  const keys = {
    all: '',
    country: call.country,
    prefix: call.ratePrefix,
    route: call.routeId,
    customer: call.userId,
    caller: call.callerId,
    code: call.sipCode,
    direction: call.direction,
  }
  return String(keys[by] ?? '')
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits
const sum = (values: readonly number[]) => values.reduce((left, right) => left + right, 0)
const dollars = (values: readonly bigint[]) => Number(values.reduce((left, right) => left + right, 0n)) / 1e6

function figuresOf(lines: readonly Line[]): AnalysisFigures {
  const answered = lines.filter((line) => line.answered)
  const delays = lines.flatMap(({ delay }) => (delay === null ? [] : [delay]))
  const seconds = sum(lines.map((line) => line.seconds))
  const share = (part: number) => (lines.length === 0 ? null : round((part / lines.length) * 100, 1))
  return {
    calls: lines.length,
    answered: answered.length,
    minutes: round(seconds / 60, 2),
    answer_rate: share(answered.length),
    reach_rate: share(lines.filter((line) => line.reached).length),
    average_duration: answered.length === 0 ? null : round(seconds / answered.length, 1),
    post_dial_delay: delays.length === 0 ? null : round(sum(delays) / 1_000 / delays.length, 1),
    revenue: dollars(lines.map((line) => line.cost)),
    cost: dollars(lines.map((line) => line.buy)),
    margin: dollars(lines.map((line) => line.cost - line.buy)),
  }
}

/** The local time of a moment as YYYY-MM-DDTHH:MM. */
const localTime = (at: Date, timezone: string): string =>
  new Date(at)
    .toLocaleString('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
    .replace(' ', 'T')

/** Lord Howe changes its clocks by half an hour. After that, the hours of a chart begin at half past. */
const HALF_HOUR_CHANGE = 'Australia/Lord_Howe'
const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/New_York',
  'Pacific/Auckland',
  HALF_HOUR_CHANGE,
]

describe('the figures of the analysis', () => {
  it.each(seasons)(
    'equal the sum over the call records, by every dimension, in any time zone, in %s',
    async (_, season) => {
      const portal = await withAdministrator(season.now)
      let all: NewCdr[] = []
      const days = fc.integer({ min: 0, max: SEASON_DAYS - 1 })
      await fc.assert(
        fc.asyncProperty(
          someCalls(season),
          fc.record({
            timezone: fc.constantFrom(...zones),
            first: days,
            last: days,
            by: fc.constantFrom(...dimensions),
          }),
          async (calls, { timezone, first, last, by }) => {
            await insertCdrs(portal.services.db, systemOwner, calls)
            all = [...all, ...calls]
            // Hours are answered for at most a month.
            const [begin, end] = [Math.min(first, last), Math.max(first, last)]
            const dayAfter = (later: number) =>
              new Date(Date.parse(season.firstDay) + later * 24 * 60 * MINUTE).toISOString().slice(0, 10)
            const [from, to] = [dayAfter(begin), dayAfter(Math.min(end, begin + ANALYSIS_HOURS_DAYS_MAX - 1))]
            const isIn = ({ startedAt }: { startedAt: Date }) => {
              const day = localTime(startedAt, timezone).slice(0, 10)
              return day >= from && day <= to
            }
            const group = by === 'all' ? 'country' : by
            const asked = { timezone, from, to, by: group, sort: 'calls', limit: 1_000 }
            const { analysis } = (await ask(portal, { ...asked, grain: 'day' })).answer
            const lines = all.flatMap((call) => linesOf(call, group)).filter(isIn)
            const whole = all.flatMap((call) => linesOf(call, 'all')).filter(isIn)
            expect(analysis.totals).toEqual(figuresOf(whole))
            expect(analysis.uncounted).toBe(0)
            const keys = [...new Set(lines.map(({ key }) => key))]
            expect(analysis.row_count).toBe(keys.length)
            const rows = Object.fromEntries(analysis.rows.map((row) => [row.key, row.figures]))
            for (const key of keys)
              expect(rows[key]).toEqual(figuresOf(lines.filter((line) => line.key === key)))
            const byDay = Map.groupBy(whole, ({ startedAt }) => localTime(startedAt, timezone).slice(0, 10))
            for (const { at, figures } of analysis.series)
              expect(figures, at).toEqual(figuresOf(byDay.get(at) ?? []))
            expect(sum(analysis.series.map(({ figures }) => figures.calls))).toBe(analysis.totals.calls)
            const [top] = analysis.rows
            if (!top) return
            const one = (await ask(portal, { ...asked, grain: 'hour', key: top.key })).answer.analysis
            expect(one.totals).toEqual(top.figures)
            if (timezone === HALF_HOUR_CHANGE) return
            // An hour that the clock shows twice has one or two steps with the same name.
            const hourOf = ({ startedAt }: Line) => localTime(startedAt, timezone).slice(0, 13)
            const called = Map.groupBy(
              lines.filter(({ key }) => key === top.key),
              hourOf,
            )
            const steps = Map.groupBy(one.series, ({ at }) => at.slice(0, 13))
            for (const [hour, same] of steps)
              expect(sum(same.map(({ figures }) => figures.calls)), hour).toBe(called.get(hour)?.length ?? 0)
          },
        ),
        // The calls of earlier runs stay, so a failure cannot be shrunk.
        { numRuns: 10, seed: 20261116, endOnFailure: true },
      )
      expect((await checkBooks(portal.database.url)).isSound).toBe(true)
    },
  )
})
