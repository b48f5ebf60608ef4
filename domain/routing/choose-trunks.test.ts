import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../money/index.ts'
import { billedBySecond, createPrefixIndex, longestPrefix, type Rate } from '../rating/index.ts'
import { carrierNumber, chooseTrunks, exclusionReason, type Trunk, type TrunkQuery } from './index.ts'
import { routeWith, trunkWith } from './test/trunk-example.ts'

const E164 = '12125551234'
const price = micros(10_000n)

const choose = (trunks: readonly Trunk[], differences: Partial<TrunkQuery> = {}) =>
  chooseTrunks({
    route: routeWith(),
    rate: billedBySecond(price),
    e164: E164,
    country: 'US',
    usedOf: () => 0,
    ...differences,
    trunks,
  })
const idsOf = (choice: ReturnType<typeof choose>) => choice.chosen.map(({ trunk }) => trunk.id)

/** Few values of each kind, so trunks often tie. */
const cost = fc.constantFrom(9_999n, 10_000n, 10_001n).map((count) => billedBySecond(micros(count)))
const anyTrunk = fc
  .record({
    country: fc.constantFrom(null, 'US', 'GB'),
    planIds: fc.constantFrom(new Set([7]), new Set([8]), new Set([7, 8])),
    isActive: fc.boolean(),
    capacity: fc.integer({ min: 1, max: 3 }),
    buyRate: cost,
    buyRates: fc
      .array(fc.tuple(fc.constantFrom('1', '1212', '44'), cost), { maxLength: 2 })
      .map((rates) => createPrefixIndex(rates.map(([prefix, rate]) => ({ prefix, ...rate })))),
    priority: fc.constantFrom(10, 100),
    isPrimary: fc.boolean(),
  })
  .map((differences) => trunkWith(differences))
const anyQuery = fc
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

const faultsOf = (trunk: Trunk, { usedOf, route }: Pick<TrunkQuery, 'usedOf' | 'route'>) => {
  const buyRate = (longestPrefix(trunk.buyRates, E164) ?? trunk.buyRate).priceMicros
  return {
    serves: trunk.isActive && trunk.planIds.has(7) && trunk.country !== 'GB',
    isFull: usedOf(trunk.id) >= trunk.capacity,
    isTooExpensive: buyRate > price && !route.sellsBelowCost,
  }
}

