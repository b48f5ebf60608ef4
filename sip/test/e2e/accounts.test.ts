import { dollars, micros, ZERO } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { startCarrier } from '../../../sandbox/carriers/carrier.ts'
import { nextPort } from '../harness.ts'
import { providerForFile } from './for-file.ts'
import { type Customer, LONDON, until } from './provider.ts'

const provider = await providerForFile()

async function answering() {
  const carrier = await provider.harness.carrier({ kind: 'echo', ringMs: 50 })
  await provider.newTrunk(carrier)
  return carrier
}

const phoneOf = ({ account }: Pick<Customer, 'account'>) => provider.harness.phone({ account })

/** A customer with a registered phone, and a carrier that answers. */
async function registered() {
  await answering()
  const customer = await provider.newCustomer()
  await provider.settle()
  const phone = await phoneOf(customer)
  expect((await phone.register()).status).toBe(200)
  return { customer, phone }
}

describe('refuses a call with its SIP code and records the reason', () => {
  type Case = [why: string, prepare: () => Promise<Customer>, number: string, code: number, reason: string]
  const cases: Case[] = [
    ['without a caller ID', () => provider.newCustomer({ callerId: null }), LONDON, 403, 'no_caller_id'],
    [
      'with an unapproved caller ID',
      () => provider.newCustomer({ isCallerIdApproved: false }),
      ...([LONDON, 403, 'caller_id_unapproved'] as const),
    ],
    ['without a route', () => provider.newCustomer({ route: null }), LONDON, 403, 'no_route'],
    [
      'to a premium route, by a regular user',
      async () => provider.newCustomer({ route: await provider.newRoute({ is_premium: true }) }),
      ...([LONDON, 403, 'premium_route'] as const),
    ],
    ['to an invalid number', () => provider.newCustomer(), '99999', 404, 'unknown_number'],
    ['without a balance', () => provider.newCustomer({ balance: ZERO }), LONDON, 402, 'no_balance'],
    [
      'with a balance for less than a second',
      () => provider.newCustomer({ balance: micros(999n) }),
      LONDON,
      402,
      'no_balance',
    ],
    [
      'above the limit of concurrent calls',
      async () => {
        const customer = await provider.newCustomer()
        await provider.guard(customer.id, { max_concurrent_calls: 0 })
        return customer
      },
      ...([LONDON, 486, 'too_many_calls'] as const),
    ],
  ]
  it.each(cases)('%s', async (_why, prepare, number, code, reason) => {
    await answering()
    const customer = await prepare()
    await provider.settle()
    const phone = await phoneOf(customer)
    const { status } = await (await phone.call(number)).ended
    const record = await provider.cdrOf(customer.id)
    expect({ status, reason: record.reason }).toEqual({ status: code, reason })
    expect(record).toMatchObject({ status: 'refused', sip_code: code, cost_micros: 0n })
    expect((await provider.balanceOf(customer.id)).heldMicros).toBe(0n)
  })

  it('of an unknown user with the same reply as for a wrong password, recorded under the given username', async () => {
    await answering()
    const { username } = await provider.newCustomer()
    await provider.settle()
    const answers = []
    for (const user of [username, 'nobody-at-all']) {
      const phone = await provider.harness.phone({ account: { user, password: 'guessed' } })
      expect((await phone.register()).status).toBe(403)
      answers.push((await (await phone.call(LONDON)).ended).status)
      const recorded = await until(async () => {
        const records = await provider.cdrs(null)
        return records.find(({ sip_account }) => sip_account === user)
      }, `record of ${user}`)
      expect(recorded).toMatchObject({ status: 'refused', reason: 'unknown_caller' })
    }
    expect(answers).toEqual([403, 403])
  })

  it('of a disabled account', async () => {
    const { customer, phone } = await registered()
    await provider.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('id', '=', customer.id)
      .execute()
    await provider.settle()
    expect((await (await phone.call(LONDON)).ended).status).toBe(403)
    expect(await provider.cdrOf(customer.id)).toMatchObject({
      status: 'refused',
      reason: 'account_disabled',
      sip_code: 403,
      device: 'Test Phone 1.0',
    })
  })
})

