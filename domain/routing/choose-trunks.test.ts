import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../money/index.ts'
import { createPrefixIndex, longestPrefix } from '../rating/index.ts'
import { chooseTrunks, dialledFor, type Trunk, type TrunkQuestion, whyLeftOut } from './index.ts'
import { routeWith, trunkWith } from './test/trunk-example.ts'

const E164 = '12125551234'
const price = micros(10_000n)

const ask = (trunks: readonly Trunk[], differences: Partial<TrunkQuestion> = {}) =>
  chooseTrunks({
    route: routeWith(),
    rate: { priceMicros: price },
    e164: E164,
    country: 'US',
    usedOf: () => 0,
    ...differences,
    trunks,
  })
const idsOf = (choice: ReturnType<typeof ask>) => choice.chosen.map(({ trunk }) => trunk.id)

/** Few values of each kind, so that trunks differ in one thing and tie in the others. */
const cost = fc.constantFrom(9_999n, 10_000n, 10_001n).map((count) => micros(count))
const anyTrunk = fc
  .record({
    country: fc.constantFrom(null, 'US', 'GB'),
    planIds: fc.constantFrom(new Set([7]), new Set([8]), new Set([7, 8])),
    isActive: fc.boolean(),
    capacity: fc.integer({ min: 1, max: 3 }),
    buyRateMicros: cost,
    buyRates: fc
      .array(fc.record({ prefix: fc.constantFrom('1', '1212', '44'), priceMicros: cost }), { maxLength: 2 })
      .map((rates) => createPrefixIndex(rates)),
    priority: fc.constantFrom(10, 100),
    isPrimary: fc.boolean(),
  })
  .map((differences) => trunkWith(differences))
const anyQuestion = fc
  .record({
    trunks: fc.array(anyTrunk, { maxLength: 8 }).map((all) => all.map((each, id) => ({ ...each, id }))),
    used: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 }),
    sellsBelowCost: fc.boolean(),
  })
  .map(({ trunks, used, sellsBelowCost }) => ({
    trunks,
    usedOf: (id: number) => used[id] ?? 0,
    route: routeWith({ sellsBelowCost }),
  }))

const faultsOf = (trunk: Trunk, { usedOf, route }: Pick<TrunkQuestion, 'usedOf' | 'route'>) => {
  const buyRate = longestPrefix(trunk.buyRates, E164)?.priceMicros ?? trunk.buyRateMicros
  return {
    serves: trunk.isActive && trunk.planIds.has(7) && trunk.country !== 'GB',
    isFull: usedOf(trunk.id) >= trunk.capacity,
    isTooDear: buyRate > price && !route.sellsBelowCost,
  }
}