describe('the trunks of a call', () => {
  test('are exactly those that serve it, have a free channel and cost at most the price', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const expected = query.trunks.filter((trunk) => {
          const { serves, isFull, isTooExpensive } = faultsOf(trunk, query)
          return serves && !isFull && !isTooExpensive
        })
        const chosen = idsOf(choose(query.trunks, query))
        expect([...chosen].sort()).toEqual(expected.map(({ id }) => id))
        const fullQuery = { ...query, rate: billedBySecond(price), e164: E164, country: 'US' }
        const free = query.trunks.filter((trunk) => exclusionReason(trunk, fullQuery) === null)
        expect(free).toEqual(expected)
      }),
      { numRuns: 1_500 },
    )
  })

  test('include a reason if there are none, which names the missing condition', () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const { chosen, none } = choose(query.trunks, query)
        const serving = query.trunks.map((each) => faultsOf(each, query)).filter(({ serves }) => serves)
        expect(none === undefined).toBe(chosen.length > 0)
        if (none === 'no_trunk') expect(serving).toEqual([])
        // A higher price, or permission to sell below cost, is necessary for the call.
        if (none === 'below_cost') {
          expect(
            serving.some(({ isFull }) => !isFull) || serving.every(({ isTooExpensive }) => isTooExpensive),
          ).toBe(true)
        }
        if (none === 'trunks_full') {
          expect(serving.every(({ isFull }) => isFull)).toBe(true)
          expect(serving.some(({ isTooExpensive }) => !isTooExpensive)).toBe(true)
        }
      }),
      { numRuns: 1_500 },
    )
  })

  test('have the same order regardless of the input order', () => {
    const shuffled = anyQuery.chain((query) =>
      fc.tuple(fc.constant(query), fc.shuffledSubarray(query.trunks, { minLength: query.trunks.length })),
    )
    fc.assert(
      fc.property(shuffled, ([query, others]) => {
        expect(idsOf(choose(others, query))).toEqual(idsOf(choose(query.trunks, query)))
      }),
      { numRuns: 1_500 },
    )
  })

  test('are ordered: primary of the country, general primary, priority, buy rate, id', () => {
    const trunks = [
      trunkWith({ id: 1, priority: 50, buyRate: billedBySecond(micros(2n)) }),
      trunkWith({ id: 2, priority: 50, buyRate: billedBySecond(micros(1n)) }),
      trunkWith({ id: 3, priority: 10, buyRate: billedBySecond(micros(9n)), country: 'US' }),
      trunkWith({ id: 4, priority: 900, isPrimary: true }),
      trunkWith({ id: 5, priority: 999, isPrimary: true, country: 'US' }),
      trunkWith({ id: 6, priority: 50, buyRate: billedBySecond(micros(1n)) }),
      trunkWith({
        id: 7,
        priority: 50,
        buyRates: createPrefixIndex([{ prefix: '1', ...billedBySecond(micros(0n)) }]),
      }),
    ]
    expect(idsOf(choose(trunks))).toEqual([5, 4, 3, 7, 2, 6, 1])
  })

  test('have the buy rate of the longest prefix and the number in the carrier format', () => {
    const buyRates = createPrefixIndex([
      { prefix: '1', ...billedBySecond(micros(4_000n)) },
      { prefix: '1212', ...billedBySecond(micros(6_000n)) },
    ])
    const trunk = trunkWith({ buyRates, stripDigits: 1, addPrefix: '99#' })
    expect(choose([trunk]).chosen).toEqual([
      { trunk, buyRate: { prefix: '1212', ...billedBySecond(micros(6_000n)) }, number: '99#2125551234' },
    ])
  })

  const tooDear = trunkWith({ id: 1, buyRate: billedBySecond(micros(10_001n)) })
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
    expect(choose(trunks, { usedOf })).toEqual({ chosen: [], none })
  })

  test('are compared by the cost of a minute, which includes fee and increments', () => {
    const rate = { ...billedBySecond(price), connectFeeMicros: micros(10n) }
    const trunk = (id: number, buyRate: Partial<Rate>) =>
      trunkWith({ id, buyRate: { ...billedBySecond(price), ...buyRate } })
    const trunks = [
      trunk(1, { connectFeeMicros: micros(10n) }),
      trunk(2, { connectFeeMicros: micros(11n) }),
      trunk(3, { firstIncrement: 60, nextIncrement: 60 }),
      trunk(4, { firstIncrement: 61 }),
      trunk(5, { firstIncrement: 50, nextIncrement: 11 }),
    ]
    expect(idsOf(choose(trunks, { rate }))).toEqual([3, 1])
  })

  test('cost nothing for a free call, unless selling below cost is allowed', () => {
    const free = { rate: billedBySecond(micros(0n)) }
    expect(choose([trunkWith()], free).none).toBe('below_cost')
    expect(idsOf(choose([trunkWith({ buyRate: billedBySecond(micros(0n)) })], free))).toEqual([1])
    expect(idsOf(choose([trunkWith()], { ...free, route: routeWith({ sellsBelowCost: true }) }))).toEqual([1])
  })
})

describe('the number sent to a carrier', () => {
  test.each([
    [0, '', '12125551234'],
    [1, '', '2125551234'],
    [0, '+', '+12125551234'],
    [1, '011', '0112125551234'],
    [15, '7', '7'],
  ])('strip %i, add %j: %s', (stripDigits, addPrefix, number) => {
    expect(carrierNumber({ stripDigits, addPrefix }, E164)).toBe(number)
  })
})
