import { readFile } from 'node:fs/promises'
import { RING_SECONDS_MAX, RING_STEPS_MAX } from '@trunkline/contract/limits'
import { expect, it } from 'vitest'
import { MAX_HOPS } from '../../domain/callcontrol/hops.ts'
import { defaultLimits } from '../../launcher/switch-settings.ts'
import { startCalledPhone } from './called-phone.ts'
import { alice, harnessForFile } from './harness.ts'
import { bob, callOfCarrier, peerWithCarrier, ringing, type Target } from './incoming-calls.ts'

const harness = await harnessForFile({ workers: 4, limits: { targetLifetimeMs: 5_000 } })

/** Rings a phone that does not answer, and then one that does. */
async function ring(...seconds: number[]) {
  const silent = seconds.map((each, at): Target => ({ id: -1 - at, seconds: each, phones: ['alice'] }))
  const last: Target = { id: -9, seconds: 60, phones: ['bob'] }
  const peer = await peerWithCarrier(harness, () => ringing([...silent, last]))
  const first = await startCalledPhone(harness, alice)
  const second = await startCalledPhone(harness, bob, { habit: 'answers' })
  await Promise.all([first.register(), second.register()])
  const { call } = await callOfCarrier(harness)
  expect((await call.ended).status).toBe(200)
  await call.speech.echoes(3)
  await call.hangUp()
  const { attempts } = await peer.next('ended')
  return attempts.map(({ trunk, at = 0, until = 0 }) => ({ trunk, lastedMs: until - at }))
}

it('gives up a target at the end of its lifetime, and tries the next one', async () => {
  const [first, ...others] = await ring(60)
  expect(first?.lastedMs).toBeGreaterThan(4_000)
  expect(first?.lastedMs).toBeLessThan(20_000)
  expect(others.map(({ trunk }) => trunk)).toEqual([-9])
})

it('rings all targets of a plan that is longer than the lifetime of one target', async () => {
  const attempts = await ring(3, 3, 3)
  expect(attempts.map(({ trunk }) => trunk)).toEqual([-1, -2, -3, -9])
  for (const { lastedMs } of attempts.slice(0, 3)) expect(lastedMs).toBeGreaterThan(2_000)
})

it('has limits above the longest target and the longest plan', async () => {
  // A media process ends the ringing at most 20 seconds late.
  const targetSeconds = RING_SECONDS_MAX + 20
  // The destination and its fallback, in the number's own leg and in each forwarded one.
  const planSeconds = (MAX_HOPS + 2) * 2 * RING_STEPS_MAX * targetSeconds
  expect(defaultLimits.targetLifetimeMs).toBeGreaterThan(targetSeconds * 1_000)
  const modules = await readFile(new URL('../modules.cfg', import.meta.url), 'utf8')
  const seconds = Number(/"early_timeout", (\d+)/.exec(modules)?.[1])
  expect(seconds).toBeGreaterThan(planSeconds)
  expect(Number(/"legs=>[^"]*autoexpire=(\d+)/.exec(modules)?.[1])).toBeGreaterThan(seconds)
  const viaSeconds = Number(/via_ids=>[^"]*autoexpire=(\d+)/.exec(modules)?.[1])
  expect(viaSeconds * 1_000).toBeGreaterThan(defaultLimits.targetLifetimeMs)
})
