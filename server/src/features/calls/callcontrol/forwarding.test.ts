import { type Micros, micros, ZERO } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import {
  CALLER,
  createIncomingProvider,
  createProviderWithOwner,
  forwardTo,
  planTo,
  rentNumber,
  startLegSwitch,
} from '../../../../test/incoming.ts'
import { usd } from '../../../../test/telephony.ts'

/** The incoming leg costs 200 micro-dollars per second, the outgoing leg 1,000. */
const NUMBER = '442079460100'
const MOBILE = '447123456789'

/** A customer whose number is forwarded to a mobile phone. */
async function createForward({
  balance = usd(1),
  callerId = 'number',
}: {
  balance?: Micros
  callerId?: 'number' | 'caller'
} = {}) {
  const provider = await createProviderWithOwner(balance)
  const { phone, owner } = provider
  await rentNumber(phone, owner, NUMBER, { plan: planTo(forwardTo(MOBILE, callerId)) })
  return provider
}

it('forwards a call as a second leg with its own hold, price and record', async () => {
  const { phone, box, startControl } = await createIncomingProvider()
  // A forward shows the rented number, so the customer needs no caller ID.
  const owner = await phone.newCustomer(usd(1), phone.routeId, { callerId: null })
  await rentNumber(phone, owner, NUMBER, { plan: planTo(forwardTo(MOBILE)) })
  await startControl()
  const first = await box.incoming(NUMBER)
  expect(first.plan).toEqual([
    { id: -1, seconds: 30, next: { direction: 'out', user: owner.username, to: MOBILE } },
  ])
  const { leg, target } = await box.nextLeg(first)
  expect(leg).toMatchObject({
    callerId: NUMBER,
    coveredSeconds: 60,
    trunks: [{ id: phone.trunkId, number: MOBILE }],
  })
  expect(leg.diversion).toBeUndefined()
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1), heldMicros: 72_000n })

  const legs = [{ call: first.call, trunk: target, attempts: [{ trunk: target, code: 200, reason: '' }] }]
  await box.emit({
    type: 'ringing',
    call: leg.call,
    at: phone.switchClock.now(),
    trunk: phone.trunkId,
    legs: [{ call: first.call, trunk: target, attempts: [] }],
  })
  await box.answer(leg.call, phone.trunkId, legs)
  expect(await phone.liveRows()).toMatchObject([
    { state: 'answered', trunk_id: phone.trunkId, direction: 'in' },
    { state: 'answered', trunk_id: phone.trunkId, direction: 'out', parent_call_id: `legs/${first.call}` },
  ])
  await box.end(leg.call, { seconds: 10, trunk: phone.trunkId, legs })
  expect(await phone.cdrOf(first.call)).toMatchObject({
    direction: 'in',
    seconds: 10,
    cost_micros: 2_000n,
    buy_micros: 1_000n,
    attempts: [{ trunk: -1, name: `Forward to +${MOBILE}`, code: 200 }],
    explanation: `Always: forwarded to +${MOBILE}.`,
  })
  expect(await phone.cdrOf(leg.call)).toMatchObject({
    direction: 'out',
    caller_id: NUMBER,
    destination: MOBILE,
    parent_call_id: `legs/${first.call}`,
    explanation: `Forwarded from +${NUMBER}.`,
    route_name: 'UK Gold',
    trunk_id: phone.trunkId,
    seconds: 10,
    cost_micros: 10_000n,
    attempts: [{ trunk: phone.trunkId, code: 200 }],
  })
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1) - 12_000n, heldMicros: ZERO })
  expect(await phone.faults()).toEqual([])
})

it('shows the caller with a diversion if the plan says so, and the rented number for a withheld caller', async () => {
  const { box, startControl } = await createForward({ callerId: 'caller' })
  await startControl()
  const { leg } = await box.nextLeg(await box.incoming(NUMBER))
  expect(leg).toMatchObject({ callerId: CALLER, diversion: NUMBER })
  const withheld = await box.nextLeg(await box.incoming(NUMBER, { isPrivate: true }))
  expect(withheld.leg).toMatchObject({ callerId: NUMBER })
  expect(withheld.leg.diversion).toBeUndefined()
})

