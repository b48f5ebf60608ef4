import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  deadlinesOf,
  decideRenewal,
  periodContaining,
  periodEnd,
  periodOf,
  type RenewalFacts,
  type RenewalSettings,
} from './index.ts'

const at = (text: string): Date => new Date(`${text}:00.000Z`)
const DAY = 86_400_000
const settings: RenewalSettings = { warnDays: 3, graceDays: 7, suspendedDays: 14 }
const rental: RenewalFacts = {
  state: 'active',
  startedAt: at('2026-01-31T10:30'),
  periods: 1,
  cancels: false,
  warnedPeriod: null,
  overdueSince: null,
  suspendedAt: null,
}

describe('periods', () => {
  it.each([
    [1, '2026-02-28T10:30'],
    [2, '2026-03-31T10:30'],
    [3, '2026-04-30T10:30'],
    [12, '2027-01-31T10:30'],
    [25, '2028-02-29T10:30'],
  ])('ends period %i of a rental that started on January 31 at %s', (period, end) => {
    expect(periodEnd(rental.startedAt, period)).toEqual(at(end))
  })

  it('follow each other without a gap, and each time is in one of them', () => {
    const day = fc.date({ min: at('2020-01-01T00:00'), max: at('2040-01-01T00:00'), noInvalidDate: true })
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 999 }),
        (start, period, share) => {
          const { from, to } = periodOf(start, period)
          expect(from.getTime()).toBeLessThan(to.getTime())
          expect(to).toEqual(periodOf(start, period + 1).from)
          expect(periodOf(start, 1).from).toEqual(start)
          const inside = new Date(
            Math.floor(from.getTime() + (share / 1000) * (to.getTime() - from.getTime())),
          )
          expect(periodContaining(start, inside)).toBe(period)
        },
      ),
    )
  })
})

describe('a renewal', () => {
  const decide = (changes: Partial<RenewalFacts>, isCovered: boolean, now: string) =>
    decideRenewal({ ...rental, ...changes }, isCovered, settings, at(now))
  const grace = { state: 'grace', overdueSince: at('2026-02-28T10:30') } as const
  const suspended = { ...grace, state: 'suspended', suspendedAt: at('2026-03-07T10:30') } as const

  it('is booked at the end of the paid period, not before', () => {
    expect(decide({}, true, '2026-02-28T10:29')).toEqual({ kind: 'none' })
    expect(decide({}, true, '2026-02-28T10:30')).toEqual({
      kind: 'renew',
      period: 2,
      paidUntil: at('2026-03-31T10:30'),
      isActive: true,
    })
  })

  it('warns once for each period that the balance does not cover', () => {
    expect(decide({}, false, '2026-02-25T10:29')).toEqual({ kind: 'none' })
    expect(decide({}, false, '2026-02-25T10:30')).toEqual({ kind: 'warn', period: 2 })
    expect(decide({}, true, '2026-02-25T10:30')).toEqual({ kind: 'none' })
    expect(decide({ warnedPeriod: 2 }, false, '2026-02-25T10:30')).toEqual({ kind: 'none' })
    expect(decide({ warnedPeriod: 1 }, false, '2026-02-25T10:30')).toEqual({ kind: 'warn', period: 2 })
    expect(decide({ cancels: true }, false, '2026-02-25T10:30')).toEqual({ kind: 'none' })
  })

  it('goes through grace and suspension to the release, each for its full time', () => {
    expect(decide({}, false, '2026-02-28T10:30')).toEqual({ kind: 'grace' })
    expect(decide(grace, false, '2026-03-07T10:29')).toEqual({ kind: 'none' })
    expect(decide(grace, false, '2026-03-07T10:30')).toEqual({ kind: 'suspend' })
    expect(decide(suspended, false, '2026-03-21T10:29')).toEqual({ kind: 'none' })
    expect(decide(suspended, false, '2026-03-21T10:30')).toEqual({ kind: 'end', reason: 'unpaid' })
    // An outage does not shorten the suspension.
    expect(decide({ ...suspended, suspendedAt: at('2026-05-01T00:00') }, false, '2026-05-14T00:00')).toEqual({
      kind: 'none',
    })
  })

  it('books the unpaid period of a rental in grace, also after its end', () => {
    expect(decide(grace, true, '2026-03-05T00:00')).toMatchObject({ period: 2, isActive: true })
    expect(decide(grace, true, '2026-04-05T00:00')).toMatchObject({ period: 2, isActive: false })
  })

  it('books the current period of a suspended rental, and none that passed completely', () => {
    expect(decide(suspended, true, '2026-03-10T00:00')).toMatchObject({ period: 2, isActive: true })
    expect(decide(suspended, true, '2026-05-10T00:00')).toEqual({
      kind: 'renew',
      period: 4,
      paidUntil: at('2026-05-31T10:30'),
      isActive: true,
    })
  })

  it('ends a canceled rental with its paid period, in every state', () => {
    expect(decide({ cancels: true }, true, '2026-02-28T10:29')).toEqual({ kind: 'none' })
    for (const state of [{}, grace, suspended])
      expect(decide({ ...state, cancels: true }, true, '2026-03-01T00:00')).toEqual({
        kind: 'end',
        reason: 'cancelled',
      })
    expect(decide({ state: 'ended' }, true, '2026-03-01T00:00')).toEqual({ kind: 'none' })
  })

  it('names the deadlines in grace and while suspended', () => {
    expect(deadlinesOf(rental, settings)).toBeNull()
    const dates = { suspendsAt: at('2026-03-07T10:30'), releasesAt: at('2026-03-21T10:30') }
    expect(deadlinesOf({ ...rental, ...grace }, settings)).toEqual(dates)
    expect(deadlinesOf({ ...rental, ...suspended }, settings)).toEqual(dates)
  })
})

