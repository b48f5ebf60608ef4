import { describe, expect, it } from 'vitest'
import { connectCallControl, startSwitchForEach, type TestCallControl, terms } from '../test/call-control.ts'
import { type CallWish, type ManualSwitchClock, type RunningDemoSwitch, startDemoSwitch } from './start.ts'

let clock: ManualSwitchClock
let demo: RunningDemoSwitch
let control: TestCallControl

startSwitchForEach({ isDemo: true }, (bench) => {
  clock = bench.clock
  demo = bench.demo
  control = bench.control
})

/** An allowed call whose carriers do nothing until the clock moves. */
async function allowed(wish: Partial<CallWish> = {}, change: Parameters<typeof terms>[1] = {}) {
  const placed = demo.place({ user: 'alice', to: '+12125550123', ...wish })
  await control.waitFor('authorize', { call: placed.call })
  control.say(terms(placed.call, change))
  await placed.decided
  return placed
}
const rings = { code: 200, ringAfterMs: 500, afterMs: 3000 }

describe('a call', () => {
  it('is authorized, rings, is answered and ends with a hangup', async () => {
    const begunAt = clock.now()
    const placed = await allowed({ carriers: [rings], talkMs: 12_345, hangsUp: 'callee' })
    expect(await control.waitFor('authorize')).toEqual({
      type: 'authorize',
      call: placed.call,
      at: begunAt,
      user: 'alice',
      address: '198.51.100.10',
      device: 'Demo phone',
      to: '+12125550123',
    })
    clock.advance(3000 + 12_345)
    const ended = await control.waitFor('ended')
    expect(control.typesOf(placed.call)).toEqual(['authorize', 'ringing', 'answered', 'ended'])
    expect(await control.waitFor('ringing')).toMatchObject({ at: begunAt + 500, trunk: 1 })
    expect(await control.waitFor('answered')).toMatchObject({ at: begunAt + 3000, trunk: 1 })
    expect(ended).toMatchObject({
      at: begunAt + 15_345,
      answeredAt: begunAt + 3000,
      trunk: 1,
      by: 'callee',
      attempts: [{ trunk: 1, code: 200, reason: 'OK' }],
    })
    expect(demo.truth()).toMatchObject([{ seconds: 13, by: 'callee', coveredSeconds: 60, code: 200 }])
  })

  it('contains the source address if there is no user', async () => {
    demo.place({ address: '203.0.113.9', to: '442079460123' })
    const question = await control.waitFor('authorize')
    expect(question).toMatchObject({ address: '203.0.113.9' })
    expect(question).not.toHaveProperty('user')
  })

  it('ends exactly after the covered seconds', async () => {
    const placed = await allowed({ carriers: [rings], talkMs: null }, { coveredSeconds: 7 })
    clock.advance(3000 + 6999)
    expect(await control.settled()).toMatchObject([{ call: placed.call, state: 'answered' }])
    clock.advance(1)
    const ended = await control.waitFor('ended')
    expect(ended).toMatchObject({ by: 'timeout', at: ended.answeredAt + 7000 })
    expect(demo.truth()).toMatchObject([{ seconds: 7, by: 'timeout' }])
  })

  it('has the same end time in the event and in the log, even if the clock moves on', async () => {
    let readings = 0
    const restless = { ...clock, now: () => clock.now() + ++readings }
    const hurried = await startDemoSwitch({ port: 0, id: 'hurried', clock: restless })
    const hearing = await connectCallControl(hurried.port)
    for (const code of [200, 486]) {
      const { call, decided } = hurried.place({ to: '+12125550123', carriers: [{ ...rings, code }] })
      await hearing.waitFor('authorize', { call })
      hearing.say(terms(call))
      await decided
      clock.advance(5000)
      hurried.hangUp(call)
    }
    const [talked, busy] = hurried.truth()
    expect(await hearing.waitFor('answered')).toMatchObject({ at: talked?.answeredAt })
    expect(await hearing.waitFor('ended')).toMatchObject({ at: talked?.endedAt })
    expect(await hearing.waitFor('failed')).toMatchObject({ at: busy?.endedAt })
    await hearing.close()
    await hurried.close()
  })

  it('continues to the new total when extended, and a smaller total has no effect', async () => {
    const { call } = await allowed({ carriers: [rings], talkMs: null }, { coveredSeconds: 30 })
    clock.advance(3000 + 25_000)
    control.say({ type: 'extend', call, coveredSeconds: 60 })
    control.say({ type: 'extend', call, coveredSeconds: 10 })
    expect(await control.settled()).toMatchObject([{ coveredSeconds: 60 }])
    clock.advance(34_999)
    expect(demo.live()).toHaveLength(1)
    clock.advance(1)
    expect(demo.truth()).toMatchObject([{ seconds: 60, by: 'timeout' }])
  })

  it('is ended by call control, after the answer and while it rings', async () => {
    const talking = await allowed({ carriers: [rings], talkMs: null })
    clock.advance(5000)
    const ringing = await allowed({ carriers: [rings] })
    clock.advance(1000)
    for (const { call } of [talking, ringing]) control.say({ type: 'hangup', call, reason: 'asked for' })
    expect(await control.waitFor('ended')).toMatchObject({ call: talking.call, by: 'control' })
    expect(await control.waitFor('failed')).toMatchObject({ call: ringing.call, by: 'control', code: 487 })
    control.say({ type: 'hangup', call: 'never-was', reason: 'asked for' })
    expect(await control.settled()).toEqual([])
  })

  it('fails when the caller cancels', async () => {
    const { call } = await allowed({ carriers: [{ ...rings, afterMs: 30_000 }], givesUpAfterMs: 8000 })
    clock.advance(60_000)
    expect(await control.waitFor('failed')).toMatchObject({
      call,
      code: 487,
      by: 'caller',
      attempts: [{ trunk: 1, code: 487 }],
    })
    expect(demo.truth()).toMatchObject([{ code: 487, by: 'caller', seconds: 0 }])
  })
})