it('applies the limits of outgoing calls to a forwarded leg, and goes on with the incoming call', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await phone.guard(owner.id, { blocked_countries: ['GB'] })
  const plan = planTo(forwardTo(MOBILE), { kind: 'phones', steps: [{ devices: 'phones', seconds: 20 }] })
  await rentNumber(phone, owner, NUMBER, { plan })
  await startControl()
  const first = await box.incoming(NUMBER)
  const next = { direction: 'out', user: owner.username, to: MOBILE, parent: first.call, hops: 1 } as const
  expect(await box.refused({ ...next, call: 'blocked' })).toEqual({ code: 403, reason: 'country_blocked' })
  expect(await phone.cdrOf('blocked')).toMatchObject({
    user_id: owner.id,
    parent_call_id: `legs/${first.call}`,
    caller_id: NUMBER,
  })
  await box.answer(first.call, -2)
  await box.end(first.call, { seconds: 5, trunk: -2 })
  expect(await phone.cdrOf(first.call)).toMatchObject({ seconds: 5, cost_micros: 1_000n })
  // A leg of another customer, or without the leg before it, is no forward.
  const stranger = await phone.newCustomer(usd(1), phone.routeId)
  await phone.settle()
  const second = await box.incoming(NUMBER)
  expect(await box.refused({ ...next, parent: second.call, user: stranger.username })).toMatchObject({
    reason: 'unknown_caller',
  })
  expect(await box.refused({ ...next, parent: 'nothing' })).toMatchObject({
    code: 503,
    reason: 'unavailable',
  })
  expect(await phone.faults()).toEqual([])
})

it('fails a leg alone while the call before it goes on, and both together', async () => {
  const { phone, box, owner, startControl } = await createForward()
  await startControl()
  const first = await box.incoming(NUMBER)
  const { leg, target } = await box.nextLeg(first)
  const at = phone.switchClock.now()
  const attempts = [{ trunk: phone.trunkId, code: 486, reason: 'Busy' }]
  await box.emit({ type: 'failed', call: leg.call, at, code: 486, by: 'carrier', attempts })
  expect(await phone.liveRows()).toMatchObject([{ call_id: `legs/${first.call}` }])
  const again = await box.nextLeg(first)
  await box.emit({
    type: 'failed',
    call: again.leg.call,
    at,
    code: 487,
    by: 'caller',
    attempts: [],
    legs: [{ call: first.call, trunk: target, attempts: [{ trunk: target, code: 486, reason: '' }] }],
  })
  expect(await phone.liveRows()).toEqual([])
  expect(await phone.cdrOf(leg.call)).toMatchObject({ status: 'busy' })
  expect(await phone.cdrOf(again.leg.call)).toMatchObject({ status: 'cancelled' })
  expect(await phone.cdrOf(first.call)).toMatchObject({
    status: 'cancelled',
    trunk_id: phone.trunkId,
    attempts: [{ trunk: -1, code: 486 }],
  })
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1), heldMicros: ZERO })
  expect(await phone.faults()).toEqual([])
})

