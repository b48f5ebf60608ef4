import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollars, micros } from '../money/index.ts'
import {
  defaultGuards,
  effectiveGuards,
  emptyGuardLayer,
  type GuardLayer,
  type Guards,
  guardDestination,
  guardPace,
  guardPrice,
  isCountryAllowed,
  isLoosened,
  spendableToday,
} from './index.ts'

const COUNTRIES = ['US', 'GB', 'CU', '001']
const amount = fc.bigInt({ min: 0n, max: dollars(100) }).map((count) => micros(count))
const countries = fc.subarray(COUNTRIES).map((codes): ReadonlySet<string> => new Set(codes))
const said = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const anyLayer: fc.Arbitrary<GuardLayer> = fc.record({
  maxConcurrentCalls: said(fc.integer({ min: 0, max: 100 })),
  maxCallsPerSecond: said(fc.integer({ min: 0, max: 100 })),
  dailySpendMicros: said(amount),
  maxPriceMicros: said(amount),
  allowedCountries: said(countries),
  blockedCountries: said(countries),
  isHighRiskAllowed: said(fc.boolean()),
  areCallsStopped: said(fc.boolean()),
})

const layer = (differences: Partial<GuardLayer>): GuardLayer => ({ ...emptyGuardLayer, ...differences })
const runs = { numRuns: 1_500 }

describe('the customer’s layer', () => {
  test('never loosens a limit', () => {
    fc.assert(
      fc.property(said(anyLayer), anyLayer, (admin, customer) => {
        const given = effectiveGuards(admin, null)
        const both = effectiveGuards(admin, customer)
        expect(both.maxConcurrentCalls).toBeLessThanOrEqual(given.maxConcurrentCalls)
        expect(both.maxCallsPerSecond).toBeLessThanOrEqual(given.maxCallsPerSecond)
        expect(both.dailySpendMicros).toBeLessThanOrEqual(given.dailySpendMicros)
        expect(both.maxPriceMicros).toBeLessThanOrEqual(given.maxPriceMicros)
        for (const country of COUNTRIES) {
          if (isCountryAllowed(both, country)) expect(isCountryAllowed(given, country)).toBe(true)
        }
        if (both.isHighRiskAllowed) expect(given.isHighRiskAllowed).toBe(true)
        if (given.areCallsStopped) expect(both.areCallsStopped).toBe(true)
      }),
      runs,
    )
  })

  test('applies every limit it sets', () => {
    fc.assert(
      fc.property(said(anyLayer), anyLayer, (admin, customer) => {
        const both = effectiveGuards(admin, customer)
        expect(both.maxConcurrentCalls).toBeLessThanOrEqual(customer.maxConcurrentCalls ?? Infinity)
        expect(both.maxCallsPerSecond).toBeLessThanOrEqual(customer.maxCallsPerSecond ?? Infinity)
        if (customer.dailySpendMicros !== null)
          expect(both.dailySpendMicros).toBeLessThanOrEqual(customer.dailySpendMicros)
        if (customer.maxPriceMicros !== null)
          expect(both.maxPriceMicros).toBeLessThanOrEqual(customer.maxPriceMicros)
        for (const country of COUNTRIES.filter((each) => isCountryAllowed(both, each))) {
          expect(customer.blockedCountries?.has(country) ?? false).toBe(false)
          expect(customer.allowedCountries?.has(country) ?? true).toBe(true)
        }
        if (customer.isHighRiskAllowed === false) expect(both.isHighRiskAllowed).toBe(false)
        if (customer.areCallsStopped) expect(both.areCallsStopped).toBe(true)
      }),
      runs,
    )
  })

  test('changes nothing if it is empty', () => {
    fc.assert(
      fc.property(said(anyLayer), (admin) => {
        expect(effectiveGuards(admin, emptyGuardLayer)).toEqual(effectiveGuards(admin, null))
      }),
    )
  })
})

