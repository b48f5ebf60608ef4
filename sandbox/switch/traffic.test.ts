import { parseNumber } from '@trunkline/domain/numbers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectCallControl, type TestCallControl, terms } from '../test/call-control.ts'
import { customers } from './customers.ts'
import { endOf, generateHistory } from './history.ts'
import { dialedCountries, dialedNumber } from './numbers.ts'
import { seededChance } from './random.ts'
import {
  createManualSwitchClock,
  type ManualSwitchClock,
  type RunningDemoSwitch,
  startDemoSwitch,
} from './start.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('the generated history', () => {
  // A Friday at noon.
  const now = Date.UTC(2026, 5, 12, 12)
  const past = generateHistory({ now })
  const share = (isIt: (call: (typeof past)[number]) => boolean) => past.filter(isIt).length / past.length

  it('is the same for the same time, and differs for another seed', () => {
    expect(generateHistory({ now })).toEqual(past)
    expect(generateHistory({ now, seed: 5 })).not.toEqual(past)
  })

  it('has about the requested number of calls, in order, over a hundred days up to an hour ago', () => {
    expect(past.length).toBeGreaterThan(8_000)
    expect(past.length).toBeLessThan(10_000)
    expect(past.map(({ startedAt }) => startedAt)).toEqual(
      past.map(({ startedAt }) => startedAt).toSorted((one, other) => one - other),
    )
    expect(past[0]?.startedAt).toBeGreaterThan(now - 101 * DAY)
    expect(Math.max(...past.map(endOf))).toBeLessThanOrEqual(now - HOUR)
    expect(Math.max(...past.map(endOf))).toBeGreaterThan(now - 3 * HOUR)
    const outgoing = generateHistory({ now, calls: 900 }).filter(({ from }) => from === undefined)
    expect(outgoing.length).toBeLessThan(1_100)
  })

  it('has realistic shares of answered, busy, canceled, failed and refused calls', () => {
    const failedWith = (...codes: number[]) =>
      share(({ outcome }) => outcome.kind === 'failed' && codes.includes(outcome.code))
    expect(share(({ outcome }) => outcome.kind === 'answered')).toBeCloseTo(0.6, 1)
    expect(share(({ outcome }) => outcome.kind === 'refused')).toBeCloseTo(0.02, 2)
    for (const part of [failedWith(486), failedWith(480), failedWith(487), failedWith(500, 502, 503, 504)])
      expect(part).toBeGreaterThan(0.02)
    const lengths = past
      .flatMap(({ outcome }) => (outcome.kind === 'answered' ? [outcome.seconds] : []))
      .toSorted((one, other) => one - other)
    expect(lengths[lengths.length >> 1]).toBeGreaterThan(70)
    expect(lengths[lengths.length >> 1]).toBeLessThan(110)
    expect(lengths[0]).toBeGreaterThanOrEqual(1)
    expect(past.some(({ outcome }) => outcome.kind === 'answered' && outcome.failedOver.length > 0)).toBe(
      true,
    )
  })

  it('has calls to the rented numbers since they are rented, answered and missed', () => {
    for (const { username, number } of customers) {
      const calls = past.filter((call) => call.username === username && call.from !== undefined)
      if (!number) {
        expect(calls).toEqual([])
        continue
      }
      expect(calls.length / (number.callsPerDay * number.rentedDaysAgo)).toBeGreaterThan(0.5)
      expect(new Set(calls.map(({ dialed }) => dialed))).toEqual(new Set([number.e164]))
      expect(calls[0]?.startedAt).toBeGreaterThan(now - (number.rentedDaysAgo + 0.2) * DAY)
      expect(calls.filter(({ from = '' }) => parseNumber(`+${from}`) === null)).toEqual([])
      const codes = new Set(calls.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.code : 200)))
      expect(codes).toEqual(new Set([200, 480, 486, 487]))
    }
  })

  it('has weekdays and weekends, days and nights', () => {
    const northwind = past.filter(({ username }) => username === 'northwind')
    const on = (isIt: (date: Date) => boolean) =>
      northwind.filter(({ startedAt }) => isIt(new Date(startedAt))).length
    const isWeekend = (date: Date) => date.getUTCDay() % 6 === 0
    expect(on(isWeekend) / 2).toBeLessThan(on((date) => !isWeekend(date)) / 5 / 2)
    expect(on((date) => date.getUTCHours() === 9)).toBeGreaterThan(
      10 * on((date) => date.getUTCHours() === 1),
    )
  })

  it('dials valid numbers of the intended country', () => {
    const chance = seededChance(1)
    const wrong = dialedCountries.flatMap((country) =>
      Array.from({ length: 400 }, () => dialedNumber(chance, country)).filter(
        (number) => parseNumber(number)?.country !== country,
      ),
    )
    expect([...new Set(wrong)]).toEqual([])
  })
})

describe('traffic', () => {
  let clock: ManualSwitchClock
  let demo: RunningDemoSwitch
  let control: TestCallControl | undefined

  beforeEach(async () => {
    clock = createManualSwitchClock(Date.UTC(2026, 5, 10, 14))
    demo = await startDemoSwitch({ port: 0, id: 'demo', clock, hasTraffic: true, chance: seededChance(7) })
  })
  afterEach(async () => {
    await control?.close()
    control = undefined
    await demo.close()
  })

  /** Allows every call for this many minutes. */
  async function play(minutes: number) {
    let received = 0
    const counts: number[] = []
    for (let second = 0; second < minutes * 60; second++) {
      clock.advance(1000)
      await control?.settled()
      for (const message of control?.received.slice(received) ?? [])
        if (message.type === 'authorize') control?.say(terms(message.call, { coveredSeconds: 14_400 }))
      received = control?.received.length ?? 0
      await control?.settled()
      counts.push(demo.live().length)
    }
    return counts
  }

  it('waits for call control, then keeps a handful of live calls', async () => {
    clock.advance(60_000)
    expect(demo.truth()).toEqual([])
    control = await connectCallControl(demo.port)
    await control.waitFor('hello')
    const counts = (await play(20)).slice(300)
    const average = counts.reduce((sum, count) => sum + count) / counts.length
    expect(average).toBeGreaterThan(2)
    expect(average).toBeLessThan(10)
    const names = customers.map(({ username }) => username)
    expect(demo.truth().every(({ user }) => names.includes(user ?? ''))).toBe(true)
    expect(demo.truth().filter(({ answeredAt }) => answeredAt !== null).length).toBeGreaterThan(10)
  })

  it('registers the phones of the customers', async () => {
    control = await connectCallControl(demo.port)
    await control.waitFor('hello')
    clock.advance(5000)
    expect(await control.waitFor('registered', { user: 'alice' })).toMatchObject({
      contact: 'sip:alice@198.51.100.21:5060',
      expiresAt: clock.now() - 2000 + 20 * 60_000,
    })
  })

  it('can be paused and resumed', async () => {
    control = await connectCallControl(demo.port)
    await control.waitFor('hello')
    demo.setTraffic(false)
    clock.advance(HOUR)
    expect(demo.truth()).toEqual([])
    demo.setTraffic(true)
    clock.advance(5000)
    expect(demo.truth().length).toBeGreaterThan(0)
  })
})
