import { describe, expect, it, onTestFinished } from 'vitest'
import { auditOf, createShop, expectNowhere, liveCall, racing, type Shop } from '../../../test/catalogue.ts'
import { listen } from '../../platform/listen.ts'
import { systemTimers } from '../../platform/timers.ts'
import { createTrunkTests, readTestAsked, TEST_CHANNEL } from './tests.ts'

const listed = async (shop: Shop, token: string) =>
  (await shop.call('GET /api/trunks', { token })).answer.trunks

describe('a trunk', () => {
  it('shows what the specification asks for, with its live calls and whether it serves a premium route', async () => {
    const shop = await createShop()
    const trunk = await shop.addTrunk({ name: 'Frankfurt', country: 'Germany', capacity: 5, type: 'pstn' })
    const other = await shop.addTrunk({ name: 'Paris', country: 'FR', plans: ['gold'] })
    const { id: routeId } = await shop.addRoute({ is_premium: true })
    await liveCall(shop, { userId: shop.alice.id, routeId, trunkId: trunk.id })
    await liveCall(shop, { userId: shop.paula.id, routeId, trunkId: trunk.id })
    await liveCall(shop, { userId: shop.paula.id, routeId, trunkId: null })
    expect(await listed(shop, shop.alice.token)).toEqual([
      {
        ...{ id: trunk.id, name: 'Frankfurt', provider: '', status: 'active', type: 'pstn' },
        ...{ isPrimary: false, capacity: 5, used: 2, country: 'Germany', country_code: 'DE', premium: true },
      },
      {
        ...{ id: other.id, name: 'Paris', provider: '', status: 'active', type: 'sip', isPrimary: false },
        // The premium route is to another country.
        ...{ capacity: 30, used: 0, country: 'France', country_code: 'FR', premium: false },
      },
    ])
  })

  it('keeps its secrets: a customer sees none, an administrator all but the password', async () => {
    const shop = await createShop()
    await shop.addTrunk({
      ...{ provider: 'Hush Telecom', host: '10.1.2.3', buy_rate: 0.0123 },
      ...{ auth_username: 'hush-user', auth_password: 'hush-password' },
    })
    const forAlice = await listed(shop, shop.alice.token)
    expectNowhere(forAlice, 'Hush', '10.1.2.3', '0.0123', 'hush-', 'host', 'password', 'plans', 'priority')
    const forRoot = await listed(shop, shop.root.token)
    expect(forRoot).toMatchObject([
      {
        ...{ provider: 'Hush Telecom', host: '10.1.2.3', port: 5060, transport: 'udp', buy_rate: 0.0123 },
        ...{ auth_username: 'hush-user', has_password: true, plans: ['Gold'], priority: 100, version: 1 },
      },
    ])
    expectNowhere([forRoot, await auditOf(shop, shop.root, 'trunk.create')], 'hush-password')
  })

  it('changes only in what is given, keeps its password, and refuses who saw an older version', async () => {
    const shop = await createShop()
    const trunk = await shop.addTrunk({ auth_username: 'me', auth_password: 'secret' })
    const change = (body: object) =>
      shop.call('PATCH /api/trunks/:id', { token: shop.root.token, params: { id: trunk.id }, body })
    const { answer } = await change({ capacity: 7, version: 1 })
    expect(answer.trunk).toEqual({ ...trunk, capacity: 7, version: 2 })
    expect(await change({ capacity: 8, version: 1 })).toMatchObject({
      status: 409,
      code: 'changed_meanwhile',
    })
    expect((await change({ auth_password: null })).answer.trunk.has_password).toBe(false)
    expect(await auditOf(shop, shop.root, 'trunk.update')).toMatchObject([
      { before: { has_password: true }, after: { has_password: false } },
      { before: { capacity: 30 }, after: { capacity: 7 } },
    ])
  })

  it('is not deleted while calls are on it', async () => {
    const shop = await createShop()
    const trunk = await shop.addTrunk()
    const { id: routeId } = await shop.addRoute()
    await liveCall(shop, { userId: shop.alice.id, routeId, trunkId: trunk.id })
    const request = { token: shop.root.token, params: { id: trunk.id } }
    expect(await shop.call('DELETE /api/trunks/:id', request)).toMatchObject({
      status: 409,
      code: 'trunk_in_call',
    })
    await shop.services.db.deleteFrom('live_calls').execute()
    expect((await shop.call('DELETE /api/trunks/:id', request)).status).toBe(200)
    expect((await shop.call('DELETE /api/trunks/:id', request)).status).toBe(404)
  })

  it('is refused with what is wrong, by name', async () => {
    const shop = await createShop()
    const good = { name: 'Carrier', host: 'sip.carrier.example', buy_rate: 0.01 }
    for (const [fault, field] of [
      [{ host: 'not a host' }, 'host'],
      [{ host: '300.1.1.1' }, 'host'],
      [{ port: 70_000 }, 'port'],
      [{ capacity: 0 }, 'capacity'],
      [{ buy_rate: -1 }, 'buy_rate'],
      [{ add_prefix: 'abc' }, 'add_prefix'],
      [{ plans: ['Gold', 'Bronze'] }, 'plans.1'],
      [{ is_primary: true }, ''],
    ] as const) {
      const body = { ...good, ...fault }
      const { status, answer } = await shop.call('POST /api/trunks', { token: shop.root.token, body })
      expect({ fault, status, answer }).toMatchObject({
        status: 400,
        answer: { error: { fields: [{ field }] } },
      })
    }
    expect(await listed(shop, shop.root.token)).toEqual([])
  })
})