describe('the administrator’s layer', () => {
  test('replaces the defaults it sets, looser or tighter', () => {
    fc.assert(
      fc.property(anyLayer, (admin) => {
        const spoken = Object.entries(admin).filter(([, value]) => value !== null)
        expect(effectiveGuards(admin, null)).toEqual({ ...defaultGuards, ...Object.fromEntries(spoken) })
      }),
      runs,
    )
  })

  test('defaults to 10 calls, 5 per second, $50 a day, $1 a minute, high risk blocked', () => {
    expect(effectiveGuards(null, null)).toEqual({
      maxConcurrentCalls: 10,
      maxCallsPerSecond: 5,
      dailySpendMicros: 50_000_000n,
      maxPriceMicros: 1_000_000n,
      allowedCountries: null,
      blockedCountries: new Set(),
      isHighRiskAllowed: false,
      areCallsStopped: false,
    })
  })
})

describe('a change of limits', () => {
  const base: Guards = {
    ...defaultGuards,
    allowedCountries: new Set(['US', 'GB']),
    blockedCountries: new Set(['CU']),
    isHighRiskAllowed: false,
    areCallsStopped: true,
  }

  test.each<[keyof Guards, Partial<Guards>]>([
    ['maxConcurrentCalls', { maxConcurrentCalls: 11 }],
    ['maxCallsPerSecond', { maxCallsPerSecond: 6 }],
    ['dailySpendMicros', { dailySpendMicros: micros(50_000_001n) }],
    ['maxPriceMicros', { maxPriceMicros: micros(1_000_001n) }],
    ['allowedCountries', { allowedCountries: new Set(['US', 'GB', 'FR']) }],
    ['allowedCountries', { allowedCountries: new Set(['FR']) }],
    ['allowedCountries', { allowedCountries: null }],
    ['blockedCountries', { blockedCountries: new Set() }],
    ['isHighRiskAllowed', { isHighRiskAllowed: true }],
    ['areCallsStopped', { areCallsStopped: false }],
  ])('loosens them with a higher %s alone', (_, difference) => {
    expect(isLoosened(base, { ...base, ...difference })).toBe(true)
    expect(isLoosened(base, { ...base, ...difference, maxPriceMicros: micros(2_000_000n) })).toBe(true)
  })

  test('does not loosen them with tighter or equal limits', () => {
    fc.assert(
      fc.property(said(anyLayer), anyLayer, (admin, customer) => {
        const before = effectiveGuards(admin, null)
        expect(isLoosened(before, before)).toBe(false)
        expect(isLoosened(before, effectiveGuards(admin, customer))).toBe(false)
      }),
      runs,
    )
  })
})

describe('refusals by guards', () => {
  const plain = { country: 'US', isHighRisk: false }
  test.each([
    ['a plain number', {}, plain, null],
    ['a blocked country', { blockedCountries: new Set(['US']) }, plain, 'country_blocked'],
    ['a country not allowed', { allowedCountries: new Set(['GB']) }, plain, 'country_blocked'],
    ['no country allowed', { allowedCountries: new Set<string>() }, plain, 'country_blocked'],
    [
      'blocked though allowed',
      { allowedCountries: new Set(['US']), blockedCountries: new Set(['US']) },
      plain,
      'country_blocked',
    ],
    ['high risk', {}, { ...plain, isHighRisk: true }, 'high_risk_blocked'],
    ['high risk that is allowed', { isHighRiskAllowed: true }, { ...plain, isHighRisk: true }, null],
  ] as const)('%s', (_, differences, number, reason) => {
    expect(guardDestination(effectiveGuards(layer(differences), null), number)).toBe(reason)
  })

  test('allow a price equal to the limit but not above it', () => {
    expect(guardPrice(defaultGuards, dollars(1))).toBeNull()
    expect(guardPrice(defaultGuards, micros(1_000_001n))).toBe('price_above_limit')
  })

  test.each([
    [9, 4, null],
    [10, 0, 'too_many_calls'],
    [0, 5, 'too_many_calls_per_second'],
    [11, 6, 'too_many_calls'],
  ])('%i live calls and %i in this second give %s', (live, thisSecond, reason) => {
    expect(guardPace(defaultGuards, live, thisSecond)).toBe(reason)
  })

  test.each([
    [0, 0, 50],
    [20, 10, 20],
    [20, 30, 0],
    [49, 30, 0],
  ])('$%i spent and $%i held leave $%i for the day', (spent, held, left) => {
    expect(spendableToday(defaultGuards, dollars(spent), dollars(held))).toBe(dollars(left))
  })
})
