import { costOfMinute } from '@trunkline/domain/rating'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { anyRate } from '../../../../../domain/rating/test/rate-arbitrary.ts'
import { auditOf, createShop } from '../../../../test/catalogue.ts'

describe('a route', () => {
  it('is created by country name or code, and customers see its price terms', async () => {
    const shop = await createShop()
    await shop.addRoute({ country: 'united kingdom', price: 0 })
    const rates = [
      { prefix: '4915', price: 0.031, connect_fee: 0.001, first_increment: 6, next_increment: 6 },
    ]
    const berlin = {
      name: 'Berlin',
      price: 0.0155,
      is_premium: true,
      connect_fee: 0.002,
      first_increment: 60,
      next_increment: 6,
      rates,
    }
    const route = await shop.addRoute({ country: 'DE', ...berlin })
    const { answer } = await shop.call('GET /api/routes', { token: shop.alice.token })
    expect(answer.routes).toEqual([
      expect.objectContaining({ country: 'United Kingdom', country_code: 'GB', price: 0 }),
      {
        id: route.id,
        country: 'Germany',
        country_code: 'DE',
        planname: 'Gold',
        ...berlin,
        rate_count: rates.length,
        version: 1,
        other_prices: { count: 1, from: 0.031, to: 0.031, prefixes: ['4915'] },
      },
    ])
  })

  it('is filtered by country and part of its name, with paging', async () => {
    const shop = await createShop()
    for (const [country, name] of [
      ['Germany', 'Berlin'],
      ['Germany', 'Berlin Express'],
      ['France', 'Paris'],
    ])
      await shop.addRoute({ country, name })
    const ask = async (query: Record<string, string | number>, who = shop.alice) => {
      const { status, answer } = await shop.call('GET /api/routes', { token: who.token, query })
      expect(status).toBe(200)
      return { names: answer.routes.map(({ name }) => name), next: answer.next }
    }
    expect(await ask({ country: 'DE' })).toEqual({ names: ['Berlin', 'Berlin Express'], next: null })
    expect(await ask({ search: 'EXPRESS' })).toEqual({ names: ['Berlin Express'], next: null })
    expect(await ask({ search: 'gold', country: 'France' })).toEqual({ names: ['Paris'], next: null })
    expect(await ask({ search: '%' })).toEqual({ names: [], next: null })
    const { names, next } = await ask({ limit: 2 })
    expect(names).toEqual(['Berlin', 'Berlin Express'])
    expect(await ask({ limit: 2, after: next ?? 0 }, shop.root)).toEqual({ names: ['Paris'], next: null })
  })

  it('is listed with its current values', async () => {
    const shop = await createShop()
    const { id } = await shop.addRoute({ rates: [{ prefix: '4915', price: 0.03 }] })
    const root = { token: shop.root.token, params: { id } }
    const listed = async () => (await shop.call('GET /api/routes', { token: shop.alice.token })).answer.routes
    expect(await listed()).toHaveLength(1)
    await shop.call('PATCH /api/routes/:id', { ...root, body: { rates: [{ prefix: '4916', price: 0.04 }] } })
    expect(await listed()).toMatchObject([{ rates: [{ prefix: '4916' }], other_prices: { from: 0.04 } }])
    const plans = (await shop.call('GET /api/admin/plans', { token: shop.root.token })).answer.plans
    await shop.call('PATCH /api/plans/:id', {
      token: shop.root.token,
      params: { id: plans[0]?.id ?? 0 },
      body: { name: 'Platinum' },
    })
    expect(await listed()).toMatchObject([{ planname: 'Platinum' }])
    await shop.call('DELETE /api/routes/:id', root)
    expect(await listed()).toEqual([])
  })

  it('has twenty rates in a list and all rates alone', async () => {
    const shop = await createShop()
    const rates = Array.from({ length: 25 }, (_, at) => ({ prefix: String(4_915_000 + at), price: 0.03 }))
    const { id } = await shop.addRoute({ rates })
    const { answer } = await shop.call('GET /api/routes', { token: shop.root.token })
    expect(answer.routes[0]).toMatchObject({ rate_count: 25, other_prices: { count: 25 } })
    expect(answer.routes[0]?.rates).toHaveLength(20)
    const one = await shop.call('GET /api/routes/:id', { token: shop.root.token, params: { id } })
    expect(one.answer.route).toMatchObject({ rate_count: 25, selected_by: 0 })
    expect(one.answer.route.rates).toHaveLength(25)
  })

  it('charges by the second without a fee by default', async () => {
    const shop = await createShop()
    expect(await shop.addRoute({ rates: [{ prefix: '4917', price: 0.03 }] })).toMatchObject({
      connect_fee: 0,
      first_increment: 1,
      next_increment: 1,
      is_premium: false,
      rates: [{ prefix: '4917', price: 0.03, connect_fee: 0, first_increment: 1, next_increment: 1 }],
    })
  })

  it('changes only in the given fields, with old and new values in the audit log', async () => {
    const shop = await createShop()
    const route = await shop.addRoute({ rates: [{ prefix: '4915', price: 0.03 }] })
    const { answer } = await shop.call('PATCH /api/routes/:id', {
      token: shop.root.token,
      params: { id: route.id },
      body: { price: 0.025, sells_below_cost: true },
    })
    expect(answer.route).toEqual({ ...route, price: 0.025, sells_below_cost: true, version: 2 })
    const [entry] = await auditOf(shop, shop.root, 'route.update')
    expect(entry).toMatchObject({
      subject: `route ${route.id}`,
      before: { price: 0.02, sells_below_cost: false, version: 1 },
      after: { price: 0.025, sells_below_cost: true, version: 2 },
    })
    expect(await auditOf(shop, shop.root, 'route.create')).toHaveLength(1)
  })

  it('that moves to another country is deselected for the old one', async () => {
    const shop = await createShop()
    const route = await shop.addRoute()
    await shop.select(shop.alice, route.id)
    await shop.call('PATCH /api/routes/:id', {
      token: shop.root.token,
      params: { id: route.id },
      body: { country: 'France' },
    })
    expect(await shop.selected(shop.alice)).toEqual([])
  })

  it('that is deleted is deselected for all users', async () => {
    const shop = await createShop()
    const route = await shop.addRoute()
    await shop.select(shop.alice, route.id)
    const params = { id: route.id }
    const gone = await shop.call('DELETE /api/routes/:id', { token: shop.root.token, params })
    expect(gone).toMatchObject({ status: 200, message: 'Route deleted.' })
    expect(await shop.selected(shop.alice)).toEqual([])
    expect((await auditOf(shop, shop.root, 'route.delete'))[0]).toMatchObject({
      before: { name: 'Berlin', price: 0.02 },
      after: null,
    })
  })
})

