import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeTrunk, QUARTER, type Quality, type QuarterCount, type TrunkQuality } from './index.ts'

const MINUTE = 60_000
const quality: Quality = { minAsr: 40, minCalls: 20, windowMinutes: 60, restMinutes: 30 }
const START = 1_000 * QUARTER

/** Counts of one trunk that grow as attempts end. */
function createCounts() {
  const quarters = new Map<number, QuarterCount>()
  return {
    add(at: number, calls: number, answered: number): void {
      const quarter = Math.floor(at / QUARTER) * QUARTER
      const before = quarters.get(quarter)
      quarters.set(quarter, {
        quarter,
        calls: (before?.calls ?? 0) + calls,
        answered: (before?.answered ?? 0) + answered,
      })
    },
    all: () => [...quarters.values()],
  }
}

const judge = (before: TrunkQuality | null, counts: ReturnType<typeof createCounts>, at: number) =>
  judgeTrunk(quality, before, counts.all(), at)

/** Demoted at START. */
function demote() {
  const counts = createCounts()
  counts.add(START, 20, 7)
  return { counts, state: judge(null, counts, START) }
}

describe('a trunk', () => {
  test('is demoted with enough calls below the threshold, and names their number and its rest', () => {
    const { state } = demote()
    expect(state).toMatchObject({
      demotedSince: START,
      returnsAt: START + 30 * MINUTE,
      cause: { calls: 20, answered: 7 },
    })
  })

  test.each([
    ['too few calls', 19, 0],
    ['an ASR at the threshold', 20, 8],
    ['no calls', 0, 0],
  ])('is not demoted with %s', (_, calls, answered) => {
    const counts = createCounts()
    counts.add(START, calls, answered)
    expect(judge(null, counts, START).demotedSince).toBeNull()
  })

  test('is not demoted for calls before the window', () => {
    const counts = createCounts()
    counts.add(START, 100, 0)
    expect(judge(null, counts, START + 75 * MINUTE).demotedSince).toBeNull()
    expect(judge(null, counts, START + 74 * MINUTE).demotedSince).not.toBeNull()
  })

  test('returns after its rest without trial calls, and old calls do not demote it again', () => {
    const { counts, state } = demote()
    expect(judge(state, counts, START + 29 * MINUTE).demotedSince).toBe(START)
    const back = judge(state, counts, START + 30 * MINUTE)
    expect(back).toMatchObject({ demotedSince: null, returnsAt: null, cause: null })
    expect(judge(back, counts, START + 31 * MINUTE).demotedSince).toBeNull()
    counts.add(START + 32 * MINUTE, 20, 0)
    expect(judge(back, counts, START + 32 * MINUTE).demotedSince).toBe(START + 32 * MINUTE)
  })

  test('returns early with as many calls clearly above the threshold', () => {
    const { counts, state } = demote()
    counts.add(START + MINUTE, 19, 19)
    expect(judge(state, counts, START + MINUTE).demotedSince).toBe(START)
    counts.add(START + 2 * MINUTE, 1, 0)
    expect(judge(state, counts, START + 2 * MINUTE).demotedSince).toBeNull()
  })

  test('does not return early between the threshold and the margin above it', () => {
    const { counts, state } = demote()
    counts.add(START + MINUTE, 100, 44)
    expect(judge(state, counts, START + MINUTE).demotedSince).toBe(START)
    counts.add(START + MINUTE, 0, 1)
    expect(judge(state, counts, START + MINUTE).demotedSince).toBeNull()
  })

  test('rests again if its trial calls fail, and counts the next ones only', () => {
    const { counts, state } = demote()
    counts.add(START + MINUTE, 5, 1)
    const again = judge(state, counts, START + 30 * MINUTE)
    expect(again).toMatchObject({ demotedSince: START, returnsAt: START + 60 * MINUTE })
    expect(judge(again, counts, START + 60 * MINUTE).demotedSince).toBeNull()
  })

  test('never changes state more often than its rest or as many calls as it needs', () => {
    const steps = fc.array(fc.tuple(fc.nat(30), fc.nat(100)), { minLength: 50, maxLength: 200 })
    fc.assert(
      fc.property(steps, (all) => {
        const counts = createCounts()
        let state: TrunkQuality | null = null
        let callsSinceChange = 0
        let changedAt = -Infinity
        for (const [minute, [calls, percent]] of all.entries()) {
          const at = START + minute * MINUTE
          counts.add(at, calls, Math.floor((calls * percent) / 100))
          callsSinceChange += calls
          const next = judge(state, counts, at)
          if ((next.demotedSince === null) !== ((state?.demotedSince ?? null) === null)) {
            const isRested = at - changedAt >= quality.restMinutes * MINUTE
            expect(isRested || callsSinceChange >= quality.minCalls).toBe(true)
            changedAt = at
            callsSinceChange = 0
          }
          expect((next.returnsAt === null) === (next.demotedSince === null)).toBe(true)
          state = next
        }
      }),
      { numRuns: 60 },
    )
  })
})
