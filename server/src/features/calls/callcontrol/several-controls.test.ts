import { expect, it, onTestFinished } from 'vitest'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createProviderWithCustomer, usd } from '../../../../test/telephony.ts'
import { listen } from '../../../platform/listen.ts'
import { createMetrics, type Metrics } from '../../../platform/metrics.ts'
import { decodeChanges } from '../live-calls/live-call.ts'
import { LIVE_CALLS_CHANNEL } from '../live-calls/store.ts'

async function summed(meters: readonly Metrics[], name: string): Promise<number> {
  const text = (await Promise.all(meters.map((metrics) => metrics.text()))).join('')
  const values = text.matchAll(new RegExp(`^trunkline_${name}(?:{.*})? (\\S+)$`, 'gm'))
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0)
}

it('records each call once with two call controls on one switch', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(20))
  await phone.guard(id, { max_calls_per_second: 1_000, max_concurrent_calls: 1_000 })
  const meters = [createMetrics(), createMetrics()]
  for (const metrics of meters) await phone.startControl(undefined, metrics)
  const placed = await Promise.all(
    Array.from({ length: 40 }, (_, index) => phone.place({ user: username, talkMs: 700 + 2_300 * index })),
  )
  expect(placed.filter(({ record }) => record.decision === 'allowed')).toHaveLength(40)
  expect(await phone.openHolds()).toBe(40)
  await phone.advance(100, 2)
  const cdrs = new Map((await phone.cdrs()).map((cdr) => [cdr.call_id, cdr]))
  expect(cdrs.size).toBe(40)
  let spent = 0n
  for (const { call, record } of placed) {
    spent += BigInt(record.seconds) * 1_000n
    expect(cdrs.get(`sw1/${call}`)).toMatchObject({ status: 'completed', seconds: record.seconds })
  }
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: usd(20) - spent, heldMicros: 0n })
  expect([...phone.controls].map((control) => control.status().liveCalls)).toEqual([0, 0])
  // Each call is counted by exactly one of them.
  for (const what of ['calls_admitted_total', 'calls_answered_total', 'calls_ended_total'])
    expect(await summed(meters, what)).toBe(40)
  expect(await summed(meters, 'call_seconds_total')).toBe(Number(spent / 1_000n))
  expect(await phone.faults()).toEqual([])
})

it('admits three of ten calls over two call controls when the balance covers three', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(0.18))
  await phone.guard(id, { max_calls_per_second: 1_000 })
  const meters = [createMetrics(), createMetrics()]
  for (const metrics of meters) await phone.startControl(undefined, metrics)
  const placed = await Promise.all(Array.from({ length: 10 }, () => phone.place({ user: username })))
  await phone.settle()
  expect(placed.filter(({ record }) => record.decision === 'allowed')).toHaveLength(3)
  expect(await phone.openHolds()).toBe(3)
  await phone.advance(70, 2)
  expect(await phone.balanceOf(id)).toEqual({ balanceMicros: 0n, heldMicros: 0n })
  expect(await phone.cdrs()).toHaveLength(10)
  expect(await summed(meters, 'calls_refused_total')).toBe(7)
  expect(await phone.faults()).toEqual([])
})

it('continues the calls of a call control that dies', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(20))
  const first = await phone.startControl()
  await phone.startControl()
  const { call } = await phone.place({ user: username, talkMs: 200_000 })
  await phone.advance(30, 5)
  await first.close()
  await phone.advance(180, 5)
  expect(await phone.cdrOf(call)).toMatchObject({ seconds: 200, cost_micros: 200_000n })
  expect(await phone.faults()).toEqual([])
})

it('announces an answer that arrives before the call is known', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(20))
  await phone.startControl()
  // The second call control has received the events of the call, but not its authorization request.
  const seenBySecond = await startPlainSwitch('sw1')
  await phone.startControl([seenBySecond])
  const states: string[] = []
  await new Promise<void>((resolve, reject) => {
    const watching = listen({
      url: phone.databaseUrl,
      channels: {
        [LIVE_CALLS_CHANNEL]: (payload) => {
          for (const change of decodeChanges(payload) ?? [])
            if (change.change === 'live') states.push(change.call.state)
        },
      },
      onListening: resolve,
      onError: reject,
    })
    onTestFinished(() => watching.close())
  })

  const { call } = await phone.place({
    user: username,
    carriers: [{ code: 200, afterMs: 3_600_000, ringAfterMs: null }],
  })
  // Two processes announce, so the second one has to wait.
  await phone.waitUntil(() => states.includes('authorized'))
  const at = phone.switchClock.now()
  seenBySecond.say({ type: 'answered', id: 'answered', call, at, trunk: phone.trunkId })
  await phone.waitUntil(() => states.includes('answered'))
  expect(states).toEqual(['authorized', 'answered'])
})

it('counts a customer’s calls on all switches toward the limits', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.guard(id, { max_concurrent_calls: 1 })
  const other = await phone.startSwitch()
  await phone.startControl([phone.switch])
  await phone.startControl([other])
  expect((await phone.place({ user: username })).record.decision).toBe('allowed')
  await phone.advance(10, 5)
  expect((await phone.place({ user: username }, other)).record.reason).toBe('too_many_calls')
})
