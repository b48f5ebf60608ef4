import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollars, type Micros, micros, smaller } from '../money/index.ts'
import {
  affordableSeconds,
  billedBySecond,
  billedSeconds,
  costOf,
  MAX_CALL_SECONDS,
  type Rate,
} from '../rating/index.ts'
import { amountUpTo, anyRate } from '../rating/test/rate-arbitrary.ts'
import { cover, extend, runningCost, settle, timeoutReason } from './index.ts'

const UNLIMITED = dollars(1_000_000)
const runs = { numRuns: 1_000 }

const anyPace = fc
  .tuple(fc.integer({ min: 5, max: 600 }), fc.integer({ min: 1, max: 30 }))
  .map(([sliceSeconds, leadSeconds]) => ({ sliceSeconds, leadSeconds }))
type Pace = { readonly sliceSeconds: number; readonly leadSeconds: number }

/**
 * Simulates a call under call control: checks at least once per lead time, extends the hold when due (by less if the
 * balance is low), and ends the call when its cover ends.
 */
function lead(rate: Rate, balance: Micros, wantedSeconds: number, pace: Pace, looks: readonly number[]) {
  let covered = cover(rate, balance, pace.sliceSeconds)
  if (!covered) return null
  const holds = [covered]
  let elapsed = 0
  for (let round = 0; ; round++) {
    const due = extend({ rate, ...covered }, elapsed, { ...pace, spendableMicros: UNLIMITED })
    if (due) {
      const next =
        due.toMicros <= balance ? due.toSeconds : (cover(rate, balance, due.toSeconds)?.coveredSeconds ?? 0)
      if (next > covered.coveredSeconds) {
        covered = { coveredSeconds: next, holdMicros: costOf(rate, next) }
        holds.push(covered)
      }
    }
    const owed = runningCost(rate, Math.min(elapsed, covered.coveredSeconds))
    if (owed > covered.holdMicros) throw new Error(`${owed} owed, ${covered.holdMicros} held at ${elapsed} s`)
    if (elapsed >= wantedSeconds || elapsed >= covered.coveredSeconds) break
    elapsed = Math.min(elapsed + 1 + ((looks[round % looks.length] ?? 0) % pace.leadSeconds), wantedSeconds)
  }
  return { holds, covered, talked: Math.min(wantedSeconds, covered.coveredSeconds) }
}

const anyLooks = fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 30 })

