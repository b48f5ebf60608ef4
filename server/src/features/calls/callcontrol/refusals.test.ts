import { sipCodes } from '@trunkline/contract/call-reasons'
import { system } from '@trunkline/domain/access'
import type { RefusalReason } from '@trunkline/domain/callcontrol'
import { micros } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import {
  BERLIN,
  createProviderWithCustomer,
  createSmallProvider,
  LONDON,
  usd,
} from '../../../../test/telephony.ts'

type Provider = Awaited<ReturnType<typeof createSmallProvider>>
type Set = { user?: string; address?: string; to?: string }

/** The setup and the call for each refusal reason. */
const cases: [RefusalReason, (phone: Provider) => Promise<Set>][] = [
  ['unknown_caller', async () => ({ user: 'nobody-at-all' })],
  [
    'account_disabled',
    async (phone) => {
      const disabled_at = phone.clock.now()
      const { username } = await phone.newCustomer(usd(1), phone.routeId, { disabled_at })
      return { user: username }
    },
  ],
  ['calls_stopped', (phone) => guarded(phone, { are_calls_stopped: true })],
  [
    'no_caller_id',
    async (phone) => ({
      user: (await phone.newCustomer(usd(1), phone.routeId, { callerId: null })).username,
    }),
  ],
  [
    'caller_id_unapproved',
    async (phone) => ({ user: (await phone.newCustomer(usd(1), phone.routeId)).username }),
  ],
  ['unknown_number', async (phone) => ({ ...(await guarded(phone, {})), to: '12' })],
  ['country_blocked', (phone) => guarded(phone, { blocked_countries: ['GB'] })],
  ['high_risk_blocked', async (phone) => ({ ...(await guarded(phone, {})), to: '+449098790000' })],
  ['no_route', async (phone) => ({ ...(await guarded(phone, {})), to: BERLIN })],
  [
    'premium_route',
    async (phone) => {
      const premium = await phone.newRoute(phone.planId, { is_premium: true })
      return { user: (await phone.newCustomer(usd(1), premium)).username }
    },
  ],
  ['price_above_limit', (phone) => guarded(phone, { max_price_micros: 59_999n })],
  ['too_many_calls', (phone) => guarded(phone, { max_concurrent_calls: 0 })],
  ['too_many_calls_per_second', (phone) => guarded(phone, { max_calls_per_second: 0 })],
  ['daily_spend_reached', (phone) => guarded(phone, { daily_spend_micros: 999n })],
  [
    'no_trunk',
    async (phone) => {
      const route = await phone.newRoute(await phone.newPlan())
      return { user: (await phone.newCustomer(usd(1), route)).username }
    },
  ],
  [
    'trunks_full',
    async (phone) => {
      const plan = await phone.newPlan()
      await phone.newTrunk(plan, { capacity: 1 })
      const { id, username } = await phone.newCustomer(usd(1), await phone.newRoute(plan))
      await phone.guard(id, { max_calls_per_second: 100 })
      return { user: username }
    },
  ],
  [
    'below_cost',
    async (phone) => {
      const route = await phone.newRoute(phone.planId, { price_micros: 9_999n })
      return { user: (await phone.newCustomer(usd(1), route)).username }
    },
  ],
  [
    'no_balance',
    async (phone) => ({ user: (await phone.newCustomer(usd(0.000_999), phone.routeId)).username }),
  ],
]

async function guarded(phone: Provider, columns: Parameters<Provider['guard']>[1]): Promise<Set> {
  const { id, username } = await phone.newCustomer(usd(1), phone.routeId)
  await phone.guard(id, columns)
  return { user: username }
}

describe('a call is refused', () => {
  it.each(cases)('%s: with its SIP code, a record and no money held', async (reason, setUp) => {
    const callerIds = reason === 'caller_id_unapproved' ? 'approved' : 'any'
    const phone = await createSmallProvider({ callerIds })
    const wish = await setUp(phone)
    await phone.startControl()
    if (reason === 'trunks_full') expect((await phone.place(wish)).record.decision).toBe('allowed')
    const holds = await phone.openHolds()
    const { call, record } = await phone.place(wish)
    expect(record).toMatchObject({ decision: 'refused', code: sipCodes[reason], reason })
    const cdr = { status: 'refused', reason, sip_code: sipCodes[reason], seconds: 0, cost_micros: 0n }
    expect(await phone.cdrOf(call)).toMatchObject({ ...cdr, dialed: wish.to ?? LONDON })
    expect(await phone.openHolds()).toBe(holds)
    expect(await phone.faults()).toEqual([])
  })
})

