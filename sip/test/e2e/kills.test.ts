import { dollars } from '@trunkline/domain/money'
import { beforeEach, expect, it } from 'vitest'
import { watchStops } from '../eventually.ts'
import { nextPort } from '../harness.ts'
import { runSipp } from '../sipp.ts'
import { disastersOf, toleranceOf } from './disasters.ts'
import { providerForFile } from './for-file.ts'
import { PER_SECOND, until } from './provider.ts'

/** Five-second calls end during the outage, longer ones after it. */
const CALLS_OF_EACH = 25
const kinds = [
  { number: '442079460001', talk: 5_000 },
  { number: '442079460002', talk: 12_000 },
]

const provider = await providerForFile()
let stops: ReturnType<typeof watchStops>
beforeEach(() => {
  stops = watchStops()
  return stops.close
})

const disasters = disastersOf(() => provider, 5_000)

it.each(disasters)('every answered call has one correct record when %s', async (_what, strike) => {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 100 })
  await provider.newTrunk(carrier)
  const { id, account } = await provider.newCustomer({ balance: dollars(1_000) })
  const many = {
    max_concurrent_calls: 1_000,
    max_calls_per_second: 1_000,
    daily_spend_micros: dollars(1_000),
  }
  await provider.guard(id, many)
  await provider.settle()
  const runs = []
  for (const { number, talk } of kinds)
    runs.push(
      await runSipp({
        scenario: 'caller',
        port: nextPort(),
        remotePort: provider.sipPort,
        account,
        calls: CALLS_OF_EACH,
        perSecond: 12,
        talk,
        service: number,
        timeoutSeconds: 150,
      }),
    )
  // Calls that are being set up at that moment may fail.
  await until(
    async () => {
      const talking = (await provider.liveCalls()).filter(({ state }) => state === 'answered').length
      return talking + (await provider.cdrs(id)).length >= CALLS_OF_EACH * kinds.length
    },
    'live calls',
    60_000,
  )
  await strike()
  const results = await Promise.all(runs.map(({ ended }) => ended))
  expect(results.map(({ failed }) => failed)).toEqual(runs.map(() => 0))
  expect(results.map(({ errors }) => errors).join('')).toBe('')
  await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls', 60_000)

  const records = await provider.cdrs(id)
  let charged = 0n
  for (const [index, { number }] of kinds.entries()) {
    const reported = [...(results[index]?.calls.values() ?? [])].sort(
      (a, b) => (a.answeredAt ?? 0) - (b.answeredAt ?? 0),
    )
    const written = records
      .filter(({ destination }) => destination === number)
      .sort((a, b) => (a.answered_at?.getTime() ?? 0) - (b.answered_at?.getTime() ?? 0))
    expect(reported).toHaveLength(CALLS_OF_EACH)
    expect(written).toHaveLength(CALLS_OF_EACH)
    for (const [at, record] of written.entries()) {
      const { answeredAt = 0, endedAt = 0 } = reported[at] ?? {}
      expect(record).toMatchObject({
        status: 'completed',
        cost_micros: BigInt(record.seconds) * PER_SECOND,
      })
      expect(Math.abs(record.seconds - (endedAt - answeredAt) / 1_000)).toBeLessThan(toleranceOf(1.5, stops))
      charged += record.cost_micros
    }
  }
  expect(await provider.balanceOf(id)).toEqual({ balanceMicros: dollars(1_000) - charged, heldMicros: 0n })
  expect(await provider.faults()).toEqual([])
})
