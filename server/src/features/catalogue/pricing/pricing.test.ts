import { system } from '@trunkline/domain/access'
import { dollars } from '@trunkline/domain/money'
import { describe, expect, it } from 'vitest'
import { createShop, type Shop } from '../../../../test/catalogue.ts'

const MOBILE = [{ prefix: '4915', price: 0.04, first_increment: 60, next_increment: 60, connect_fee: 0.01 }]

describe('the price list', () => {
  it('shows the price range of each country', async () => {
    const shop = await createShop()
    await shop.addRoute({ price: 0.02, rates: MOBILE })
    await shop.addRoute({ name: 'Munich', price: 0.012 })
    await shop.addRoute({ country: 'Australia', name: 'Sydney', price: 0 })
    const { answer } = await shop.call('GET /api/pricing', { token: shop.alice.token })
    expect(answer.pricing).toEqual({
      currency: 'USD',
      billing: 'per-minute',
      upgrade: 149.99,
      countries: [
        { country: 'Australia', country_code: 'AU', from: 0, to: 0, routes: 1 },
        { country: 'Germany', country_code: 'DE', from: 0.012, to: 0.04, routes: 2 },
      ],
    })
  })

  it('shows prices for mobile phones and landlines, filtered by country, kind and limit', async () => {
    const shop = await createShop()
    const berlin = await shop.addRoute({ price: 0.02, rates: MOBILE })
    const usa = await shop.addRoute({ country: 'US', name: 'USA', price: 0.01 })
    const ask = async (query: Record<string, string | number> = {}) =>
      (await shop.call('GET /api/pricing/rates', { token: shop.alice.token, query })).answer.rates
    const all = await ask()
    expect(all.map(({ id, type, rate }) => [id, type, rate])).toEqual([
      [`${berlin.id}-landline`, 'landline', 0.02],
      [`${berlin.id}-mobile`, 'mobile', 0.04],
      [`${usa.id}-landline`, 'landline', 0.01],
      [`${usa.id}-mobile`, 'mobile', 0.01],
    ])
    expect(all[1]).toMatchObject({
      country: 'Germany',
      countryCode: 'DE',
      currency: 'USD',
      billing: 'per-minute',
      connect_fee: 0.01,
      first_increment: 60,
      route: { id: berlin.id, name: 'Berlin' },
    })
    expect(await ask({ country: 'United States', type: 'mobile' })).toMatchObject([
      { id: `${usa.id}-mobile` },
    ])
    expect(await ask({ type: 'mobile', limit: 1 })).toMatchObject([{ id: `${berlin.id}-mobile` }])
    const bad = { token: shop.alice.token, query: { country: 'Atlantis' } }
    expect((await shop.call('GET /api/pricing/rates', bad)).status).toBe(400)
  })
})