it('accepts a caller ID from its approval until it is rejected or changed', async () => {
  const phone = await createSmallProvider({ callerIds: 'approved' })
  const { id, username } = await phone.newCustomer(usd(100), phone.routeId, { callerId: '12025550100' })
  await phone.guard(id, { max_calls_per_second: 10_000, max_concurrent_calls: 10_000 })
  await phone.startControl()
  const decide = (state: 'approved' | 'rejected') => {
    const decided = { state, decided_at: phone.clock.now() }
    return phone.db
      .insertInto('caller_id_requests')
      .values({ user_id: id, callerid: '12025550100', requested_at: phone.clock.now(), ...decided })
      .onConflict((conflict) => conflict.columns(['user_id', 'callerid']).doUpdateSet(decided))
      .execute()
  }
  const refusedWith = async (reason: string) =>
    phone.waitUntil(async () => (await phone.place({ user: username })).record.reason === reason)
  await refusedWith('caller_id_unapproved')
  await decide('approved')
  await phone.waitUntil(async () => (await phone.place({ user: username })).record.decision === 'allowed')
  await decide('rejected')
  await refusedWith('caller_id_unapproved')
  await decide('approved')
  await phone.waitUntil(async () => (await phone.place({ user: username })).record.decision === 'allowed')
  await phone.db.updateTable('caller_ids').set({ callerid: '12025550199' }).execute()
  await refusedWith('caller_id_unapproved')
})

it('raises one alert for many refusals by the same limit', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(1))
  await phone.guard(id, { blocked_countries: ['GB'] })
  await phone.startControl()
  await Promise.all(Array.from({ length: 20 }, () => phone.place({ user: username })))
  await phone.waitUntil(async () => (await phone.db.selectFrom('alerts').selectAll().execute()).length > 0)
  const alerts = await phone.db.selectFrom('alerts').selectAll().execute()
  expect(alerts).toMatchObject([{ kind: 'country_blocked', subject: `user:${id}`, user_id: id, times: 1 }])
  expect(await phone.cdrs()).toHaveLength(20)
})

it.each([
  ['a customer', async (phone: Provider) => guarded(phone, { blocked_countries: ['GB'] }), 'country_blocked'],
  ['a stranger', async () => ({ user: 'nobody-at-all' }), 'unknown_caller'],
] as const)('records a flood of %s up to a limit and counts the rest', async (_who, setUp, reason) => {
  const phone = await createSmallProvider()
  const wish = await setUp(phone)
  const other = await guarded(phone, { blocked_countries: ['GB'] })
  await phone.startControl()
  const placed = await Promise.all(Array.from({ length: 200 }, () => phone.place(wish)))
  for (const { record } of placed) expect(record).toMatchObject({ decision: 'refused', reason })
  expect(await phone.cdrs()).toHaveLength(60)

  const alerts = () =>
    phone.db.selectFrom('alerts').selectAll().where('kind', '=', 'refused_calls_flood').execute()
  await phone.tick()
  await phone.waitUntil(async () => (await alerts()).length > 0)
  expect(await alerts()).toMatchObject([{ details: { reason, count: 140 } }])
  expect((await phone.place(other)).record.reason).toBe('country_blocked')
  expect(await phone.cdrs()).toHaveLength(61)
  expect(await phone.faults()).toEqual([])
})

it('counts live calls toward the limit until they end', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.guard(id, { max_concurrent_calls: 2, max_calls_per_second: 100 })
  await phone.startControl()
  const placed = await Promise.all([1, 2, 3].map(() => phone.place({ user: username })))
  expect(placed.map(({ record }) => record.reason)).toEqual(['', '', 'too_many_calls'])
  phone.switch.hangUp(placed[0]?.call ?? '')
  await phone.settle()
  expect((await phone.place({ user: username })).record.decision).toBe('allowed')
})

it('applies the daily limit to ended, live and extended calls', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.guard(id, { daily_spend_micros: 100_000n })
  await phone.startControl()
  const { call } = await phone.place({ user: username })
  await phone.advance(30, 10)
  phone.switch.hangUp(call)
  await phone.settle()
  const second = await phone.place({ user: username })
  await phone.advance(100)
  expect(second.record).toMatchObject({ by: 'timeout', seconds: 70 })
  // The balance was sufficient, so the reason is the daily limit.
  expect((await phone.cdrOf(second.call)).reason).toBe('daily_spend_used_up')
  expect((await phone.place({ user: username })).record.reason).toBe('daily_spend_reached')
  await phone.switchClock.advance(24 * 3600 * 1000)
  await phone.settle()
  expect((await phone.place({ user: username })).record.decision).toBe('allowed')
  expect((await phone.balanceOf(id)).balanceMicros).toBe(usd(4.9))
})

