import { expect, it } from 'vitest'
import { createShop, liveCall } from '../../../../test/catalogue.ts'

it('traces a number: its routes, their trunks in order, and why others are skipped', async () => {
  const shop = await createShop()
  const token = shop.root.token
  await shop.addPlan('Silver')
  const gold = await shop.addRoute({ price: 0.02, rates: [{ prefix: '4915', price: 0.04 }] })
  const silver = await shop.addRoute({ name: 'Cheap', planname: 'Silver', price: 0.005, is_premium: true })
  await shop.addRoute({ country: 'FR', name: 'Paris' })
  const add = (name: string, given: object = {}) => shop.addTrunk({ name, ...given })
  const [second, first, dear, full, , , , down] = [
    await add('second', { priority: 50, strip_digits: 2, add_prefix: '0' }),
    await add('first', { priority: 90, country: 'DE' }),
    await add('dear', { buy_rate: 0.05 }),
    await add('full', { capacity: 1 }),
    await add('off', { status: 'inactive' }),
    await add('elsewhere', { country: 'FR' }),
    await add('other', { plans: ['Silver'], buy_rate: 0.006 }),
    await add('down'),
  ]
  await shop.call('PATCH /api/trunks/:id/primary', { token, params: { id: first.id } })
  await liveCall(shop, { userId: shop.alice.id, routeId: gold.id, trunkId: full.id })
  const now = shop.clock.now()
  await shop.services.db
    .insertInto('switches')
    .values([{ switch_id: 'edge', software: '', started_at: now, last_seen_at: now }])
    .execute()
  await shop.services.db
    .insertInto('trunk_health')
    .values({ switch_id: 'edge', trunk_id: down.id, is_up: false, code: 408, since: now, checked_at: now })
    .execute()

  const ask = async (number: string) =>
    (await shop.call('GET /api/admin/try-number', { token, query: { number } })).answer.trial
  const { routes, ...about } = await ask('+49 30 901820')
  expect(about).toEqual({
    number: '4930901820',
    country: 'Germany',
    country_code: 'DE',
    line_type: 'landline',
  })
  expect(routes.map(({ id, price, prefix }) => [id, price, prefix])).toEqual([
    [gold.id, 0.02, null],
    [silver.id, 0.005, null],
  ])
  expect(routes[0]?.trunks).toMatchObject([
    {
      id: first.id,
      is_primary: true,
      buy_rate: { price: 0.01, connect_fee: 0, first_increment: 1, next_increment: 1 },
      number: '4930901820',
      used: 0,
      capacity: 30,
      down_on: [],
    },
    { id: second.id, number: '030901820' },
  ])
  expect(Object.fromEntries((routes[0]?.left_out ?? []).map(({ name, reason }) => [name, reason]))).toEqual({
    dear: 'below_cost',
    full: 'full',
    off: 'inactive',
    elsewhere: 'other_country',
    other: 'other_plan',
    down: 'down',
  })
  expect(routes[1]).toMatchObject({ trunks: [], is_premium: true })
  expect(routes[1]?.left_out).toContainEqual({
    id: expect.any(Number),
    name: 'other',
    reason: 'below_cost',
    buy_rate: { price: 0.006, connect_fee: 0, first_increment: 1, next_increment: 1 },
  })
  // The prefix rate for mobile phones is higher, but still below the cost of the expensive trunk.
  expect((await ask('+49 1512 3456789')).routes[0]).toMatchObject({ price: 0.04, prefix: '4915' })
  await shop.call('PATCH /api/trunks/:id', { token, params: { id: dear.id }, body: { buy_rate: 0.03 } })
  expect((await ask('+49 1512 3456789')).routes[0]?.trunks.map(({ name }) => name)).toEqual([
    ...['first', 'second', 'dear'],
  ])
  expect(await ask('12345')).toMatchObject({ number: null, routes: [] })
})
