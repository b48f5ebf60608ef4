import { system } from '@trunkline/domain/access'
import { expect, it } from 'vitest'
import { withSingleHolds } from '../../../../test/ledger.ts'
import { createProviderWithCustomer, usd } from '../../../../test/telephony.ts'

it('continues live calls after a restart, and receives missed events', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  const first = await phone.startControl()
  const long = await phone.place({ user: username, talkMs: 150_000 })
  const short = await phone.place({ user: username, talkMs: 40_000 })
  await phone.advance(30, 10)
  await first.close()
  phone.switchClock.advance(20_000)
  expect(phone.switch.kept()).toHaveLength(1)
  expect((await phone.place({ user: username })).record).toMatchObject({ decision: 'unanswered', code: 503 })
  await phone.startControl()
  expect(await phone.cdrOf(short.call)).toMatchObject({ seconds: 40, reason: 'hung_up_by_caller' })
  await phone.advance(110)
  expect(await phone.cdrOf(long.call)).toMatchObject({ seconds: 150, cost_micros: 150_000n })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(5 - 0.19), heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})

it('lets a call continue to the end of its hold during an outage, and no further', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  const first = await phone.startControl()
  const { call, record } = await phone.place({ user: username })
  await phone.advance(10, 10)
  await first.close()
  phone.switchClock.advance(300_000)
  expect(record).toMatchObject({ by: 'timeout', seconds: 60 })
  await phone.startControl()
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 60, cost_micros: 60_000n })
  expect((await phone.balanceOf(id)).balanceMicros).toBe(usd(4.94))
})

it('closes the calls of a dead switch within two minutes, as of its last message', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.startControl()
  const { call } = await phone.place({ user: username })
  await phone.place({ user: username, carriers: [{ code: 200, afterMs: 1e9, ringAfterMs: 10 }] })
  await phone.advance(32)
  await phone.switch.close()
  phone.switches.length = 0
  await phone.advance(55, 5)
  expect(await phone.liveRows()).toHaveLength(2)
  await phone.advance(20, 5)
  const cdr = { status: 'completed', reason: 'switch_lost', seconds: 32, cost_micros: 32_000n }
  expect(await phone.cdrOf(call)).toMatchObject(cdr)
  expect((await phone.cdrs()).map(({ status, reason }) => [status, reason])).toContainEqual([
    'failed',
    'switch_lost',
  ])
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(4.968), heldMicros: 0n })
  expect(await phone.faults()).toEqual([])
})

it('does not declare a switch dead without having waited for it', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(5))
  const first = await phone.startControl()
  await phone.place({ user: username, talkMs: null })
  await phone.advance(5, 5)
  await first.close()
  phone.switchClock.advance(40_000)
  const other = await phone.startSwitch()
  await phone.startControl([other])
  phone.switchClock.advance(30_000)
  await phone.tick()
  expect(await phone.liveRows()).toHaveLength(1)
  await phone.advance(75, 5)
  expect(await phone.liveRows()).toEqual([])
})

it('closes the calls of a restarted switch', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.startControl()
  const { call } = await phone.place({ user: username })
  await phone.advance(22)
  phone.switch.die()
  phone.switchClock.advance(1_000)
  await phone.switch.connected()
  await phone.settle()
  await phone.waitUntil(async () => (await phone.liveRows()).length === 0)
  expect(await phone.cdrOf(call)).toMatchObject({ reason: 'switch_lost', seconds: 22 })
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(4.978), heldMicros: 0n })
  expect((await phone.place({ user: username })).record.decision).toBe('allowed')
  expect(await phone.faults()).toEqual([])
})

it('releases the hold of a call whose answer never reached the switch', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  const first = await phone.startControl()
  const { call } = await phone.place({ user: username })
  await phone.settle()
  const [row] = await phone.liveRows()
  await first.close()
  // As if call control had died between the commit and the answer.
  phone.switch.die()
  await phone.db
    .updateTable('live_calls')
    .set({ state: 'authorized', answered_at: null, started_at: new Date(phone.switchClock.now() + 10) })
    .execute()
  phone.switchClock.advance(100)
  await phone.startControl()
  expect(row?.call_id).toBe(`sw1/${call}`)
  await phone.advance(10)
  expect(await phone.liveRows()).toHaveLength(1)
  await phone.advance(12)
  expect(await phone.liveRows()).toEqual([])
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(5), heldMicros: 0n })
  expect(await phone.cdrs()).toMatchObject([{ status: 'failed', reason: 'switch_lost', cost_micros: 0n }])
})

it('waits for the end event of a call that the switch no longer lists', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(5))
  await phone.startControl()
  const { call } = await phone.place({ user: username, talkMs: 20_000 })
  await phone.settle()
  phone.switch.setFaults({ delay_ms: 50_000 })
  for (let second = 0; second < 65; second++) {
    phone.switchClock.advance(1_000)
    for (const control of phone.controls) await control.tick()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(await phone.liveRows()).toHaveLength(1)
  phone.switchClock.advance(10_000)
  phone.switch.resetFaults()
  await phone.settle()
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 20, reason: 'hung_up_by_caller' })
})

it('ends a call without a hold at the switch, unless it may have just ended', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(5))
  const first = await phone.startControl()
  const { call, record } = await phone.place({ user: username })
  await phone.settle()
  await first.close()
  await phone.db.deleteFrom('live_calls').execute()
  await withSingleHolds(phone.ledger, phone.db).releaseHold(system('test'), { holdId: `sw1/${call}` })
  await phone.startControl()
  expect(record.endedAt).toBeNull()
  await phone.advance(15)
  expect(record.endedAt).not.toBeNull()
  expect(record.by).toBe('control')
})

it('learns a missed answer and a lost extension from the list', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(5))
  const first = await phone.startControl()
  const { call, record } = await phone.place({ user: username, talkMs: 100_000 })
  await phone.settle()
  phone.switch.setFaults({ ignores: ['extend'] })
  await phone.advance(45)
  expect(record.coveredSeconds).toBe(60)
  expect(await phone.liveRows()).toMatchObject([{ covered_seconds: 120 }])
  await first.close()
  await phone.db
    .updateTable('live_calls')
    .set({ state: 'ringing', answered_at: null, ringing_at: phone.clock.now() })
    .execute()
  phone.switch.resetFaults()
  await phone.startControl()
  await phone.waitUntil(() => record.coveredSeconds === 120)
  expect(await phone.liveRows()).toMatchObject([
    { state: 'answered', answered_at: new Date(record.answeredAt ?? 0) },
  ])
  await phone.advance(60)
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 100, cost_micros: 100_000n })
})
