import { micros } from '@trunkline/domain/money'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createManualClock } from '../../../../test/manual-clock.ts'
import type { LiveCall } from './call.ts'
import type { LiveChange } from './live-call.ts'
import { createMirror, type MirrorEvent } from './mirror.ts'

const clock = createManualClock()

const aCall = (callId: string, userId: number): LiveCall => ({
  callId,
  userId,
  switchId: 'sw1',
  direction: 'out',
  callerName: '',
  username: `user-${userId}`,
  state: 'authorized',
  sipAccount: 'sip',
  callerId: '12025550100',
  dialed: '1',
  destination: '1',
  country: 'US',
  routeName: 'US Gold',
  rate: {
    priceMicros: micros(1n),
    connectFeeMicros: micros(0n),
    firstIncrement: 1,
    nextIncrement: 1,
  },
  trunk: null,
  heldMicros: micros(60n),
  coveredSeconds: 60,
  isDemo: false,
  startedAt: clock.now(),
  answeredAt: null,
  hangupAt: null,
})

/** Simulates the table and call control's changes, which only go forward. */
function createTable() {
  const rows = new Map<string, LiveCall>()
  const over = new Set<string>()
  const steps: Record<string, (call: LiveCall) => LiveCall> = {
    ring: (call) =>
      call.state === 'authorized' ? { ...call, state: 'ringing', trunk: { id: 1, name: 'One' } } : call,
    answer: (call) => ({ ...call, state: 'answered', answeredAt: call.answeredAt ?? clock.now() }),
    extend: (call) => ({
      ...call,
      coveredSeconds: call.coveredSeconds + 60,
      heldMicros: micros(call.heldMicros + 60n),
    }),
    askForEnd: (call) => ({ ...call, hangupAt: call.hangupAt ?? clock.now() }),
  }
  return {
    rows,
    /** The announcement of the change, if it had an effect. */
    change(step: string, index: number): LiveChange | null {
      const callId = `sw1/${index}`
      const known = rows.get(callId)
      if (step === 'begin' && !known && !over.has(callId)) rows.set(callId, aCall(callId, index % 2))
      else if (step === 'end' && known) {
        rows.delete(callId)
        over.add(callId)
        const how = { status: 'completed', reason: 'hung_up_by_caller' } as const
        return {
          change: 'ended',
          call: { callId, userId: known.userId, ...how, seconds: 1, costMicros: micros(1n) },
        }
      } else if (known && steps[step]) rows.set(callId, steps[step](known))
      else return null
      const call = rows.get(callId)
      return call ? { change: 'live', call } : null
    },
    states: () =>
      [...rows.values()].map((call) => ({
        call_id: call.callId,
        state: call.state,
        trunk_id: call.trunk?.id ?? null,
        held_micros: call.heldMicros as bigint,
        covered_seconds: call.coveredSeconds,
        answered_at: call.answeredAt,
        hangup_at: call.hangupAt,
      })),
  }
}

const step = fc.record({
  step: fc.constantFrom('begin', 'begin', 'ring', 'answer', 'extend', 'askForEnd', 'end'),
  index: fc.nat({ max: 3 }),
  news: fc.constantFrom('at once', 'late', 'lost'),
})
const steps = fc.array(step, { maxLength: 3 })
const action = fc.oneof(
  { weight: 6, arbitrary: step },
  {
    weight: 1,
    // Changes during and between the two reads of a comparison.
    arbitrary: fc.record({ whileReading: steps, between: steps, afterwards: steps }),
  },
  { weight: 2, arbitrary: fc.constant('late news arrive' as const) },
)

type Step = { step: string; index: number; news: string }
type Meanwhile = { whileReading: Step[]; between: Step[]; afterwards: Step[] }

const rank = { calling: 0, ringing: 1, answered: 2, updated: 0, ended: 3 }

it('sends valid events and converges to the table when notifications are lost, late or duplicated', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60, size: 'max' }), async (actions) => {
      const table = createTable()
      const mirror = createMirror()
      const events: MirrorEvent[] = []
      let late: LiveChange[] = []
      const take = (event: MirrorEvent | null) => {
        if (event) events.push(event)
      }
      const doStep = ({ step, index, news }: Step) => {
        const change = table.change(step, index)
        if (!change) return
        if (news === 'at once') take(mirror.applyChange(change, clock.now()))
        if (news === 'late') late.push(change)
      }
      const compare = ({ whileReading, between, afterwards }: Meanwhile) =>
        mirror.compare(
          async () => {
            const states = table.states()
            for (const each of whileReading) doStep(each)
            return states
          },
          async (callIds) => {
            for (const each of between) doStep(each)
            const read = callIds.flatMap((callId) => table.rows.get(callId) ?? [])
            for (const each of afterwards) doStep(each)
            return read
          },
          clock.now(),
        )
      for (const each of actions) {
        if (each === 'late news arrive') {
          // Out of order, and one of them twice.
          for (const change of [...late].reverse().concat(late.slice(0, 1)))
            take(mirror.applyChange(change, clock.now()))
          late = []
        } else if ('step' in each) doStep(each)
        else for (const event of await compare(each)) take(event)
      }
      for (const event of await compare({ whileReading: [], between: [], afterwards: [] })) take(event)

      expect(new Map([...mirror.all()].map((call) => [call.callId, call]))).toEqual(table.rows)
      for (const user of [0, 1])
        expect([...mirror.of(user)].map(({ callId }) => callId).sort()).toEqual(
          [...table.rows.values()]
            .filter(({ userId }) => userId === user)
            .map(({ callId }) => callId)
            .sort(),
        )
      const picture = new Map<string, LiveCall>()
      const reached = new Map<string, number>()
      for (const event of events) {
        const { callId } = event.call
        expect(reached.get(callId), 'nothing follows the end').not.toBe(rank.ended)
        const next = event.kind === 'updated' ? (reached.get(callId) ?? 0) : rank[event.kind]
        expect(next).toBeGreaterThanOrEqual(reached.get(callId) ?? 0)
        reached.set(callId, next)
        if (event.kind === 'ended') picture.delete(callId)
        else picture.set(callId, event.call)
      }
      expect(picture).toEqual(table.rows)
    }),
    { numRuns: 500 },
  )
})

it('sends no event to the owner for an invisible change', () => {
  const mirror = createMirror()
  const call = aCall('sw1/1', 1)
  const apply = (changed: Partial<LiveCall>) =>
    mirror.applyChange({ change: 'live', call: { ...call, ...changed } }, clock.now())
  expect(apply({})).toMatchObject({ kind: 'calling', isForOwner: true })
  expect(apply({})).toBeNull()
  expect(apply({ trunk: { id: 2, name: 'Two' } })).toMatchObject({ kind: 'updated', isForOwner: false })
  expect(apply({ coveredSeconds: 120 })).toMatchObject({ kind: 'updated', isForOwner: false })
  expect(apply({ coveredSeconds: 120, hangupAt: clock.now() })).toMatchObject({
    kind: 'updated',
    isForOwner: true,
  })
})