describe('the primary trunk', () => {
  const makePrimary = (shop: Shop, id: number) =>
    shop.call('PATCH /api/trunks/:id/primary', { token: shop.root.token, params: { id } })
  const primaries = async (shop: Shop) =>
    (await listed(shop, shop.root.token)).filter(({ isPrimary }) => isPrimary).map(({ name }) => name)

  it('is one per country: the one before steps down, those of other countries stay', async () => {
    const shop = await createShop()
    const [a, b, c, d] = [
      await shop.addTrunk({ name: 'DE 1', country: 'DE' }),
      await shop.addTrunk({ name: 'DE 2', country: 'DE' }),
      await shop.addTrunk({ name: 'FR', country: 'FR' }),
      await shop.addTrunk({ name: 'all' }),
    ]
    for (const { id } of [a, c, d, b]) expect((await makePrimary(shop, id)).answer.trunk.isPrimary).toBe(true)
    expect(await primaries(shop)).toEqual(['DE 2', 'FR', 'all'])
    const move = { token: shop.root.token, params: { id: c.id }, body: { country: 'DE' } }
    expect((await shop.call('PATCH /api/trunks/:id', move)).answer.trunk.isPrimary).toBe(false)
    expect(await primaries(shop)).toEqual(['DE 2', 'all'])
    expect((await makePrimary(shop, 999)).status).toBe(404)
  })

  it('is one also when several are chosen at once', async () => {
    const shop = await createShop()
    const [first, ...others] = [
      await shop.addTrunk({ name: 'A', country: 'DE' }),
      await shop.addTrunk({ name: 'B', country: 'DE' }),
      await shop.addTrunk({ name: 'C', country: 'DE' }),
      await shop.addTrunk({ name: 'D', country: 'DE' }),
    ]
    await makePrimary(shop, first.id)
    const answers = await racing(
      shop,
      (tx) => tx.selectFrom('trunks').selectAll().where('id', '=', first.id).forUpdate().execute(),
      () => others.map(({ id }) => makePrimary(shop, id)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await primaries(shop)).toHaveLength(1)
  })
})

describe('a price list', () => {
  it('replaces the one before, whole', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const put = (rates: object[]) =>
      shop.call('PUT /api/trunks/:id/rates', { token: shop.root.token, params: { id }, body: { rates } })
    await put([
      { prefix: '44', price: 0.005 },
      { prefix: '447', price: 0.0148 },
    ])
    const { answer } = await put([{ prefix: '49', price: 0.006 }])
    expect(answer.rates).toEqual([{ prefix: '49', price: 0.006 }])
    const read = await shop.call('GET /api/trunks/:id/rates', { token: shop.root.token, params: { id } })
    expect(read.answer.rates).toEqual(answer.rates)
    expect(await listed(shop, shop.root.token)).toMatchObject([{ rate_count: 1, version: 3 }])
    expect(await auditOf(shop, shop.root, 'trunk.rates')).toHaveLength(2)
  })

  it('with bad lines changes nothing and names each of them', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const rates = [
      { prefix: '44', price: 0.005 },
      { prefix: '', price: 1 },
      'nonsense',
      { prefix: '44', price: -1, note: 'x' },
      { prefix: '44', price: 0.006 },
    ]
    const { status, answer } = await shop.call('PUT /api/trunks/:id/rates', {
      token: shop.root.token,
      params: { id },
      body: { rates },
    })
    const { fields } = (answer as unknown as { error: { fields: { field: string; message: string }[] } })
      .error
    expect(status).toBe(400)
    expect(fields.map(({ field }) => field)).toEqual([
      'rates.1.prefix',
      'rates.2',
      'rates.3.price',
      'rates.3',
      'rates.4.prefix',
    ])
    expect(fields.at(-1)?.message).toBe('Line 5: 44 stands in line 1 already.')
    expect(await listed(shop, shop.root.token)).toMatchObject([{ rate_count: 0 }])
  })
})

