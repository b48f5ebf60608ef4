import { expect, it } from 'vitest'
import { createProviderWithCustomer, createSmallProvider, usd } from '../../../../test/telephony.ts'

/** Six cents per minute: a second costs 1,000 micro-dollars, a slice of 60 seconds 60,000. */

it('admits only three of ten parallel calls when the balance covers three', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(0.18))
  await phone.guard(id, { max_calls_per_second: 100 })
  await phone.startControl()
  const placed = await Promise.all(Array.from({ length: 10 }, () => phone.place({ user: username })))
  expect(placed.filter(({ record }) => record.decision === 'allowed')).toHaveLength(3)
  expect(placed.filter(({ record }) => record.code === 402)).toHaveLength(7)
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(0.18), heldMicros: usd(0.18) })
  await phone.advance(10, 5)
  for (const { call } of placed) phone.switch.hangUp(call)
  await phone.settle()
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(0.15), heldMicros: 0n })
  expect(await phone.cdrs()).toHaveLength(10)
  expect(await phone.faults()).toEqual([])
})

it('ends a call after seven seconds when the balance covers seven seconds', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(0.007_9))
  await phone.startControl()
  const { call, record } = await phone.place({ user: username })
  expect(record.coveredSeconds).toBe(7)
  await phone.advance(12)
  expect(record).toMatchObject({ by: 'timeout', seconds: 7 })
  const cdr = {
    status: 'completed',
    reason: 'balance_used_up',
    seconds: 7,
    cost_micros: 7_000n,
    hung_up_by: 'timeout',
  }
  expect(await phone.cdrOf(call)).toMatchObject(cdr)
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: 900n, heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})

it('extends a long call slice by slice and charges it once', async () => {
  const phone = await createSmallProvider({
    route: { price_micros: 70_001n, connect_fee_micros: 5_003n, first_increment: 30, next_increment: 6 },
  })
  const { id, username } = await phone.newCustomer(usd(1), phone.routeId)
  await phone.startControl()
  const { call, record } = await phone.place({ user: username, talkMs: 200_500 })
  await phone.advance(210)
  expect(record).toMatchObject({ by: 'caller', seconds: 201 })
  const cost = 5_003n + (70_001n * 204n + 59n) / 60n
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 201, billed_seconds: 204, cost_micros: cost })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(1) - cost, heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})

it('ends a call when the balance is withdrawn during it, and charges its hold', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(1))
  await phone.startControl()
  const { call, record } = await phone.place({ user: username })
  await phone.advance(30)
  await expect(phone.takeAway(id, usd(0.95))).rejects.toThrow('insufficient_balance')
  await phone.takeAway(id, usd(0.935))
  await phone.advance(60)
  expect(record).toMatchObject({ by: 'timeout', seconds: 65 })
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 65, cost_micros: 65_000n })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: 0n, heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})

it('continues a call when a top-up arrives before the hold is used up', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(0.06))
  await phone.startControl()
  const { call, record } = await phone.place({ user: username, talkMs: 100_000 })
  await phone.advance(50)
  expect(record.coveredSeconds).toBe(60)
  await phone.topUp(id, usd(1))
  await phone.advance(60)
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 100, reason: 'hung_up_by_caller' })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(0.96), heldMicros: 0n })
})

it('keeps the price of a live call and uses a new price for the next call', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(1_000))
  await phone.guard(id, { max_calls_per_second: 10_000, max_concurrent_calls: 10_000 })
  const control = await phone.startControl()
  const first = await phone.place({ user: username })
  await phone.advance(30, 10)
  await phone.db
    .updateTable('routes')
    .set({ price_micros: 600_000n })
    .where('id', '=', phone.routeId)
    .execute()
  let second = first
  await phone.waitUntil(async () => {
    second = await phone.place({ user: username })
    const rows = await phone.liveRows()
    return rows.some(({ price_micros }) => price_micros === 600_000n)
  })
  await phone.advance(100, 10)
  for (const { call } of phone.switch.live()) phone.switch.hangUp(call)
  await phone.settle()
  expect(await phone.cdrOf(first.call)).toMatchObject({
    seconds: 130,
    price_micros: 60_000n,
    cost_micros: 130_000n,
  })
  expect(await phone.cdrOf(second.call)).toMatchObject({
    seconds: 100,
    price_micros: 600_000n,
    cost_micros: usd(1),
  })
  expect((await phone.balanceOf(id)).heldMicros).toBe(0n)
  expect(control.status().liveCalls).toBe(0)
  expect(await phone.faults()).toEqual([])
})

it('places no hold for a free call, and still records it', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(0), {
    route: { price_micros: 0n, sells_below_cost: true },
  })
  await phone.startControl()
  const { call, record } = await phone.place({ user: username, talkMs: 90_000 })
  expect(record.decision).toBe('allowed')
  expect(await phone.openHolds()).toBe(0)
  await phone.advance(95, 5)
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 90, cost_micros: 0n, buy_micros: 15_000n })
  expect(await phone.liveRows()).toEqual([])
})

it('splits a small balance between two calls without spending it twice', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(0.15))
  await phone.startControl()
  const calls = [await phone.place({ user: username }), await phone.place({ user: username })]
  await phone.advance(130)
  const seconds = calls.map(({ record }) => record.seconds)
  expect(seconds.reduce((sum, one) => sum + one)).toBe(150)
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: 0n, heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})