it('applies the daily limit to calls that cross midnight', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.guard(id, { daily_spend_micros: 100_000n })
  const now = phone.clock.now()
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  phone.switchClock.advance(midnight - now.getTime() - 10_000)
  await phone.startControl()
  const crossing = await phone.place({ user: username })
  await phone.advance(90, 10)
  phone.switch.hangUp(crossing.call)
  await phone.settle()
  const second = await phone.place({ user: username })
  await phone.advance(4)
  phone.switch.hangUp(second.call)
  await phone.settle()
  // The sums are read every 30 seconds.
  await phone.advance(31)
  const third = await phone.place({ user: username })
  await phone.advance(10)
  expect(third.record).toMatchObject({ by: 'timeout', seconds: 6 })
  expect((await phone.balanceOf(id)).balanceMicros).toBe(usd(4.9))
})

it('applies the daily limit to booked recordings', async () => {
  const { phone, id, username } = await createProviderWithCustomer(usd(5))
  await phone.guard(id, { daily_spend_micros: 100_000n })
  await phone.startControl()
  const fee = { kind: 'recording', userId: id, key: 'recording:1', reference: 'recording 1' } as const
  await phone.ledger.post(system('test'), { ...fee, amountMicros: micros(100_000n) })
  // The sums are read every 30 seconds.
  await phone.advance(31)
  expect((await phone.place({ user: username })).record.reason).toBe('daily_spend_reached')
})

describe('the caller', () => {
  it('is identified by a trusted address, and by a username in any letter case', async () => {
    const phone = await createSmallProvider()
    const { id, username } = await phone.newCustomer(usd(1), phone.routeId, { address: '198.51.100.7' })
    await phone.startControl()
    const byAddress = await phone.place({ address: '198.51.100.7' })
    expect(byAddress.record.decision).toBe('allowed')
    expect((await phone.place({ user: username.toUpperCase() })).record.decision).toBe('allowed')
    expect((await phone.place({ address: '198.51.100.8' })).record.reason).toBe('unknown_caller')
    expect((await phone.liveRows()).map(({ user_id }) => user_id)).toEqual([id, id])
  })

  it('is unknown when two accounts have proven the same address', async () => {
    const phone = await createSmallProvider()
    for (let count = 0; count < 2; count++)
      await phone.newCustomer(usd(1), phone.routeId, { address: '198.51.100.7' })
    await phone.startControl()
    expect((await phone.place({ address: '198.51.100.7' })).record.reason).toBe('unknown_caller')
  })

  it('is unknown when the address is unproven or its account is disabled', async () => {
    const phone = await createSmallProvider()
    const claiming = await phone.newCustomer(usd(1), phone.routeId, { address: '198.51.100.7' })
    const disabled = await phone.newCustomer(usd(1), phone.routeId, { address: '198.51.100.8' })
    await phone.db
      .updateTable('trusted_addresses')
      .set({ state: 'pending', trusted_at: null })
      .where('user_id', '=', claiming.id)
      .execute()
    await phone.db
      .updateTable('users')
      .set({ disabled_at: phone.clock.now() })
      .where('id', '=', disabled.id)
      .execute()
    await phone.startControl()
    for (const address of ['198.51.100.7', '198.51.100.8'])
      expect((await phone.place({ address })).record.reason).toBe('unknown_caller')
  })

  it('is affected by a change immediately', async () => {
    const phone = await createSmallProvider()
    const control = await phone.startControl()
    const { id, username } = await phone.newCustomer(usd(1), phone.routeId)
    await phone.waitUntil(async () => (await phone.place({ user: username })).record.decision === 'allowed')
    await phone.guard(id, { are_calls_stopped: true })
    await phone.waitUntil(async () => {
      await phone.tick()
      return control.status().liveCalls === 0
    })
    await phone.settle()
    const [ended] = (await phone.cdrs()).filter(({ status }) => status === 'completed')
    expect(ended).toMatchObject({ reason: 'account_stopped', hung_up_by: 'control' })
  })
})

it('repeats its answer for a repeated request', async () => {
  const { phone, username } = await createProviderWithCustomer(usd(0.06))
  await phone.startControl()
  phone.switch.setFaults({ doubled: true })
  expect((await phone.place({ user: username })).record.decision).toBe('allowed')
  expect((await phone.place({ user: username })).record.reason).toBe('no_balance')
  await phone.settle()
  expect(await phone.liveRows()).toHaveLength(1)
  expect(await phone.cdrs()).toHaveLength(1)
})
