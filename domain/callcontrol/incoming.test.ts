import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollars, micros, ZERO } from '../money/index.ts'
import { defaultPlan } from '../ringing/index.ts'
import {
  admitDeviceLeg,
  admitIncoming,
  admitInternal,
  FLOW_LEG_ROUTE_ID,
  INNER_LEG_ROUTE_ID,
  type IncomingRequest,
  type InternalRequest,
  type InventoryNumber,
  type RefusalReason,
  refusalReasons,
} from './index.ts'
import { plainNumber, userWith } from './test/request-example.ts'

const number = (changes: Partial<InventoryNumber> = {}): InventoryNumber => ({
  id: 3,
  e164: '442079460123',
  country: 'GB',
  trunkId: null,
  status: 'rented',
  maxCalls: 2,
  costMicros: micros(4_000n),
  rental: {
    userId: 12,
    priceMicros: micros(12_000n),
    state: 'active',
    ringPlan: defaultPlan('UTC'),
    records: false,
  },
  ...changes,
})
const rental = number().rental as NonNullable<InventoryNumber['rental']>

const requestWith = (changes: Partial<IncomingRequest> = {}): IncomingRequest => ({
  trunkIds: [7],
  number: number(),
  owner: userWith(),
  liveOfNumber: 0,
  liveOfOwner: 0,
  hops: 0,
  isForwardedNow: false,
  spentTodayMicros: ZERO,
  heldTodayMicros: ZERO,
  sliceSeconds: 60,
  ...changes,
})

describe('a leg to the own devices', () => {
  const leg = {
    routeId: FLOW_LEG_ROUTE_ID,
    e164: '442079460123',
    country: 'GB',
    callerId: '12025550123',
    sliceSeconds: 60,
  } as const

  test('is free and named after its purpose', () => {
    expect(admitDeviceLeg(userWith(), leg)).toMatchObject({
      ok: true,
      terms: {
        rate: { priceMicros: 0n },
        route: { id: FLOW_LEG_ROUTE_ID, name: 'Flow' },
        callerId: '12025550123',
      },
      trunks: [],
    })
    expect(admitDeviceLeg(userWith(), { ...leg, routeId: INNER_LEG_ROUTE_ID })).toMatchObject({
      terms: { route: { name: 'Inner leg' } },
    })
  })

  test('needs a customer who is not disabled', () => {
    expect(admitDeviceLeg(null, leg)).toMatchObject({ ok: false, reason: 'unavailable' })
    expect(admitDeviceLeg(userWith({ isDisabled: true }), leg)).toMatchObject({
      ok: false,
      reason: 'account_disabled',
    })
  })
})

