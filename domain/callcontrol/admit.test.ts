import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guardReasons } from '../guards/index.ts'
import { add, dollars, micros } from '../money/index.ts'
import { billedBySecond, costOf, createPrefixIndex } from '../rating/index.ts'
import { amountUpTo, anyRate } from '../rating/test/rate-arbitrary.ts'
import { routeWith, trunkWith } from '../routing/test/trunk-example.ts'
import { admit, type CallRequest, type RefusalReason, refusalReasons } from './index.ts'
import { plainNumber, requestWith, userWith } from './test/request-example.ts'

/** Reasons that `admit` never returns, because the server decides them. */
const OUTSIDE = [
  'no_emergency_service',
  'number_suspended',
  'no_balance',
  'overloaded',
  'unavailable',
] as const
type AdmitReason = Exclude<RefusalReason, (typeof OUTSIDE)[number]>
const TRUNK_REASONS: readonly AdmitReason[] = ['no_trunk', 'trunks_full', 'below_cost']

/** A request with all of these faults at once. */
function requestWithFaults(faults: ReadonlySet<AdmitReason>): CallRequest {
  const has = (fault: AdmitReason) => faults.has(fault)
  const route = routeWith({
    isPremium: has('premium_route'),
    rate: { ...routeWith().rate, priceMicros: has('price_above_limit') ? dollars(2) : micros(10_000n) },
  })
  const user = userWith(
    {
      isDisabled: has('account_disabled'),
      callerId: has('no_caller_id') ? null : '442079460018',
      isCallerIdApproved: !has('caller_id_unapproved'),
      routes: new Map(has('no_route') ? [] : [['US', route]]),
    },
    {
      areCallsStopped: has('calls_stopped'),
      blockedCountries: new Set(has('country_blocked') ? ['US'] : []),
      dailySpendMicros: dollars(50),
    },
  )
  const number = { ...plainNumber, isHighRisk: has('high_risk_blocked') }
  return requestWith({
    user: has('unknown_caller') ? null : user,
    number: has('unknown_number') ? null : number,
    hops: has('call_loop') ? 5 : 4,
    liveCalls: has('too_many_calls') ? 10 : 9,
    callsThisSecond: has('too_many_calls_per_second') ? 5 : 4,
    spentTodayMicros: has('daily_spend_reached') ? dollars(30) : dollars(20),
    heldTodayMicros: dollars(20),
    trunks: [
      trunkWith({
        isActive: !has('no_trunk'),
        buyRate: billedBySecond(has('below_cost') ? dollars(3) : micros(1n)),
      }),
    ],
    usedOf: () => (has('trunks_full') ? 30 : 29),
  })
}

const admitReasons = refusalReasons.filter(
  (reason): reason is AdmitReason => !OUTSIDE.some((outside) => outside === reason),
)

