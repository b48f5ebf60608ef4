import fc from 'fast-check'
import { expect, it } from 'vitest'
import { piecesOf, type Step } from './pieces.ts'

const QUARTER = 15 * 60_000
const LENGTH: Record<Step, number> = { quarter: 1, block: 24, day: 96, week: 7 * 96 }
const MONDAY = Date.parse('2026-03-02T00:00:00Z')
const at = (quarter: number) => new Date(MONDAY + quarter * QUARTER)
const quarterOf = (moment: Date) => (moment.getTime() - MONDAY) / QUARTER

it('adds every quarter of the period once and no other, from whole steps', () => {
  const quarter = fc.integer({ min: 0, max: 6 * 7 * 96 })
  fc.assert(
    fc.property(quarter, quarter, quarter, (one, other, now) => {
      const [first, last] = [Math.min(one, other), Math.max(one, other)]
      const counts = new Map<number, number>()
      for (const { step, from, to, sign } of piecesOf({ from: at(first), to: at(last) }, at(now))) {
        expect(quarterOf(from) % LENGTH[step]).toBe(0)
        expect(quarterOf(to) % LENGTH[step]).toBe(0)
        for (let each = quarterOf(from); each < quarterOf(to); each++)
          counts.set(each, (counts.get(each) ?? 0) + sign)
      }
      const covered = [...counts].filter(([, count]) => count !== 0)
      expect(covered.every(([each, count]) => count === 1 && each >= first && each < last)).toBe(true)
      expect(covered).toHaveLength(last - first)
    }),
  )
})

it('reads a year of any time zone in at most 53 weeks, 8 days, 4 blocks and 24 quarters', () => {
  for (let offset = 0; offset < 7 * 96; offset++) {
    const steps = { week: 0, day: 0, block: 0, quarter: 0 }
    const [begins, ends] = [at(offset), at(offset + 365 * 96)]
    for (const { step, from, to } of piecesOf({ from: begins, to: ends }, ends))
      steps[step] += (quarterOf(to) - quarterOf(from)) / LENGTH[step]
    expect(steps.week).toBeLessThanOrEqual(53)
    expect(steps.day).toBeLessThanOrEqual(8)
    expect(steps.block).toBeLessThanOrEqual(4)
    expect(steps.quarter).toBeLessThanOrEqual(24)
  }
})

it('reads the running week and day as a whole', () => {
  const now = at(3 * 96 + 40)
  expect(piecesOf({ from: at(0), to: at(4 * 96) }, now)).toEqual([
    { step: 'week', from: at(0), to: at(7 * 96), sign: 1 },
    { step: 'day', from: at(4 * 96), to: at(7 * 96), sign: -1 },
  ])
})