describe('for administrators', () => {
  const dearer = async (shop: Awaited<ReturnType<typeof createShop>>) => {
    const { answer } = await shop.call('GET /api/routes', { token: shop.root.token })
    return answer.routes.map((route) => [route.name, route.dearer_trunks?.map(({ name }) => name)])
  }

  it('the list shows how many customers selected a route', async () => {
    const shop = await createShop()
    const route = await shop.addRoute()
    await shop.select(shop.alice, route.id)
    await shop.select(shop.paula, route.id)
    const { answer } = await shop.call('GET /api/routes', { token: shop.root.token })
    expect(answer.routes[0]).toMatchObject({ selected_by: 2, sells_below_cost: false, dearer_trunks: [] })
  })

  it('the list shows trunks above the price of the route or of a prefix', async () => {
    const shop = await createShop()
    await shop.addPlan('Other')
    await shop.addRoute({ name: 'flat', price: 0.02 })
    await shop.addRoute({ name: 'finer', price: 0.02, rates: [{ prefix: '4915', price: 0.04 }] })
    await shop.addRoute({ name: 'of another plan', price: 0.001, planname: 'Other' })
    await shop.addTrunk({ name: 'cheap', buy_rate: 0.01 })
    await shop.addTrunk({ name: 'dear', buy_rate: 0.021 })
    await shop.addTrunk({ name: 'dear and inactive', buy_rate: 0.021, status: 'inactive' })
    await shop.addTrunk({ name: 'elsewhere', buy_rate: 0.021, country: 'France' })
    const mobile = await shop.addTrunk({ name: 'dear to mobiles', buy_rate: 0.01 })
    await shop.setTrunkRates(mobile.id, [{ prefix: '4915', price: 0.03 }])
    expect(await dearer(shop)).toEqual([
      ['flat', ['dear to mobiles', 'dear']],
      ['finer', ['dear']],
      ['of another plan', []],
    ])
    await shop.setTrunkRates(mobile.id, [])
    expect((await dearer(shop))[0]).toEqual(['flat', ['dear']])
    // A fee and long increments count for a minute.
    await shop.setTrunkRates(mobile.id, [
      { prefix: '4915', price: 0.01, connect_fee: 0.0101 },
      { prefix: '4930', price: 0.01, first_increment: 60, next_increment: 60 },
    ])
    expect((await dearer(shop))[0]).toEqual(['flat', ['dear to mobiles', 'dear']])
  })

  it('the database and the domain agree on the cost of a minute', async () => {
    const { services } = await createShop()
    const rates = fc.sample(anyRate, 300)
    const { rows } = await sql<{ micros: string }>`
      select cost_of_minute(price, fee, first, next)::text as micros
        from unnest(${rates.map(({ priceMicros }) => priceMicros)}::bigint[],
                    ${rates.map(({ connectFeeMicros }) => connectFeeMicros)}::bigint[],
                    ${rates.map(({ firstIncrement }) => firstIncrement)}::integer[],
                    ${rates.map(({ nextIncrement }) => nextIncrement)}::integer[]) as given (price, fee, first, next)`.execute(
      services.db,
    )
    expect(rows.map(({ micros }) => BigInt(micros))).toEqual(rates.map(costOfMinute))
  })

  it('a price is compared with the trunks of its plan before saving', async () => {
    const shop = await createShop()
    await shop.addTrunk({ name: 'cheap', buy_rate: 0.01 })
    const dear = await shop.addTrunk({ name: 'dear', buy_rate: 0.021 })
    await shop.addTrunk({ name: 'elsewhere', buy_rate: 0.5, country: 'France' })
    const check = async (price: number, rates: object[] = [], terms: object = {}) => {
      const body = { country: 'DE', planname: 'Gold', price, rates, ...terms }
      return (await shop.call('POST /api/routes/check', { token: shop.root.token, body })).answer
    }
    expect(await check(0.02)).toEqual({
      dearer_trunks: [{ id: dear.id, name: 'dear', prefix: '49', buy_rate: 0.021, price: 0.02 }],
      serving_trunks: 2,
    })
    expect(await check(0.021)).toEqual({ dearer_trunks: [], serving_trunks: 2 })
    const withFee = await check(0.02, [], { connect_fee: 0.001 })
    expect(withFee.dearer_trunks).toEqual([])
    const finer = await check(0.03, [{ prefix: '4915', price: 0.015 }])
    expect(finer.dearer_trunks).toMatchObject([{ name: 'dear', prefix: '4915', price: 0.015 }])
    expect(await shop.services.db.selectFrom('routes').selectAll().execute()).toEqual([])
  })

  it('prefixes of other countries with the same calling code do not count', async () => {
    const shop = await createShop()
    await shop.addRoute({ name: 'USA', country: 'US', price: 0.01 })
    await shop.addRoute({ name: 'Jamaica', country: 'JM', price: 0.01 })
    const trunk = await shop.addTrunk({ name: 'world', buy_rate: 0.005 })
    await shop.setTrunkRates(trunk.id, [{ prefix: '1876', price: 0.2 }])
    expect(await dearer(shop)).toEqual([
      ['USA', []],
      ['Jamaica', ['world']],
    ])
  })
})