describe('a SIP password', () => {
  it('stops working immediately when it is replaced, and the new one works', async () => {
    const { customer, phone: before } = await registered()
    const password = await provider.newPassword(customer)
    await provider.settle()
    expect((await before.register()).status).toBe(403)
    expect((await (await before.call(LONDON)).ended).status).toBe(403)
    const after = await phoneOf({ account: { user: customer.username, password } })
    expect((await after.register()).status).toBe(200)
    const call = await after.call(LONDON)
    expect((await call.ended).status).toBe(200)
    await call.hangUp()
  })
})

describe('a disabled customer', () => {
  it('loses live calls and registrations, and can call and register again when enabled', async () => {
    const { customer, phone } = await registered()
    const phones = () =>
      provider.db.selectFrom('registrations').selectAll().where('user_id', '=', customer.id).execute()
    await until(async () => (await phones()).length === 1, 'registration')
    const call = await phone.call(LONDON)
    expect((await call.ended).status).toBe(200)
    const disable = (disabled_at: Date | null) =>
      provider.db.updateTable('users').set({ disabled_at }).where('id', '=', customer.id).execute()
    await disable(new Date())
    await call.isHungUp()
    expect(await provider.cdrOf(customer.id)).toMatchObject({
      status: 'completed',
      reason: 'account_stopped',
    })
    await until(async () => (await phones()).length === 0, 'end of the registration')
    expect((await phone.register()).status).toBe(403)
    await disable(null)
    await provider.settle()
    expect((await phone.register()).status).toBe(200)
  })
})

describe('a trunk', () => {
  it('that stops responding is skipped and reported, and is used again when it recovers', async () => {
    const first = await startCarrier({ port: nextPort() })
    const good = await answering()
    const trunkId = await provider.newTrunk(first, { priority: 1 })
    const customer = await provider.newCustomer({ balance: dollars(10) })
    const health = async () =>
      (await provider.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', trunkId).execute())[0]
    const openAlerts = async () =>
      (await provider.alerts()).filter(
        ({ kind, acknowledged_at }) => kind === 'trunk_down' && !acknowledged_at,
      )
    await until(async () => (await health())?.is_up, 'sign of life')
    await first.close()
    await until(async () => (await health())?.is_up === false, 'end of it', 40_000)
    await until(async () => (await openAlerts()).length === 1, 'alert')
    expect(await openAlerts()).toMatchObject([{ subject: `trunk:${trunkId}` }])
    const call = await (await phoneOf(customer)).call(LONDON)
    expect((await call.ended).status).toBe(200)
    expect(good.live()).toBe(1)
    await call.hangUp()
    expect((await provider.cdrOf(customer.id)).attempts).toMatchObject([{ code: 200 }])

    const back = await startCarrier({ port: first.port })
    try {
      await until(async () => (await health())?.is_up, 'return', 40_000)
      await until(async () => (await openAlerts()).length === 0, 'end of the alert')
    } finally {
      await back.close()
    }
  })
})

describe('guessing passwords', () => {
  it('raises an alert that the customer sees', async () => {
    const customer = await provider.newCustomer()
    await provider.settle()
    const guesser = await provider.harness.phone({
      account: { user: customer.username, password: 'guess' },
      from: '127.0.0.66',
    })
    for (let guess = 0; guess < 10; guess++) await guesser.register().catch(() => {})
    const alert = await until(
      async () => (await provider.alerts()).find(({ kind }) => kind === 'address_banned'),
      'alert',
    )
    expect(alert).toMatchObject({ user_id: customer.id, details: { address: '127.0.0.66' } })
  })
})