describe('an incoming call', () => {
  test('costs the price of the rental by the second, and its carrier the cost of the number', () => {
    expect(admitIncoming(requestWith())).toMatchObject({
      ok: true,
      trunkId: 7,
      rate: { priceMicros: 12_000n, firstIncrement: 1, nextIncrement: 1 },
      buyRate: { priceMicros: 4_000n },
      wanted: { coveredSeconds: 60, holdMicros: 12_000n },
    })
  })

  test('of another customer costs nothing', () => {
    expect(admitIncoming(requestWith({ trunkIds: null, number: number({ trunkId: 8 }) }))).toMatchObject({
      ok: true,
      trunkId: null,
      rate: { priceMicros: ZERO },
      buyRate: { priceMicros: ZERO },
      wanted: { coveredSeconds: 60, holdMicros: ZERO },
    })
  })

  test('of a free number is admitted although the daily limit is used up', () => {
    const free = number({ rental: { ...rental, priceMicros: ZERO } })
    expect(admitIncoming(requestWith({ number: free, spentTodayMicros: dollars(50) })).ok).toBe(true)
  })

  test('comes from the carrier of the number, if it has one', () => {
    const bound = number({ trunkId: 8 })
    expect(admitIncoming(requestWith({ number: bound, trunkIds: [7, 8] }))).toMatchObject({ trunkId: 8 })
    expect(admitIncoming(requestWith({ number: bound }))).toMatchObject({
      reason: 'unknown_number',
      owner: null,
    })
  })

  test('reaches an account whose outgoing calls are stopped, and a number in grace', () => {
    const stopped = userWith({ callerId: null }, { areCallsStopped: true, blockedCountries: new Set(['GB']) })
    expect(admitIncoming(requestWith({ owner: stopped })).ok).toBe(true)
    expect(admitIncoming(requestWith({ number: number({ rental: { ...rental, state: 'grace' } }) })).ok).toBe(
      true,
    )
  })

  const faults: Partial<Record<RefusalReason, Partial<IncomingRequest>[]>> = {
    unknown_caller: [{ trunkIds: [] }],
    account_disabled: [{ owner: userWith({ isDisabled: true }) }],
    unknown_number: [
      { number: null },
      { number: number({ rental: null }) },
      { number: number({ status: 'blocked' }) },
      { number: number({ status: 'available' }) },
      { owner: null },
    ],
    number_suspended: [{ number: number({ rental: { ...rental, state: 'suspended' } }) }],
    call_loop: [{ hops: 5 }, { isForwardedNow: true }],
    too_many_calls: [{ liveOfNumber: 2 }, { liveOfOwner: 10 }],
    daily_spend_reached: [{ spentTodayMicros: dollars(50) }],
  }
  const cases = Object.entries(faults).flatMap(([reason, all]) => all.map((one) => [reason, one] as const))

  test.each(cases)('is refused with %s', (reason, fault) => {
    expect(admitIncoming(requestWith(fault))).toMatchObject({ ok: false, reason })
  })

  test('with several faults is refused for the first one in order', () => {
    // Faults of the number or account exclude each other.
    const order = refusalReasons.filter((reason) => reason in faults && reason !== 'unknown_number')
    fc.assert(
      fc.property(fc.subarray(order, { minLength: 1 }), (reasons) => {
        const request = requestWith(Object.assign({}, ...reasons.map((reason) => faults[reason]?.[0])))
        expect(admitIncoming(request)).toMatchObject({ reason: reasons[0] })
      }),
    )
  })
})

describe('a call between customers', () => {
  const internalWith = (changes: Partial<InternalRequest> = {}): InternalRequest => ({
    user: userWith(),
    number: plainNumber,
    called: number(),
    priceMicros: micros(600n),
    liveCalls: 0,
    callsThisSecond: 0,
    spentTodayMicros: ZERO,
    heldTodayMicros: ZERO,
    sliceSeconds: 60,
    ...changes,
  })

  test('needs no route and no carrier', () => {
    const user = userWith({ routes: new Map() }, { blockedCountries: new Set(['US']) })
    expect(admitInternal(internalWith({ user }))).toMatchObject({
      ok: true,
      terms: {
        rate: { priceMicros: 600n },
        route: { id: -2, name: 'Internal', isPremium: false },
        callerId: '442079460018',
      },
      trunks: [],
      wanted: { coveredSeconds: 60, holdMicros: 600n },
    })
  })

  test.each([
    ['unknown_caller', { user: null }],
    ['account_disabled', { user: userWith({ isDisabled: true }) }],
    ['calls_stopped', { user: userWith({}, { areCallsStopped: true }) }],
    ['no_caller_id', { user: userWith({ callerId: null }) }],
    ['caller_id_unapproved', { user: userWith({ isCallerIdApproved: false }) }],
    ['unknown_number', { called: number({ status: 'available', rental: null }) }],
    ['unknown_number', { called: number({ status: 'blocked' }) }],
    ['call_loop', { hops: 5 }],
    ['price_above_limit', { priceMicros: dollars(2) }],
    ['too_many_calls', { liveCalls: 10 }],
    ['too_many_calls_per_second', { callsThisSecond: 5 }],
    ['daily_spend_reached', { spentTodayMicros: dollars(50) }],
  ])('is refused with %s', (reason, fault) => {
    expect(admitInternal(internalWith(fault))).toMatchObject({ ok: false, reason })
  })

  test('of a forward shows the rented number and needs no caller ID', () => {
    const user = userWith({ callerId: null, isCallerIdApproved: false })
    expect(admitInternal(internalWith({ user, forwardedAs: '442079460123' }))).toMatchObject({
      ok: true,
      terms: { callerId: '442079460123' },
    })
  })
})
