import { setTimeout as pause } from 'node:timers/promises'
import { dollars, micros } from '@trunkline/domain/money'
import type { Destination } from '@trunkline/domain/ringing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Caller, type DialedCall, startCaller } from '../../../sandbox/public-network/caller.ts'
import { disastersOf } from './disasters.ts'
import { LONDON, PER_SECOND, type Provider, startProvider, until } from './provider.ts'

/** Of each kind: half of the calls end during the outage, the others after it. */
const CALLS_OF_EACH = 8

let provider: Provider
let network: Caller
beforeAll(async () => {
  provider = await startProvider()
  network = await startCaller({ host: '127.0.0.1', port: 0 })
  network.setSwitch(`127.0.0.1:${provider.sipPort}`)
})
afterEach(async () => {
  await provider.harness.reset()
  await provider.db.deleteFrom('trusted_addresses').execute()
  await provider.db.deleteFrom('number_rentals').execute()
  await provider.db.deleteFrom('numbers').execute()
  await provider.dropTrunks()
})
afterAll(async () => {
  await network?.close()
  await provider?.close()
})

const disasters = disastersOf(() => provider, 4_000)
const planOf = (destination: Destination) => ({ timeZone: 'UTC', rules: [], destination, fallback: null })

it.each(disasters)(
  'each leg of incoming, forwarded and internal calls has one correct record when %s',
  async (_what, strike) => {
    const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
    const pbx = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
    await provider.newTrunk(carrier, { incoming_sources: [`127.0.0.1:${network.port}`] })
    const many = {
      max_concurrent_calls: 1_000,
      max_calls_per_second: 1_000,
      daily_spend_micros: dollars(1_000),
    }
    const owner = await provider.newCustomer({ balance: dollars(1_000) })
    const friend = await provider.newCustomer({ balance: dollars(1_000) })
    for (const { id } of [owner, friend]) await provider.guard(id, many)
    await provider.setAddress(owner, '127.0.0.1', 'approved')
    const toPbx = {
      kind: 'pbx',
      address: '127.0.0.1',
      port: pbx.port,
      transport: 'udp',
      seconds: 20,
    } as const
    const toLondon = { kind: 'number', number: LONDON, callerId: 'number', seconds: 20 } as const
    const direct = '442079462001'
    const forwarded = '442079462002'
    await provider.newNumber(owner, direct, { max_calls: 100, plan: planOf(toPbx) })
    await provider.newNumber(owner, forwarded, { max_calls: 100, plan: planOf(toLondon) })
    await provider.settle()

    const incoming: DialedCall[] = []
    for (const number of [direct, forwarded])
      for (let n = 0; n < CALLS_OF_EACH; n++) {
        const callerId = `+1202555${1000 + incoming.length}`
        const wish = { number: `+${number}`, callerId, name: '', isWithheld: false, sound: 'tone' as const }
        incoming.push((await network.dial(wish)) as DialedCall)
      }
    const phone = await provider.harness.phone({ account: friend.account })
    const internal = []
    for (let n = 0; n < CALLS_OF_EACH; n++) {
      const call = await phone.call(direct)
      expect((await call.ended).status).toBe(200)
      internal.push(call)
    }
    await until(async () => incoming.every(({ state }) => state === 'answered'), 'answers', 60_000)
    await until(
      async () => {
        const rows = await provider.liveCalls()
        return rows.length === CALLS_OF_EACH * 5 && rows.every(({ state }) => state === 'answered')
      },
      'live calls',
      60_000,
    )

    const isEarly = (at: number) => at % 2 === 0
    const striking = strike()
    await pause(1_500)
    for (const [at, { id }] of incoming.entries()) if (isEarly(at)) network.hangUp(id)
    for (const [at, call] of internal.entries()) if (isEarly(at)) await call.hangUp()
    await striking
    await pause(2_000)
    for (const { id } of incoming) network.hangUp(id)
    for (const [at, call] of internal.entries()) if (!isEarly(at)) await call.hangUp()
    await until(async () => (await provider.liveCalls()).length === 0, 'end of all calls', 90_000)
    await until(async () => carrier.live() + pbx.live() === 0, 'end at the carrier and the PBX', 60_000)

    const records = await provider.cdrs(owner.id)
    const calls = await provider.cdrs(friend.id)
    expect(calls).toHaveLength(CALLS_OF_EACH)
    expect(records.filter(({ direction }) => direction === 'out')).toHaveLength(CALLS_OF_EACH)
    expect(records.filter(({ destination }) => destination === forwarded)).toHaveLength(CALLS_OF_EACH)
    expect(records.filter(({ destination }) => destination === direct)).toHaveLength(CALLS_OF_EACH * 2)
    for (const record of [...records, ...calls])
      expect(record).toMatchObject({
        status: 'completed',
        cost_micros: BigInt(record.seconds) * priceOf(record),
      })
    for (const { caller_id, destination, seconds } of records)
      for (const { callerId, number, answeredAt, endedAt } of incoming)
        if (callerId === `+${caller_id}` && number === `+${destination}`)
          expect(Math.abs(seconds - ((endedAt ?? 0) - (answeredAt ?? 0)) / 1_000)).toBeLessThan(2)
    const charged = records.reduce((sum, { cost_micros }) => sum + cost_micros, 0n)
    expect(await provider.balanceOf(owner.id)).toEqual({
      balanceMicros: micros(dollars(1_000) - charged),
      heldMicros: 0n,
    })
    expect(await provider.faults()).toEqual([])
  },
)

/** Calls between customers are free. */
const priceOf = ({ direction, parent_call_id, route_id }: Record<string, unknown>): bigint =>
  route_id === -2 || (direction === 'in' && parent_call_id !== null) ? 0n : PER_SECOND