describe('a quote', () => {
  const quote = async (shop: Shop, number: string, who = shop.alice) =>
    (await shop.call('GET /api/pricing/quote', { token: who.token, query: { number } })).answer

  const topUp = (shop: Shop, userId: number) =>
    shop.services.ledger.post(system('test'), {
      kind: 'top_up',
      key: `quote ${userId}`,
      userId,
      amountMicros: dollars(10),
      reference: 'order',
    })

  it('uses the internal price for a number that a customer rents', async () => {
    const shop = await createShop()
    const { db } = shop.services
    await shop.call('POST /api/user/callerid', { token: shop.alice.token, body: { callerid: '14155550100' } })
    await topUp(shop, shop.alice.id)
    const prices = { monthly_micros: 0n, setup_micros: 0n, price_micros: 0n }
    const number = { country: 'DE', type: 'local' as const, ...prices, created_at: new Date() }
    await db
      .insertInto('numbers')
      .values({ e164: '4930901820', status: 'available', ...number })
      .execute()
    expect(await quote(shop, '+4930901820')).toMatchObject({ allowed: false, reason: 'unknown_number' })
    const { id } = await db
      .updateTable('numbers')
      .set({ status: 'rented', user_id: shop.alice.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const now = new Date()
    const rental = { number_id: id, e164: '4930901820', user_id: shop.alice.id, ...prices, periods: 1 }
    await db
      .insertInto('number_rentals')
      .values({
        ...rental,
        state: 'active',
        started_at: now,
        paid_until: now,
        ring_plan: '{}',
        request_key: 'test',
      })
      .execute()
    const setting = { name: 'internal_call_price', value: '600', updated_at: now }
    await db.insertInto('service_settings').values(setting).execute()
    expect(await quote(shop, '+4930901820')).toMatchObject({
      route: { name: 'Internal' },
      rate: 0.0006,
      allowed: true,
    })
  })

  it('uses the selected route, its most specific rate and its increments', async () => {
    const shop = await createShop()
    const route = await shop.addRoute({ price: 0.02, rates: MOBILE })
    await shop.addTrunk()
    await shop.select(shop.alice, route.id)
    await shop.call('POST /api/user/callerid', { token: shop.alice.token, body: { callerid: '14155550100' } })
    await topUp(shop, shop.alice.id)
    expect(await quote(shop, '+49 1512 3456789')).toEqual({
      number: '4915123456789',
      country: 'Germany',
      country_code: 'DE',
      line_type: 'mobile',
      route: { id: route.id, name: 'Berlin', planname: 'Gold' },
      prefix: '4915',
      rate: 0.04,
      connect_fee: 0.01,
      first_increment: 60,
      next_increment: 60,
      one_minute: 0.05,
      five_minutes: 0.21,
      allowed: true,
      reason: null,
      message: null,
    })
    expect(await quote(shop, '004930901820')).toMatchObject({
      line_type: 'landline',
      prefix: null,
      rate: 0.02,
      one_minute: 0.02,
      five_minutes: 0.1,
      allowed: true,
    })
  })

  it('shows why a call would be refused', async () => {
    const shop = await createShop()
    const refused = async (number = '+4930901820') => {
      const { allowed, reason, message } = await quote(shop, number)
      expect(allowed).toBe(false)
      return [reason, message]
    }
    expect(await refused()).toEqual([
      'no_caller_id',
      'No caller ID is set. Add one in the dashboard before calling.',
    ])
    await shop.call('POST /api/user/callerid', { token: shop.alice.token, body: { callerid: '14155550100' } })
    expect(await refused('12345')).toEqual(['unknown_number', 'This number is not valid.'])
    expect((await refused('+881612345678'))[0]).toBe('high_risk_blocked')
    expect((await refused())[0]).toBe('no_route')
    const route = await shop.addRoute({ price: 0.02 })
    await shop.select(shop.alice, route.id)
    expect((await refused())[0]).toBe('no_trunk')
    const trunk = await shop.addTrunk({ buy_rate: 0.05 })
    expect((await refused())[0]).toBe('below_cost')
    await shop.call('PATCH /api/trunks/:id', {
      token: shop.root.token,
      params: { id: trunk.id },
      body: { buy_rate: 0.01 },
    })
    expect((await refused())[0]).toBe('no_balance')
    await topUp(shop, shop.alice.id)
    expect((await quote(shop, '+4930901820')).allowed).toBe(true)
    const guards = { token: shop.alice.token, body: { blocked_countries: ['DE'] } }
    await shop.call('PATCH /api/user/guards', guards)
    expect((await refused())[0]).toBe('country_blocked')
  })

  it('uses the caller’s own selection', async () => {
    const shop = await createShop()
    const route = await shop.addRoute()
    await shop.addTrunk()
    await shop.select(shop.paula, route.id)
    await shop.call('POST /api/user/callerid', { token: shop.alice.token, body: { callerid: '14155550100' } })
    expect(await quote(shop, '+4930901820')).toMatchObject({ route: null, rate: null, reason: 'no_route' })
  })
})