describe('admission', () => {
  test.each(admitReasons)('refuses with %s and marks the reasons of guards', (reason) => {
    expect(admit(requestWithFaults(new Set([reason])))).toMatchObject({
      ok: false,
      reason,
      isGuard: guardReasons.some((guard) => guard === reason),
    })
  })

  test('returns the first reason in the list if a call has several faults', () => {
    const others = admitReasons.filter((reason) => !TRUNK_REASONS.includes(reason))
    const anyFaults = fc
      .tuple(fc.subarray(others), fc.option(fc.constantFrom(...TRUNK_REASONS), { nil: null }))
      .map(([some, trunk]) => new Set(trunk ? [...some, trunk] : some))
    fc.assert(
      fc.property(anyFaults, (faults) => {
        const decision = admit(requestWithFaults(faults))
        const first = admitReasons.find((reason) => faults.has(reason))
        expect(decision.ok ? undefined : decision.reason).toBe(first)
      }),
      { numRuns: 1_500 },
    )
  })

  test('covers every reason of the guards', () => {
    expect(refusalReasons).toEqual(expect.arrayContaining([...guardReasons]))
    expect(admitReasons).toEqual(expect.arrayContaining([...guardReasons]))
  })

  test('returns the terms of the call', () => {
    const finer = { ...routeWith().rate, priceMicros: micros(20_000n), prefix: '1212' }
    const route = routeWith({ prefixRates: createPrefixIndex([finer]) })
    const trunk = trunkWith()
    const user = userWith({ routes: new Map([['US', route]]) })
    expect(admit(requestWith({ user, trunks: [trunk] }))).toEqual({
      ok: true,
      terms: { rate: finer, prefix: '1212', route, number: plainNumber, callerId: '442079460018' },
      trunks: [{ trunk, buyRate: billedBySecond(micros(5_000n)), number: '12125551234' }],
      wanted: { coveredSeconds: 60, holdMicros: 20_000n },
    })
  })

  test('returns number and route with a refusal', () => {
    const route = routeWith({ isPremium: true })
    const user = userWith({ routes: new Map([['US', route]]) })
    expect(admit(requestWith({ user }))).toMatchObject({ number: plainNumber, route })
    expect(admit(requestWith({ user: null }))).toMatchObject({ number: plainNumber, route: null })
  })

  test('allows a premium route for a premium user', () => {
    const routes = new Map([['US', routeWith({ isPremium: true })]])
    expect(admit(requestWith({ user: userWith({ isPremium: true, routes }) })).ok).toBe(true)
  })

  test('applies the price limit to the rate of the number, not of the route', () => {
    const dear = { ...routeWith().rate, priceMicros: dollars(2), prefix: '1212' }
    const routes = new Map([['US', routeWith({ prefixRates: createPrefixIndex([dear]) })]])
    expect(admit(requestWith({ user: userWith({ routes }) }))).toMatchObject({ reason: 'price_above_limit' })
    const cheap = { ...dear, priceMicros: micros(4_999n) }
    const cheapRoutes = new Map([['US', routeWith({ prefixRates: createPrefixIndex([cheap]) })]])
    expect(admit(requestWith({ user: userWith({ routes: cheapRoutes }) }))).toMatchObject({
      reason: 'below_cost',
    })
  })

  test('requests one slice, or less if the daily limit leaves less', () => {
    const limits = fc.record({ limit: amountUpTo(60), spent: amountUpTo(50), held: amountUpTo(20) })
    fc.assert(
      fc.property(
        anyRate,
        limits,
        fc.integer({ min: 1, max: 600 }),
        (rate, { limit, spent, held }, slice) => {
          const route = routeWith({ rate, sellsBelowCost: true })
          const user = userWith(
            { routes: new Map([['US', route]]) },
            { dailySpendMicros: limit, maxPriceMicros: dollars(100) },
          )
          const decision = admit(
            requestWith({ user, spentTodayMicros: spent, heldTodayMicros: held, sliceSeconds: slice }),
          )
          const spoken = add(spent, held)
          if (decision.ok) {
            const { coveredSeconds, holdMicros } = decision.wanted
            if (holdMicros > 0n) expect(add(spoken, holdMicros)).toBeLessThanOrEqual(limit)
            if (coveredSeconds < slice)
              expect(add(spoken, costOf(rate, coveredSeconds + 1))).toBeGreaterThan(limit)
          } else {
            expect(decision.reason).toBe('daily_spend_reached')
            expect(add(spoken, costOf(rate, 1))).toBeGreaterThan(limit)
          }
        },
      ),
      { numRuns: 1_500 },
    )
  })

  test('admits a free call without a hold after the daily limit is spent', () => {
    const rate = { ...routeWith().rate, priceMicros: micros(0n) }
    const routes = new Map([['US', routeWith({ rate, sellsBelowCost: true })]])
    expect(admit(requestWith({ user: userWith({ routes }), spentTodayMicros: dollars(70) }))).toMatchObject({
      ok: true,
      wanted: { coveredSeconds: 60, holdMicros: 0n },
    })
  })
})
