import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../money/index.ts'
import { billedBySecond } from '../rating/index.ts'
import {
  chooseTrunks,
  drawOf,
  isTrialCall,
  type Routing,
  type RoutingRule,
  routingModes,
  ruleFor,
  TRIAL_EVERY,
} from './index.ts'
import { routeWith, trunkWith } from './test/trunk-example.ts'

const ruleWith = (differences: Partial<RoutingRule> = {}): RoutingRule => ({
  id: 1,
  planId: 7,
  country: null,
  mode: 'order',
  trunks: [],
  quality: null,
  ...differences,
})

/** Not a trial call. */
const DRAW = TRIAL_EVERY + 1
const cheapest = trunkWith({ id: 1, priority: 300, buyRate: billedBySecond(micros(1_000n)) })
const middle = trunkWith({ id: 2, priority: 200, buyRate: billedBySecond(micros(2_000n)) })
const dearest = trunkWith({ id: 3, priority: 100, buyRate: billedBySecond(micros(3_000n)) })
const trunks = [cheapest, middle, dearest]

const order = (rule: RoutingRule | null, { demoted = [] as number[], draw = DRAW, all = trunks } = {}) =>
  chooseTrunks({
    route: routeWith(),
    rate: billedBySecond(micros(10_000n)),
    e164: '12125551234',
    country: 'US',
    usedOf: () => 0,
    trunks: all,
    routing: rule && { rule, demoted: new Set(demoted), draw },
  }).chosen.map(({ trunk }) => trunk.id)

const named = (...ids: number[]) => ids.map((id) => ({ id, percent: null }))
const shares = (...percents: number[]) => percents.map((percent, at) => ({ id: at + 1, percent }))

/** Many trunks that tie, some of them unusable. */
const anyTrunks = fc
  .array(
    fc.record({
      isActive: fc.boolean(),
      priority: fc.constantFrom(10, 100),
      isPrimary: fc.boolean(),
      buyRate: fc.constantFrom(1_000n, 2_000n, 20_000n).map((price) => billedBySecond(micros(price))),
      capacity: fc.constantFrom(0, 5),
    }),
    { maxLength: 7 },
  )
  .map((all) => all.map((differences, id) => trunkWith({ ...differences, id })))
const anyRouting: fc.Arbitrary<Routing> = fc.record({
  rule: fc
    .record({
      mode: fc.constantFrom(...routingModes),
      trunks: fc.uniqueArray(
        fc.record({ id: fc.nat(8), percent: fc.option(fc.integer({ min: 1, max: 100 })) }),
        { selector: ({ id }) => id },
      ),
    })
    .map(ruleWith),
  demoted: fc.array(fc.nat(8)).map((ids) => new Set(ids)),
  draw: fc.nat(2 ** 32 - 1),
})