type Life = { facts: RenewalFacts; booked: number[]; warned: number[]; steps: { kind: string; at: number }[] }

/** Carries out the steps in memory, as the server does. */
function live(isCoveredAt: (step: number) => boolean, gaps: readonly number[], used: RenewalSettings): Life {
  let facts = rental
  let now = rental.startedAt.getTime()
  const life: Omit<Life, 'facts'> = { booked: [], warned: [], steps: [] }
  let round = 0
  for (const gap of gaps) {
    now += gap
    for (;;) {
      const step = decideRenewal(facts, isCoveredAt(round++), used, new Date(now))
      if (step.kind === 'none') break
      life.steps.push({ kind: step.kind, at: now })
      if (step.kind === 'warn') {
        life.warned.push(step.period)
        facts = { ...facts, warnedPeriod: step.period }
      }
      if (step.kind === 'grace') facts = { ...facts, state: 'grace', overdueSince: new Date(now) }
      if (step.kind === 'suspend') facts = { ...facts, state: 'suspended', suspendedAt: new Date(now) }
      if (step.kind === 'end') facts = { ...facts, state: 'ended' }
      if (step.kind === 'renew') {
        life.booked.push(step.period)
        facts = { ...facts, periods: step.period }
        if (step.isActive) facts = { ...facts, state: 'active', overdueSince: null, suspendedAt: null }
      }
    }
  }
  return { facts, ...life }
}

const days = (max: number) => fc.integer({ min: 0, max })
const anySettings = fc.record({ warnDays: days(10), graceDays: days(60), suspendedDays: days(60) })
const gaps = fc.array(fc.integer({ min: 1, max: 70 * DAY }), { maxLength: 60 })

describe('the life of a rental', () => {
  it('books each period at most once, in order, and warns at most once for each', () => {
    fc.assert(
      fc.property(gaps, fc.array(fc.boolean(), { minLength: 1 }), anySettings, (given, covered, used) => {
        const { booked, warned } = live((step) => covered[step % covered.length] ?? true, given, used)
        expect(booked).toEqual([...new Set(booked)].sort((left, right) => left - right))
        expect(warned).toEqual([...new Set(warned)])
      }),
    )
  })

  it('books every period without a gap while the balance covers the rent, whatever the outages', () => {
    fc.assert(
      fc.property(gaps, anySettings, (given, used) => {
        const { facts, booked } = live(() => true, given, used)
        expect(booked).toEqual(booked.map((_, place) => place + 2))
        const now = given.reduce((sum, gap) => sum + gap, rental.startedAt.getTime())
        expect(facts.state).toBe('active')
        expect(facts.periods).toBe(periodContaining(rental.startedAt, new Date(now)))
      }),
    )
  })

  it('never suspends before the end of the grace period nor releases before the end of the suspension', () => {
    fc.assert(
      fc.property(gaps, fc.array(fc.boolean(), { minLength: 1 }), anySettings, (given, covered, used) => {
        const { steps } = live((step) => covered[step % covered.length] ?? true, given, used)
        for (const [place, step] of steps.entries()) {
          const lastOf = (kind: string) =>
            steps.slice(0, place).findLast((each) => each.kind === kind)?.at ?? Number.NaN
          if (step.kind === 'suspend')
            expect(step.at - lastOf('grace')).toBeGreaterThanOrEqual(used.graceDays * DAY)
          if (step.kind === 'end')
            expect(step.at - lastOf('suspend')).toBeGreaterThanOrEqual(used.suspendedDays * DAY)
        }
      }),
    )
  })
})