it('a customer changes no trunk and reads no price list', async () => {
  const shop = await createShop()
  const { id } = await shop.addTrunk()
  const attempt = { token: shop.alice.token, params: { id }, body: { rates: [], name: 'mine' } }
  for (const address of [
    'POST /api/trunks',
    'PATCH /api/trunks/:id',
    'DELETE /api/trunks/:id',
    'PATCH /api/trunks/:id/primary',
    'GET /api/trunks/:id/rates',
    'PUT /api/trunks/:id/rates',
  ] as const)
    expect((await shop.call(address, attempt)).status).toBe(403)
  expect(await listed(shop, shop.root.token)).toMatchObject([{ id, name: 'Carrier', isPrimary: false }])
})

describe('the health of a trunk', () => {
  const report = (shop: Shop, trunk_id: number, switch_id: string, is_up: boolean) =>
    shop.services.db
      .insertInto('trunk_health')
      .values({
        ...{ switch_id, trunk_id, is_up, code: is_up ? 200 : 408 },
        ...{ since: shop.clock.now(), checked_at: shop.clock.now() },
      })
      .execute()

  it('makes it inactive while no switch that is there gets an answer, and stays apart from what was set', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const now = shop.clock.now()
    const seen = (switch_id: string, last_seen_at: Date) => ({
      switch_id,
      software: '',
      started_at: now,
      last_seen_at,
    })
    await shop.services.db
      .insertInto('switches')
      .values([seen('one', now), seen('two', now), seen('gone', new Date(now.getTime() - 3_600_000))])
      .execute()
    await report(shop, id, 'gone', false)
    expect((await listed(shop, shop.root.token))[0]).toMatchObject({ status: 'active', health: [] })
    await report(shop, id, 'one', false)
    expect((await listed(shop, shop.alice.token))[0]).toMatchObject({ status: 'inactive' })
    expect((await listed(shop, shop.root.token))[0]).toMatchObject({
      ...{ status: 'inactive', configured_status: 'active' },
      health: [{ switch: 'one', is_up: false, code: 408, since: now.toISOString() }],
    })
    await report(shop, id, 'two', true)
    expect((await listed(shop, shop.alice.token))[0]).toMatchObject({ status: 'active' })
    expectNowhere(await listed(shop, shop.alice.token), 'health', 'configured')
  })

  it('can be asked for at once; without a switch that is refused', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const test = (of: number) =>
      shop.call('POST /api/trunks/:id/test', { token: shop.root.token, params: { id: of } })
    expect((await test(9999)).status).toBe(404)
    const { answer } = await answerTests(shop)
    answer(({ request }) => ({ request, asked: 0 }))
    expect(await test(id)).toMatchObject({ status: 409, code: 'no_switch' })
    answer(({ request }) => ({ request, switch: 'edge', code: 200, ms: 12 }))
    expect((await test(id)).answer).toEqual({ test: { switch: 'edge', code: 200, ms: 12 } })
  })
})

/** Stands in for a call control that hears the question. */
async function answerTests(shop: Shop) {
  const databaseUrl = shop.database.url
  const { db } = shop.services
  const tests = createTrunkTests({ db, databaseUrl, clock: shop.clock, timers: systemTimers })
  let reply: (asked: { request: string }) => Parameters<typeof tests.say>[0] = ({ request }) => ({
    ...{ request, asked: 0 },
  })
  const listening = Promise.withResolvers<void>()
  const listener = listen({
    url: databaseUrl,
    channels: { [TEST_CHANNEL]: (payload) => void tests.say(reply(readTestAsked(payload))) },
    onListening: listening.resolve,
    onError: listening.reject,
  })
  onTestFinished(listener.close)
  await listening.promise
  return {
    answer(given: typeof reply): void {
      reply = given
    },
  }
}