describe('carriers', () => {
  const broken = { code: 503, afterMs: 200, ringAfterMs: null }

  it('are tried in order until one answers', async () => {
    const begunAt = clock.now()
    const { call } = await allowed({ carriers: [broken, rings], talkMs: 1000 })
    clock.advance(10_000)
    expect(await control.waitFor('ended')).toMatchObject({
      call,
      trunk: 2,
      attempts: [
        { trunk: 1, code: 503, at: begunAt, until: begunAt + broken.afterMs },
        { trunk: 2, code: 200, at: begunAt + broken.afterMs },
      ],
    })
  })

  it('that all fail give the call the last code', async () => {
    await allowed({ carriers: [{ ...broken, code: 408 }, broken] })
    clock.advance(10_000)
    expect(await control.waitFor('failed')).toMatchObject({
      code: 503,
      by: 'carrier',
      attempts: [
        { trunk: 1, code: 408 },
        { trunk: 2, code: 503 },
      ],
    })
  })

  it.each([
    [486, null],
    [603, 500],
    [480, 500],
    [408, 500],
  ])(
    'are not tried further when %i (ringing after %j) comes from the called side',
    async (code, ringAfterMs) => {
      await allowed({ carriers: [{ code, afterMs: 900, ringAfterMs }, rings] })
      clock.advance(10_000)
      expect(await control.waitFor('failed')).toMatchObject({ code, attempts: [{ trunk: 1, code }] })
    },
  )

  it('fail by trunk on demand', async () => {
    demo.setFaults({ carriers: { 1: 500 } })
    await allowed({ talkMs: 1000 })
    clock.advance(10_000)
    expect(await control.waitFor('ended')).toMatchObject({ trunk: 2 })
  })
})

describe('an authorization request', () => {
  it('that is refused creates no event', async () => {
    const placed = demo.place({ user: 'alice', to: '1' })
    control.say({ type: 'refuse', call: placed.call, code: 404, reason: 'no such number' })
    expect(await placed.ended).toMatchObject({ decision: 'refused', code: 404, reason: 'no such number' })
    await control.settled()
    expect(control.typesOf(placed.call)).toEqual(['authorize'])
  })

  it('without a decision ends with 503 after two seconds', async () => {
    const placed = demo.place({ user: 'alice', to: '12125550123' })
    clock.advance(1999)
    expect(placed.record.decision).toBe('asking')
    expect(await control.settled()).toMatchObject([{ call: placed.call, state: 'authorized' }])
    clock.advance(1)
    expect(placed.record).toMatchObject({ decision: 'unanswered', code: 503 })
  })

  it('ends with 503 immediately while no call control is connected', async () => {
    demo.dropConnections()
    expect((await demo.place({ user: 'alice', to: '12125550123' }).ended).code).toBe(503)
  })

  it('accepts only the first decision', async () => {
    const other = await connectCallControl(demo.port)
    const placed = demo.place({ user: 'alice', to: '12125550123' })
    await other.waitFor('authorize', { call: placed.call })
    other.say(terms(placed.call, { coveredSeconds: 20 }))
    await placed.decided
    control.say({ type: 'refuse', call: placed.call, code: 403, reason: 'too late' })
    control.say(terms(placed.call, { coveredSeconds: 40 }))
    expect(await control.settled()).toMatchObject([{ call: placed.call, coveredSeconds: 20 }])
    await other.close()
  })

  it('that is allowed too late is reported as failed, so that its hold is released', async () => {
    const late = demo.place({ user: 'alice', to: '12125550123' })
    clock.advance(2000)
    control.say(terms(late.call))
    expect(await control.waitFor('failed', { call: late.call })).toMatchObject({ code: 503, by: 'control' })
    const given = demo.place({ user: 'alice', to: '12125550123', givesUpAfterMs: 700 })
    clock.advance(1000)
    control.say(terms(given.call))
    expect(await control.waitFor('failed', { call: given.call })).toMatchObject({ code: 487, by: 'caller' })
  })
})