describe('a routing rule', () => {
  test('never adds or removes a trunk, whatever it names, demotes or draws', () => {
    fc.assert(
      fc.property(anyTrunks, anyRouting, (all, { rule, demoted, draw }) => {
        const without = order(null, { all })
        const ruled = order(rule, { all, demoted: [...demoted], draw })
        expect(ruled.toSorted()).toEqual(without.toSorted())
      }),
      { numRuns: 800 },
    )
  })

  test('gives the same order for the same call, regardless of the order of its input', () => {
    const shuffled = anyTrunks.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    )
    fc.assert(
      fc.property(shuffled, anyRouting, ([all, others], { rule, demoted, draw }) => {
        const options = { demoted: [...demoted], draw }
        expect(order(rule, { all: others, ...options })).toEqual(order(rule, { all, ...options }))
      }),
      { numRuns: 500 },
    )
  })

  test('places every demoted trunk after every other one, except in trial calls', () => {
    fc.assert(
      fc.property(anyTrunks, anyRouting, (all, { rule, demoted, draw }) => {
        const ruled = order(rule, { all, demoted: [...demoted], draw })
        const places = ruled.map((id) => demoted.has(id))
        if (!isTrialCall({ draw })) expect(places).toEqual(places.toSorted())
        else expect(ruled).toEqual(order(rule, { all, draw }))
      }),
      { numRuns: 500 },
    )
  })

  test('changes nothing if it names no trunk in the mode "order"', () => {
    expect(order(null)).toEqual([3, 2, 1])
    expect(order(ruleWith())).toEqual([3, 2, 1])
  })

  test('orders the named trunks first and the others as without a rule', () => {
    expect(order(ruleWith({ trunks: named(2, 1) }))).toEqual([2, 1, 3])
    expect(order(ruleWith({ trunks: named(1) }))).toEqual([1, 3, 2])
    expect(order(ruleWith({ trunks: named(99, 2) }))).toEqual([2, 3, 1])
  })

  test('orders by the cost of a minute, even against the primary trunk, and ties as without a rule', () => {
    const all = [
      { ...dearest, isPrimary: true },
      middle,
      cheapest,
      trunkWith({ ...cheapest, id: 4, priority: 5 }),
    ]
    expect(order(ruleWith({ mode: 'cost' }), { all })).toEqual([4, 1, 2, 3])
  })

  test('moves a demoted trunk to the end and keeps it if nothing else is left', () => {
    const rule = ruleWith({ trunks: named(1, 2, 3) })
    expect(order(rule, { demoted: [1] })).toEqual([2, 3, 1])
    expect(order(rule, { demoted: [1, 2, 3] })).toEqual([1, 2, 3])
    expect(order(rule, { demoted: [1], all: [cheapest] })).toEqual([1])
    expect(order(rule, { demoted: [1], draw: TRIAL_EVERY * 7 })).toEqual([1, 2, 3])
  })

  test('gives the share of an unusable or demoted trunk to the others in proportion', () => {
    const rule = ruleWith({ mode: 'share', trunks: shares(50, 30, 20) })
    const firsts = (options: { demoted?: number[]; all?: typeof trunks }) =>
      countFirsts((draw) => order(rule, { ...options, draw })[0])
    expect(firsts({ all: [middle, dearest] })).toEqual({ 2: 60, 3: 40 })
    // One of 20 calls is a trial call with the full shares.
    expect(firsts({ demoted: [1] })).toEqual({ 1: 3, 2: 59, 3: 39 })
    expect(order(ruleWith({ mode: 'share', trunks: shares(100) }), { all: [dearest, middle] })).toEqual([
      2, 3,
    ])
  })

  test('has shares that converge to the percentages, for any ids of calls', () => {
    const percents = fc
      .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }))
      .map(([left, right]) => [Math.min(left, right), Math.abs(left - right), 100 - Math.max(left, right)])
    fc.assert(
      fc.property(percents, fc.string({ maxLength: 12 }), ([one = 0, two = 0, three = 0], prefix) => {
        const rule = ruleWith({ mode: 'share', trunks: shares(one, two, three) })
        const calls = 2_000
        const counts = [0, 0, 0, 0]
        for (let call = 0; call < calls; call++) {
          const [first = 0] = order(rule, { draw: drawOf(`${prefix}/${call}@192.0.2.1`) })
          counts[first] = (counts[first] ?? 0) + 1
        }
        for (const [at, percent] of [one, two, three].entries())
          expect(Math.abs(((counts[at + 1] ?? 0) / calls) * 100 - percent)).toBeLessThan(5)
      }),
      { numRuns: 8 },
    )
  })

  test('makes about one of 20 calls a trial call', () => {
    let trials = 0
    for (let call = 0; call < 10_000; call++) if (isTrialCall({ draw: drawOf(`sw1/${call}`) })) trials++
    expect(trials / 10_000).toBeCloseTo(1 / TRIAL_EVERY, 2)
  })

  test('of a plan and country wins over the rule of the plan', () => {
    const ofPlan = ruleWith({ id: 1 })
    const ofCountry = ruleWith({ id: 2, country: 'US' })
    const others = [ruleWith({ id: 3, planId: 8, country: 'US' }), ruleWith({ id: 4, country: 'GB' })]
    const all = [ofPlan, ...others, ofCountry]
    expect(ruleFor(all, 7, 'US')?.id).toBe(2)
    expect(ruleFor(all, 7, 'FR')?.id).toBe(1)
    expect(ruleFor(all, 8, 'FR')).toBeUndefined()
  })
})

/** Rounded percentages of the first trunk over all draws of 2,000 calls. */
function countFirsts(firstOf: (draw: number) => number | undefined): Record<number, number> {
  const counts: Record<number, number> = {}
  for (let draw = 0; draw < 2_000; draw++) {
    const first = firstOf(draw) ?? 0
    counts[first] = (counts[first] ?? 0) + 1
  }
  return Object.fromEntries(Object.entries(counts).map(([id, count]) => [id, Math.round(count / 20)]))
}
