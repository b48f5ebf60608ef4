import { setTimeout as pause } from 'node:timers/promises'
import { ZERO } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { providerForFile } from './for-file.ts'
import { LONDON, until } from './provider.ts'

const provider = await providerForFile()

async function answering() {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 20 })
  const trunkId = await provider.newTrunk(carrier, { strip_digits: 0, add_prefix: '' })
  const numbers = () =>
    carrier.requests
      .filter(({ method }) => method === 'INVITE')
      .map(({ uri }) => /^sip:([^@]*)@/.exec(uri ?? '')?.[1])
  return { carrier, trunkId, numbers }
}

const liveIn = (userId: number, home_country: string) =>
  provider.db.updateTable('users').set({ home_country }).where('id', '=', userId).execute()

describe('a number reaches the carrier as E.164, dialed as', () => {
  it.each([
    ['%2B442079460123', null],
    ['%2b44-20-7946-0123', null],
    ['+442079460123;npdi', null],
    ['02079460123;phone-context=+44', null],
    ['02079460123', 'GB'],
    ['2079460123', 'GB'],
    ['011442079460123', 'US'],
    ['0011442079460123', 'AU'],
  ])('%s with home country %s', async (dialed, home) => {
    const { numbers } = await answering()
    const { id, account } = await provider.newCustomer()
    if (home) await liveIn(id, home)
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const call = await phone.call(dialed)
    expect((await call.ended).status).toBe(200)
    expect((await call.hangUp()).status).toBe(200)
    expect(numbers()).toEqual([LONDON])
    expect(await provider.cdrOf(id)).toMatchObject({ destination: LONDON, status: 'completed' })
  })

  it.each([
    ['02079460123', null],
    ['%00442079460123', null],
    ['02079460123;phone-context=example.com', null],
  ])('but not %s with home country %s', async (dialed) => {
    await answering()
    const { id, account } = await provider.newCustomer()
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    expect((await (await phone.call(dialed)).ended).status).toBe(404)
    expect(await provider.cdrOf(id)).toMatchObject({ reason: 'unknown_number' })
  })
})

describe('an emergency call', () => {
  const carriedBy = (trunk_id: number, sent_as: string | null = null) =>
    provider.db
      .insertInto('emergency_route')
      .values({ trunk_id, sent_as, caller_id: '12025550199', updated_at: new Date() })
      .execute()

  it.each(['112', '911', '999'])(
    'to %s is refused with its own reason when no trunk supports it',
    async (number) => {
      await answering()
      const { id, account } = await provider.newCustomer()
      await provider.settle()
      const phone = await provider.harness.phone({ account })
      const { status, reason } = await (await phone.call(number)).ended
      expect({ status, reason }).toEqual({ status: 403, reason: 'no_emergency_service' })
      expect(await provider.cdrOf(id)).toMatchObject({ dialed: number, reason: 'no_emergency_service' })
    },
  )

  it('is free and ignores balance, route, caller ID and limits, and is counted', async () => {
    const { trunkId, numbers } = await answering()
    await provider.db.updateTable('trunks').set({ strip_digits: 1, add_prefix: '99' }).execute()
    await carriedBy(trunkId)
    const { id, account } = await provider.newCustomer({ balance: ZERO, callerId: null, route: null })
    await provider.guard(id, { are_calls_stopped: true, max_concurrent_calls: 0, daily_spend_micros: 0n })
    await liveIn(id, 'DE')
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const calls = [await phone.call('110'), await phone.call('112')]
    for (const call of calls) expect((await call.ended).status).toBe(200)
    expect(numbers().sort()).toEqual(['110', '112'])
    const live = await until(async () => {
      const found = (await provider.liveCalls()).filter(({ user_id }) => user_id === id)
      return found.length === 2 && found
    }, 'live calls')
    expect(live[0]).toMatchObject({ route_name: 'Emergency call', caller_id: '12025550199', held_micros: 0n })
    expect((await (await phone.call('112')).ended).status).toBe(486)
    // Once a second, calls of a stopped account are ended, except emergency calls.
    await pause(2_500)
    expect((await provider.liveCalls()).filter(({ user_id }) => user_id === id)).toHaveLength(2)
    for (const call of calls) expect((await call.hangUp()).status).toBe(200)
    const records = await until(async () => {
      const found = await provider.cdrs(id)
      return found.length === 3 && found
    }, 'three records')
    expect(records.filter(({ status }) => status === 'completed')).toMatchObject([
      { cost_micros: 0n, route_name: 'Emergency call' },
      { cost_micros: 0n, route_name: 'Emergency call' },
    ])
    expect(await provider.faults()).toEqual([])
  })

  it('uses the caller ID set by the operator', async () => {
    const { trunkId, numbers } = await answering()
    await carriedBy(trunkId, '+441234567')
    const { account } = await provider.newCustomer()
    await provider.settle()
    const phone = await provider.harness.phone({ account })
    const call = await phone.call('999')
    expect((await call.ended).status).toBe(200)
    expect(numbers()).toEqual(['+441234567'])
    await call.hangUp()
  })
})