it('never overspends one balance with 200 parallel forwards', async () => {
  const { phone, box, startControl, owner } = await createProviderWithOwner()
  await phone.guard(owner.id, { max_concurrent_calls: 1_000, max_calls_per_second: 1_000 })
  await rentNumber(phone, owner, NUMBER, {
    plan: planTo(forwardTo(MOBILE)),
    maxCalls: 1_000,
    price: micros(600n),
  })
  await startControl()
  // 200 incoming legs hold 600 micro-dollars each, so 880,000 remain: 14 slices of 60,000 and a part of one.
  const firsts = await Promise.all(
    Array.from({ length: 200 }, (_, index) => box.incoming(NUMBER, { from: `4930${100_000 + index}` })),
  )
  const forward = async (parent: string) => ({
    parent,
    answer: await box.ask({ direction: 'out', user: owner.username, to: MOBILE, parent, hops: 1 }).answer,
  })
  const answers = await Promise.all(firsts.map(({ call }) => forward(call)))
  // A busy machine refuses some as overloaded. Those ask again, one after the other.
  for (const [index, { parent, answer }] of answers.entries())
    if (answer.type === 'refuse' && answer.code === 503) answers[index] = await forward(parent)
  const legs = answers.flatMap(({ parent, answer }) =>
    answer.type === 'allow' ? { call: answer.call, parent, covered: answer.coveredSeconds } : [],
  )
  expect(legs.length).toBeGreaterThanOrEqual(14)
  expect(legs.reduce((sum, { covered }) => sum + covered, 0)).toBeLessThanOrEqual(880)
  const { heldMicros } = await phone.balanceOf(owner.id)
  expect(heldMicros).toBeLessThanOrEqual(usd(1))
  await Promise.all(
    legs.map(({ call, parent, covered }) =>
      box.end(call, {
        seconds: covered,
        trunk: phone.trunkId,
        by: 'timeout',
        legs: [{ call: parent, trunk: -1 }],
      }),
    ),
  )
  const ended = new Set(legs.map(({ parent }) => parent))
  await Promise.all(firsts.filter(({ call }) => !ended.has(call)).map(({ call }) => box.fail(call, 480)))
  const spent = (await phone.cdrs()).reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1) - spent, heldMicros: ZERO })
  expect(await phone.liveRows()).toEqual([])
  expect(await phone.faults()).toEqual([])
})

it('refuses a call that comes back while it is forwarded, and long chains', async () => {
  const { phone, box, owner, startControl } = await createForward()
  await startControl()
  const loop = { code: 482, reason: 'call_loop' }
  const first = await box.incoming(NUMBER)
  // Not forwarded yet: the same caller may call twice.
  const twice = await box.incoming(NUMBER)
  await box.fail(twice.call, 487, 'caller')
  const { leg } = await box.nextLeg(first)
  const back = { direction: 'in', to: NUMBER } as const
  expect(await box.refused({ ...back, from: CALLER })).toEqual(loop)
  expect(await box.refused({ ...back, from: NUMBER })).toEqual(loop)
  expect(await box.refused({ ...back, from: '4930901899', diversion: `+${NUMBER}` })).toEqual(loop)
  await box.incoming(NUMBER, { from: '4930901899' })
  await box.answer(leg.call, phone.trunkId, [{ call: first.call, trunk: -1 }])
  await box.incoming(NUMBER)
  expect(await box.refused({ ...back, from: '4930901877', hops: 5 })).toEqual(loop)
  const next = { direction: 'out', user: owner.username, to: MOBILE, parent: first.call } as const
  expect(await box.refused({ ...next, hops: 5 })).toEqual(loop)
})

it('ends all legs once for repeated events and with two call controls', async () => {
  const { phone, box, owner } = await createForward()
  await phone.startControl([box])
  const other = await startLegSwitch(phone, 'other')
  // The second call control is connected to the same switch.
  await phone.startControl([box, other])
  const first = await box.incoming(NUMBER)
  const { leg, target } = await box.nextLeg(first)
  const legs = [{ call: first.call, trunk: target }]
  await box.answer(leg.call, phone.trunkId, legs)
  await box.end(leg.call, { seconds: 10, trunk: phone.trunkId, legs }, 3)
  await box.end(leg.call, { seconds: 40, trunk: phone.trunkId, legs })
  await phone.waitUntil(async () => (await phone.cdrs()).length === 2)
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1) - 12_000n, heldMicros: ZERO })
  expect(await phone.liveRows()).toEqual([])
  expect(await phone.faults()).toEqual([])
})

it('decides the next leg of a call that another call control admitted', async () => {
  const { phone, box } = await createForward({ callerId: 'caller' })
  const control = await phone.startControl([box])
  const first = await box.incoming(NUMBER)
  await control.close()
  // Without its list, the new call control does not know the call yet.
  box.setLive(null)
  const late = await phone.startControl([box])
  const { leg } = await box.nextLeg(first)
  expect(leg).toMatchObject({ callerId: CALLER, diversion: NUMBER })
  await late.close()
})

