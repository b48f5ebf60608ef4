import { describe, expect, it } from 'vitest'
import {
  auditOf,
  createShop,
  expectNowhere,
  expectTrunkFaults,
  listedTrunks,
  liveCall,
  racing,
  type Shop,
} from '../../../../test/catalogue.ts'
import { DAY, earlier, startOfDay } from '../../../platform/clock.ts'

describe('a trunk', () => {
  it('has the fields of the specification, including live calls and premium', async () => {
    const shop = await createShop()
    const trunk = await shop.addTrunk({ name: 'Frankfurt', country: 'Germany', capacity: 5, type: 'pstn' })
    const other = await shop.addTrunk({ name: 'Paris', country: 'FR', plans: ['gold'] })
    const { id: routeId } = await shop.addRoute({ is_premium: true })
    await liveCall(shop, { userId: shop.alice.id, routeId, trunkId: trunk.id })
    await liveCall(shop, { userId: shop.paula.id, routeId, trunkId: trunk.id })
    await liveCall(shop, { userId: shop.paula.id, routeId, trunkId: null })
    expect(await listedTrunks(shop, shop.alice.token)).toEqual([
      {
        id: trunk.id,
        name: 'Frankfurt',
        provider: '',
        status: 'active',
        type: 'pstn',
        isPrimary: false,
        capacity: 5,
        used: 2,
        country: 'Germany',
        country_code: 'DE',
        premium: true,
      },
      {
        id: other.id,
        name: 'Paris',
        provider: '',
        status: 'active',
        type: 'sip',
        isPrimary: false,
        // The premium route has another country.
        capacity: 30,
        used: 0,
        country: 'France',
        country_code: 'FR',
        premium: false,
      },
    ])
  })

  it('hides carrier details from customers and the password from everyone', async () => {
    const shop = await createShop()
    await shop.addTrunk({
      provider: 'Hush Telecom',
      host: '10.1.2.3',
      buy_rate: 0.0123,
      buy_connect_fee: 0.0456,
      buy_first_increment: 60,
      buy_next_increment: 60,
      auth_username: 'hush-user',
      auth_password: 'hush-password',
    })
    const forAlice = await listedTrunks(shop, shop.alice.token)
    expectNowhere(
      forAlice,
      'Hush',
      '10.1.2.3',
      '0.0123',
      '0.0456',
      'buy_',
      'hush-',
      'host',
      'password',
      'plans',
      'priority',
    )
    const forRoot = await listedTrunks(shop, shop.root.token)
    expect(forRoot).toMatchObject([
      {
        provider: 'Hush Telecom',
        host: '10.1.2.3',
        port: 5060,
        transport: 'udp',
        buy_rate: 0.0123,
        buy_connect_fee: 0.0456,
        buy_first_increment: 60,
        buy_next_increment: 60,
        auth_username: 'hush-user',
        has_password: true,
        plans: ['Gold'],
        priority: 100,
        version: 1,
      },
    ])
    expectNowhere([forRoot, await auditOf(shop, shop.root, 'trunk.create')], 'hush-password')
  })

  it('changes only in the given fields, keeps its password and refuses outdated versions', async () => {
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

  it('cannot be deleted during calls', async () => {
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

  it('is refused with an error for each invalid field', async () => {
    const shop = await createShop()
    await expectTrunkFaults(shop, [
      [{ host: 'not a host' }, 'host'],
      [{ host: '300.1.1.1' }, 'host'],
      [{ port: 70_000 }, 'port'],
      [{ capacity: 0 }, 'capacity'],
      [{ buy_rate: -1 }, 'buy_rate'],
      [{ add_prefix: 'abc' }, 'add_prefix'],
      [{ plans: ['Gold', 'Bronze'] }, 'plans.1'],
      [{ is_primary: true }, ''],
    ])
  })
})

describe('the primary trunk', () => {
  const makePrimary = (shop: Shop, id: number) =>
    shop.call('PATCH /api/trunks/:id/primary', { token: shop.root.token, params: { id } })
  const primaries = async (shop: Shop) =>
    (await listedTrunks(shop, shop.root.token)).filter(({ isPrimary }) => isPrimary).map(({ name }) => name)

  it('is unique per country and replaces the previous one', async () => {
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

  it('stays unique in concurrent requests', async () => {
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

describe('the order of trunks', () => {
  const put = (shop: Shop, trunks: object[]) =>
    shop.call('PUT /api/trunks/order', { token: shop.root.token, body: { trunks } })
  const seen = async (shop: Shop, ...names: string[]) => {
    const all = await listedTrunks(shop, shop.root.token)
    return names.map((name) => {
      const { id, version } = all.find((trunk) => trunk.name === name) ?? { id: 0 }
      return { id, version }
    })
  }
  const names = async (shop: Shop) => (await listedTrunks(shop, shop.root.token)).map(({ name }) => name)

  it('changes for the given trunks and is refused for outdated versions', async () => {
    const shop = await createShop()
    // Equal priorities become distinct.
    for (const [name, priority] of [...'ABC'].map((each) => [each, 100] as const)) {
      await shop.addTrunk({ name, priority })
    }
    await shop.addTrunk({ name: 'first', priority: 1 })
    const wanted = await seen(shop, 'C', 'first')
    expect((await put(shop, wanted)).answer.trunks.map(({ name, priority }) => [name, priority])).toEqual([
      ...[
        ['C', 10],
        ['A', 20],
        ['B', 30],
        ['first', 40],
      ],
    ])
    expect(await put(shop, wanted)).toMatchObject({ status: 409, code: 'changed_meanwhile' })
    expect(await put(shop, [{ id: 999, version: 1 }])).toMatchObject({ status: 404 })
    const [once] = await seen(shop, 'A')
    expect(await put(shop, [once ?? {}, once ?? {}])).toMatchObject({ status: 400 })
    expect(await names(shop)).toEqual(['C', 'A', 'B', 'first'])
    expect(await auditOf(shop, shop.root, 'trunk.order')).toMatchObject([
      { before: { order: ['first', 'A', 'B', 'C'] }, after: { order: ['C', 'A', 'B', 'first'] } },
    ])
  })

  it('stays consistent in concurrent changes', async () => {
    const shop = await createShop()
    for (const name of 'ABC') await shop.addTrunk({ name })
    const [one, other] = [await seen(shop, 'C', 'B', 'A'), await seen(shop, 'B', 'A')]
    const answers = await racing(
      shop,
      (tx) => tx.selectFrom('trunks').select('id').forUpdate().execute(),
      () => [put(shop, one), put(shop, other)],
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

it('shows attempts of a trunk for today and seven days', async () => {
  const shop = await createShop()
  const { id } = await shop.addTrunk()
  const day = (daysAgo: number) => earlier(startOfDay(shop.clock.now()), daysAgo * DAY)
  const sums = (daysAgo: number, shard: number) => ({
    day: day(daysAgo),
    shard,
    trunk_id: id,
    attempts: 10,
    answered: 5,
    unreached: 2,
    seconds: 600n,
    cost_micros: 3_000_000n,
    buy_micros: 1_000_000n,
  })
  await shop.services.db
    .insertInto('trunk_days')
    .values([sums(0, 0), sums(0, 1), sums(6, 0), sums(7, 0)])
    .execute()
  const { answer } = await shop.call('GET /api/admin/trunk-figures', { token: shop.root.token })
  const rates = { answer_rate: 50, reach_rate: 70, average_duration: 120 }
  expect(answer.figures).toEqual([
    {
      trunk_id: id,
      today: { ...rates, attempts: 20, answered: 10, minutes: 20, buy_cost: 2, margin: 4 },
      week: { ...rates, attempts: 30, answered: 15, minutes: 30, buy_cost: 3, margin: 6 },
    },
  ])
})

describe('a price list', () => {
  it('replaces the previous one completely', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const put = (rates: object[]) =>
      shop.call('PUT /api/trunks/:id/rates', { token: shop.root.token, params: { id }, body: { rates } })
    await put([
      { prefix: '44', price: 0.005 },
      { prefix: '447', price: 0.0148 },
    ])
    const terms = { connect_fee: 0.0005, first_increment: 60, next_increment: 6 }
    const { answer } = await put([
      { prefix: '33', price: 0.004 },
      { prefix: '49', price: 0.006, ...terms },
    ])
    expect(answer.rates).toEqual([
      { prefix: '33', price: 0.004, connect_fee: 0, first_increment: 1, next_increment: 1 },
      { prefix: '49', price: 0.006, ...terms },
    ])
    const read = await shop.call('GET /api/trunks/:id/rates', { token: shop.root.token, params: { id } })
    expect(read.answer).toEqual({ rates: answer.rates, total: 2, next: null })
    expect(await listedTrunks(shop, shop.root.token)).toMatchObject([{ rate_count: 2, version: 3 }])
    expect(await auditOf(shop, shop.root, 'trunk.rates')).toHaveLength(2)
  })

  it('with invalid lines changes nothing and reports each of them', async () => {
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
    expect(fields.at(-1)?.message).toBe('Line 5: 44 is already on line 1.')
    expect(await listedTrunks(shop, shop.root.token)).toMatchObject([{ rate_count: 0 }])
  })
})

it('refuses changes and price lists to customers', async () => {
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
  expect(await listedTrunks(shop, shop.root.token)).toMatchObject([{ id, name: 'Carrier', isPrimary: false }])
})
