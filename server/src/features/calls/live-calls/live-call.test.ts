import { dollars, micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeChanges, encodeChanges, type LiveChange } from './live-call.ts'

const text = (max: number) => fc.string({ unit: 'binary', maxLength: max })
const time = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
const money = fc.bigInt({ min: 0n, max: 2n ** 62n }).map(micros)

const live = fc.record({
  callId: text(200),
  switchId: text(60),
  userId: fc.nat(),
  username: text(64),
  state: fc.constantFrom('authorized' as const, 'ringing' as const, 'answered' as const),
  sipAccount: text(200),
  callerId: text(16),
  dialed: text(100),
  destination: text(15),
  country: text(3),
  routeName: text(100),
  rate: fc.record({
    priceMicros: money,
    connectFeeMicros: money,
    firstIncrement: fc.nat(),
    nextIncrement: fc.nat(),
  }),
  trunk: fc.option(fc.record({ id: fc.nat(), name: text(100) })),
  heldMicros: money,
  coveredSeconds: fc.nat(),
  direction: fc.constantFrom('in' as const, 'out' as const),
  callerName: text(100),
  isDemo: fc.boolean(),
  startedAt: time,
  answeredAt: fc.option(time),
  hangupAt: fc.option(time),
})
const ended = fc.record({
  callId: text(200),
  userId: fc.nat(),
  seconds: fc.nat(),
  costMicros: money,
  status: fc.constant('completed' as const),
  reason: fc.constant('no_answer' as const),
})
const change: fc.Arbitrary<LiveChange> = fc.oneof(
  live.map((call) => ({ change: 'live' as const, call })),
  ended.map((call) => ({ change: 'ended' as const, call })),
)

it('encodes changes in order, in notifications within PostgreSQL’s size limit', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const payloads = encodeChanges(changes)
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000)
      expect(payloads.flatMap((payload) => decodeChanges(payload) ?? [])).toEqual(changes)
    }),
    { numRuns: 200 },
  )
})

it('skips a change that is too large for a notification', () => {
  const small = { callId: 'sw1/1', userId: 1, seconds: 1, costMicros: dollars(1) }
  const how = { status: 'completed', reason: 'no_answer' } as const
  const large = { ...small, callId: 'x'.repeat(9_000) }
  const said = [small, large, small].map((call) => ({ change: 'ended' as const, call: { ...call, ...how } }))
  expect(encodeChanges(said).flatMap((payload) => decodeChanges(payload) ?? [])).toHaveLength(2)
})