describe('a call extended in slices', () => {
  test('costs the same as an unsliced call, and each hold covers the cost so far', () => {
    const wanted = fc.integer({ min: 1, max: MAX_CALL_SECONDS })
    fc.assert(
      fc.property(anyRate, wanted, anyPace, anyLooks, (rate, seconds, pace, looks) => {
        const call = lead(rate, UNLIMITED, seconds, pace, looks)
        expect(call?.talked).toBe(seconds)
        const settled = settle(
          { rate, buyRate: billedBySecond(micros(0n)), coveredSeconds: call?.covered.coveredSeconds ?? 0 },
          seconds,
        )
        expect(settled.costMicros).toBe(costOf(rate, seconds))
        expect(settled.costMicros).toBeLessThanOrEqual(call?.covered.holdMicros ?? -1n)
        const totals = call?.holds.map(({ coveredSeconds }) => coveredSeconds) ?? []
        expect(totals).toEqual([...new Set(totals)].sort((left, right) => left - right))
      }),
      { numRuns: 100 },
    )
  })

  test('lasts exactly as long as the balance pays for and never costs more', () => {
    fc.assert(
      fc.property(anyRate, amountUpTo(30), anyPace, anyLooks, (rate, balance, pace, looks) => {
        const call = lead(rate, balance, MAX_CALL_SECONDS + 1, pace, looks)
        expect(call?.talked ?? 0).toBe(affordableSeconds(rate, balance))
        for (const { coveredSeconds, holdMicros } of call?.holds ?? []) {
          expect(holdMicros).toBe(costOf(rate, coveredSeconds))
          expect(holdMicros).toBeLessThanOrEqual(balance)
          expect(coveredSeconds).toBeLessThanOrEqual(MAX_CALL_SECONDS)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('lasts 7 seconds on a balance that pays for 7 seconds', () => {
    const rate = {
      priceMicros: dollars(60),
      connectFeeMicros: micros(0n),
      firstIncrement: 1,
      nextIncrement: 1,
    }
    const call = lead(rate, dollars(7), 3_600, { sliceSeconds: 60, leadSeconds: 15 }, [0])
    expect(call).toMatchObject({ talked: 7, covered: { coveredSeconds: 7, holdMicros: dollars(7) } })
  })
})

describe('cover', () => {
  const wanted = fc.integer({ min: 1, max: 2 * MAX_CALL_SECONDS })
  test('holds the cost of the covered seconds, limited by money, longest call and wanted block', () => {
    fc.assert(
      fc.property(anyRate, amountUpTo(200), wanted, (rate, available, seconds) => {
        const covered = cover(rate, available, seconds)
        if (!covered) {
          expect(costOf(rate, 1)).toBeGreaterThan(available)
          return
        }
        const { coveredSeconds, holdMicros } = covered
        expect(holdMicros).toBe(costOf(rate, coveredSeconds))
        expect(holdMicros).toBeLessThanOrEqual(available)
        expect(coveredSeconds).toBeLessThanOrEqual(Math.min(billedSeconds(rate, seconds), MAX_CALL_SECONDS))
        // Cover is shorter than wanted only if money is short.
        if (coveredSeconds < Math.min(seconds, MAX_CALL_SECONDS))
          expect(costOf(rate, coveredSeconds + 1)).toBeGreaterThan(available)
        // Cover ends with a block: the next second costs more or exceeds the longest call.
        if (coveredSeconds < MAX_CALL_SECONDS)
          expect(billedSeconds(rate, coveredSeconds)).toBe(coveredSeconds)
      }),
      { numRuns: 1_500 },
    )
  })
})

describe('an extension', () => {
  const coveredCall = fc
    .tuple(anyRate, fc.integer({ min: 1, max: MAX_CALL_SECONDS }))
    .map(([rate, seconds]) => ({
      rate,
      coveredSeconds: cover(rate, UNLIMITED, seconds)?.coveredSeconds ?? 0,
    }))
  const moment = fc.nat({ max: MAX_CALL_SECONDS + 100 })

  test('does not depend on the time of the request, so two processes agree', () => {
    fc.assert(
      fc.property(
        coveredCall,
        anyPace,
        moment,
        moment,
        amountUpTo(50),
        (call, pace, first, second, spendableMicros) => {
          const one = extend(call, call.coveredSeconds - (first % 31), { ...pace, spendableMicros })
          const other = extend(call, call.coveredSeconds - (second % 31), { ...pace, spendableMicros })
          if (one && other) expect(one).toEqual(other)
        },
      ),
      runs,
    )
  })

  test('is due during the lead time before cover ends and goes beyond that end', () => {
    fc.assert(
      fc.property(coveredCall, anyPace, moment, (call, pace, elapsed) => {
        const next = extend(call, elapsed, { ...pace, spendableMicros: UNLIMITED })
        const remaining = call.coveredSeconds - elapsed
        const isDue =
          remaining >= 0 && remaining <= pace.leadSeconds && call.coveredSeconds < MAX_CALL_SECONDS
        expect(next !== null).toBe(isDue)
        if (!next) return
        expect(next.toSeconds).toBeGreaterThan(call.coveredSeconds)
        expect(next.toSeconds).toBeLessThanOrEqual(MAX_CALL_SECONDS)
        expect(next.toMicros).toBe(costOf(call.rate, next.toSeconds))
        // Far enough to check once per lead, but at most lead plus slice, rounded up to a block.
        expect(next.toSeconds).toBeGreaterThan(
          Math.min(call.coveredSeconds + pace.leadSeconds, MAX_CALL_SECONDS - 1),
        )
        const wanted = call.coveredSeconds + pace.leadSeconds + pace.sliceSeconds
        expect(next.toSeconds).toBeLessThanOrEqual(billedSeconds(call.rate, wanted))
      }),
      { numRuns: 2_000 },
    )
  })

  test('uses at most the rest of the daily limit, and is null without a rest', () => {
    fc.assert(
      fc.property(coveredCall, anyPace, amountUpTo(20), (call, pace, spendableMicros) => {
        const next = extend(call, call.coveredSeconds, { ...pace, spendableMicros })
        const heldMicros = costOf(call.rate, call.coveredSeconds)
        if (next) {
          expect(next.toMicros - heldMicros).toBeLessThanOrEqual(spendableMicros)
          expect(next.toSeconds).toBeGreaterThan(call.coveredSeconds)
        } else if (call.coveredSeconds < MAX_CALL_SECONDS)
          expect(costOf(call.rate, call.coveredSeconds + 1) - heldMicros).toBeGreaterThan(spendableMicros)
      }),
      runs,
    )
  })

  test.each([
    // covered, elapsed, to
    [60, 44, null],
    [60, 45, 120],
    [60, 60, 120],
    [60, 61, null],
    [37, 30, 60],
    [50, 40, 120],
    [120, 110, 180],
    [14_340, 14_330, 14_400],
    [14_390, 14_380, 14_400],
    [14_400, 14_390, null],
  ])('extends %i covered seconds at second %i to %s', (coveredSeconds, elapsed, to) => {
    const rate = {
      priceMicros: micros(60n),
      connectFeeMicros: micros(0n),
      firstIncrement: 1,
      nextIncrement: 1,
    }
    const pace = { sliceSeconds: 60, leadSeconds: 15, spendableMicros: UNLIMITED }
    expect(extend({ rate, coveredSeconds }, elapsed, pace)?.toSeconds ?? null).toBe(to)
  })
})

describe('timeout reason', () => {
  const rate = { priceMicros: micros(60n), connectFeeMicros: micros(0n), firstIncrement: 1, nextIncrement: 1 }
  test.each([
    ['longest_call_reached', MAX_CALL_SECONDS, 0n],
    ['daily_spend_used_up', 60, 0n],
    ['balance_used_up', 60, 1n],
  ] as const)('%s', (reason, coveredSeconds, spendable) => {
    expect(timeoutReason({ rate, coveredSeconds }, micros(spendable))).toBe(reason)
  })
})

describe('settlement', () => {
  const talked = fc.integer({ min: 0, max: 2 * MAX_CALL_SECONDS })
  test('never costs more than the hold and charges only covered seconds', () => {
    fc.assert(
      fc.property(anyRate, talked, talked, anyRate, (rate, seconds, wanted, buyRate) => {
        const covered = cover(rate, UNLIMITED, wanted)
        if (!covered) return
        const settled = settle({ rate, coveredSeconds: covered.coveredSeconds, buyRate }, seconds)
        expect(settled.costMicros).toBeLessThanOrEqual(covered.holdMicros)
        expect(settled.seconds).toBe(Math.min(seconds, covered.coveredSeconds))
        expect(settled.billedSeconds).toBe(billedSeconds(rate, settled.seconds))
        expect(settled.costMicros).toBe(costOf(rate, settled.seconds))
        expect(settled.buyMicros).toBe(costOf(buyRate, settled.seconds))
      }),
      { numRuns: 1_500 },
    )
  })

  test('never loses money over a trunk that bills by the second and costs at most the selling price', () => {
    fc.assert(
      fc.property(anyRate, talked, amountUpTo(20), (rate, seconds, price) => {
        const buyRate = billedBySecond(smaller(price, rate.priceMicros))
        const { costMicros, buyMicros } = settle({ rate, coveredSeconds: MAX_CALL_SECONDS, buyRate }, seconds)
        expect(buyMicros).toBeLessThanOrEqual(costMicros)
      }),
      runs,
    )
  })

  test('costs whole minutes and the fee of a carrier that bills 60/60', () => {
    const buyRate = {
      priceMicros: micros(6_000n),
      connectFeeMicros: micros(500n),
      firstIncrement: 60,
      nextIncrement: 60,
    }
    const buyAfter = (seconds: number) =>
      settle({ rate: billedBySecond(micros(20_000n)), coveredSeconds: 3_600, buyRate }, seconds).buyMicros
    expect([0, 1, 60, 61, 121].map(buyAfter)).toEqual([0n, 6_500n, 6_500n, 12_500n, 18_500n])
  })

  test('is zero for an unanswered call', () => {
    const rate = {
      priceMicros: dollars(1),
      connectFeeMicros: dollars(1),
      firstIncrement: 60,
      nextIncrement: 60,
    }
    expect(settle({ rate, coveredSeconds: 60, buyRate: rate }, 0)).toEqual({
      seconds: 0,
      billedSeconds: 0,
      costMicros: 0n,
      buyMicros: 0n,
    })
  })

  test('matches the running cost at the end, which includes the first block from the start', () => {
    fc.assert(
      fc.property(anyRate, fc.integer({ min: 1, max: MAX_CALL_SECONDS }), (rate, seconds) => {
        expect(runningCost(rate, seconds)).toBe(costOf(rate, seconds))
        expect(runningCost(rate, 0)).toBe(costOf(rate, 1))
        expect(runningCost(rate, seconds - 0.4)).toBe(costOf(rate, seconds))
      }),
      runs,
    )
  })
})