it('extends both legs and ends them when the balance is used up', async () => {
  const { phone, box, owner, startControl } = await createForward({ balance: usd(0.1) })
  await startControl()
  const first = await box.incoming(NUMBER)
  const { leg, target } = await box.nextLeg(first)
  const answeredAt = phone.switchClock.now()
  const legs = [{ call: first.call, trunk: target }]
  await box.answer(leg.call, phone.trunkId, legs)
  const live = (call: string) => ({ call, state: 'answered' as const, answeredAt, coveredSeconds: 60 })
  box.setLive([live(first.call), live(leg.call)])
  for (let second = 0; second < 50; second += 5) {
    phone.switchClock.advance(5_000)
    await phone.tick()
  }
  const covered = (call: string) =>
    Math.max(
      ...box
        .all('extend')
        .filter((one) => one.call === call)
        .map(({ coveredSeconds }) => coveredSeconds),
    )
  // 100,000 micro-dollars: 12,000 and 60,000 for the first minute, the rest for both legs.
  expect(covered(first.call)).toBeGreaterThan(60)
  expect((await phone.balanceOf(owner.id)).heldMicros).toBeLessThanOrEqual(usd(0.1))
  const seconds = Math.max(60, Math.min(covered(first.call), covered(leg.call)))
  await box.emit({
    type: 'ended',
    call: leg.call,
    at: answeredAt + seconds * 1_000,
    answeredAt,
    trunk: phone.trunkId,
    by: 'timeout',
    attempts: [],
    legs: [{ call: first.call, trunk: target, attempts: [] }],
  })
  expect(await phone.cdrOf(first.call)).toMatchObject({ seconds, cost_micros: BigInt(seconds) * 200n })
  expect(await phone.cdrOf(leg.call)).toMatchObject({
    reason: 'balance_used_up',
    cost_micros: BigInt(seconds) * 1_000n,
  })
  expect(await phone.faults()).toEqual([])
})

it('settles both legs after call control was restarted during the call', async () => {
  const { phone, box, owner } = await createForward()
  const control = await phone.startControl([box])
  const first = await box.incoming(NUMBER)
  const { leg, target } = await box.nextLeg(first)
  const legs = [{ call: first.call, trunk: target }]
  await box.answer(leg.call, phone.trunkId, legs)
  await control.close()
  await phone.startControl([box])
  await box.end(leg.call, { seconds: 10, trunk: phone.trunkId, legs })
  expect(await phone.cdrOf(first.call)).toMatchObject({
    seconds: 10,
    cost_micros: 2_000n,
    trunk_name: 'Carrier One',
  })
  expect(await phone.cdrOf(leg.call)).toMatchObject({ seconds: 10, cost_micros: 10_000n })
  expect(await phone.balanceOf(owner.id)).toEqual({ balanceMicros: usd(1) - 12_000n, heldMicros: ZERO })
  expect(await phone.faults()).toEqual([])
})

it('closes both legs of a call that its switch has lost', async () => {
  const { phone, box, startControl } = await createForward()
  await startControl()
  const first = await box.incoming(NUMBER)
  const { leg, target } = await box.nextLeg(first)
  await box.answer(leg.call, phone.trunkId, [{ call: first.call, trunk: target }])
  for (let round = 0; (await phone.liveRows()).length > 0 && round < 10; round++) {
    phone.switchClock.advance(31_000)
    await phone.tick()
  }
  expect(await phone.cdrOf(first.call)).toMatchObject({ reason: 'switch_lost', trunk_id: phone.trunkId })
  expect(await phone.cdrOf(leg.call)).toMatchObject({ reason: 'switch_lost', trunk_id: phone.trunkId })
  expect(await phone.openHolds()).toBe(0)
  expect(await phone.faults()).toEqual([])
})