describe('the trunks of a call', () => {
  test('are all those that serve it, have room and are not dearer than the price; no other', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const expected = question.trunks.filter((trunk) => {
          const { serves, isFull, isTooDear } = faultsOf(trunk, question)
          return serves && !isFull && !isTooDear
        })
        const chosen = idsOf(ask(question.trunks, question))
        expect([...chosen].sort()).toEqual(expected.map(({ id }) => id))
        const asked = { ...question, rate: { priceMicros: price }, e164: E164, country: 'US' }
        const free = question.trunks.filter((trunk) => whyLeftOut(trunk, asked) === null)
        expect(free).toEqual(expected)
      }),
      { numRuns: 1_500 },
    )
  })

  test('where there are none, the reason is one that could be put right', () => {
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const { chosen, none } = ask(question.trunks, question)
        const serving = question.trunks.map((each) => faultsOf(each, question)).filter(({ serves }) => serves)
        expect(none === undefined).toBe(chosen.length > 0)
        if (none === 'no_trunk') expect(serving).toEqual([])
        // An administrator's consent, or a better price, would have let the call through or is needed in any case.
        if (none === 'below_cost') {
          expect(serving.some(({ isFull }) => !isFull) || serving.every(({ isTooDear }) => isTooDear)).toBe(
            true,
          )
        }
        if (none === 'trunks_full') {
          expect(serving.every(({ isFull }) => isFull)).toBe(true)
          expect(serving.some(({ isTooDear }) => !isTooDear)).toBe(true)
        }
      }),
      { numRuns: 1_500 },
    )
  })

  test('come in the same order, however they are listed', () => {
    const shuffled = anyQuestion.chain((question) =>
      fc.tuple(
        fc.constant(question),
        fc.shuffledSubarray(question.trunks, { minLength: question.trunks.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([question, others]) => {
        expect(idsOf(ask(others, question))).toEqual(idsOf(ask(question.trunks, question)))
      }),
      { numRuns: 1_500 },
    )
  })

  test('are ordered: primary of the country, general primary, priority, buy rate, id', () => {
    const trunks = [
      trunkWith({ id: 1, priority: 50, buyRateMicros: micros(2n) }),
      trunkWith({ id: 2, priority: 50, buyRateMicros: micros(1n) }),
      trunkWith({ id: 3, priority: 10, buyRateMicros: micros(9n), country: 'US' }),
      trunkWith({ id: 4, priority: 900, isPrimary: true }),
      trunkWith({ id: 5, priority: 999, isPrimary: true, country: 'US' }),
      trunkWith({ id: 6, priority: 50, buyRateMicros: micros(1n) }),
      trunkWith({
        id: 7,
        priority: 50,
        buyRates: createPrefixIndex([{ prefix: '1', priceMicros: micros(0n) }]),
      }),
    ]
    expect(idsOf(ask(trunks))).toEqual([5, 4, 3, 7, 2, 6, 1])
  })

  test('are priced by their longest prefix and given the number as the carrier wants it', () => {
    const buyRates = createPrefixIndex([
      { prefix: '1', priceMicros: micros(4_000n) },
      { prefix: '1212', priceMicros: micros(6_000n) },
    ])
    const trunk = trunkWith({ buyRates, stripDigits: 1, addPrefix: '99#' })
    expect(ask([trunk]).chosen).toEqual([{ trunk, buyRateMicros: 6_000n, number: '99#2125551234' }])
  })

  const tooDear = trunkWith({ id: 1, buyRateMicros: micros(10_001n) })
  const full = trunkWith({ id: 2, capacity: 1 })
  const usedOf = (id: number) => (id === 2 ? 1 : 0)
  test.each([
    ['nothing there', [], 'no_trunk'],
    ['inactive', [trunkWith({ isActive: false })], 'no_trunk'],
    ['of another plan', [trunkWith({ planIds: new Set([8]) })], 'no_trunk'],
    ['of another country', [trunkWith({ country: 'GB' })], 'no_trunk'],
    ['full', [full], 'trunks_full'],
    ['too dear', [tooDear], 'below_cost'],
    ['one full, one too dear', [full, tooDear], 'below_cost'],
    ['full and too dear', [{ ...tooDear, id: 2, capacity: 1 }], 'below_cost'],
    ['one full, one full and too dear', [full, { ...tooDear, capacity: 0 }], 'trunks_full'],
  ] as const)('%s', (_, trunks, none) => {
    expect(ask(trunks, { usedOf })).toEqual({ chosen: [], none })
  })

  test('a free call needs a free trunk, or an administrator’s word', () => {
    const free = { rate: { priceMicros: micros(0n) } }
    expect(ask([trunkWith()], free).none).toBe('below_cost')
    expect(idsOf(ask([trunkWith({ buyRateMicros: micros(0n) })], free))).toEqual([1])
    expect(idsOf(ask([trunkWith()], { ...free, route: routeWith({ sellsBelowCost: true }) }))).toEqual([1])
  })
})

describe('the number a carrier is sent', () => {
  test.each([
    [0, '', '12125551234'],
    [1, '', '2125551234'],
    [0, '+', '+12125551234'],
    [1, '011', '0112125551234'],
    [15, '7', '7'],
  ])('strip %i, add %j: %s', (stripDigits, addPrefix, number) => {
    expect(dialledFor({ stripDigits, addPrefix }, E164)).toBe(number)
  })
})
