import { describe, expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'

const good = { country: 'Germany', name: 'Berlin', planname: 'Gold', price: 0.02 }

describe('a route is refused', () => {
  it('with an invalid field, which is reported, and nothing is stored', async () => {
    const shop = await createShop()
    for (const [fault, field, words] of [
      [{ country: 'Atlantis' }, 'country', 'Please choose a country from the list.'],
      [{ name: ' ' }, 'name', 'Please enter a plan name.'],
      [{ planname: 'Bronze' }, 'planname', 'No plan has this name.'],
      [{ price: -0.01 }, 'price', 'Please enter a price in dollars per minute'],
      [{ price: 0.0000001 }, 'price', 'Please enter a price in dollars per minute'],
      [{ price: '0.02' }, 'price', 'Please enter a price in dollars per minute'],
      [{ first_increment: 0 }, 'first_increment', 'Please enter an increment from 1 to 3600 whole seconds.'],
      [{ id: 7 }, '', '"id" is not a known field.'],
      [{ is_premium: 'maybe' }, 'is_premium', 'This must be true or false.'],
    ] as const) {
      const body = { ...good, ...fault }
      const { status, answer, message } = await shop.call('POST /api/routes', {
        token: shop.root.token,
        body,
      })
      expect({ fault, status, answer }).toMatchObject({
        status: 400,
        answer: { error: { fields: [{ field }] } },
      })
      expect(message).toContain(words)
    }
    expect(await shop.services.db.selectFrom('routes').selectAll().execute()).toEqual([])
    expect(await auditOf(shop, shop.root, 'route.create')).toEqual([])
  })

  it('with all invalid lines of its rates reported at once', async () => {
    const shop = await createShop()
    const rates = [
      { prefix: '4915', price: 0.03 },
      { prefix: '49x', price: 0.03 },
      { prefix: '4915', price: 0.04 },
      { prefix: '4917', price: -1 },
    ]
    const { answer } = await shop.call('POST /api/routes', {
      token: shop.root.token,
      body: { ...good, rates },
    })
    expect(answer).toMatchObject({
      error: {
        fields: [
          { field: 'rates.1.prefix', message: 'Line 2: Please enter a prefix of 1 to 15 digits.' },
          { field: 'rates.2.prefix', message: 'Line 3: 4915 is already on line 1.' },
          { field: 'rates.3.price' },
        ],
      },
    })
  })

  it('if its version is outdated, and keeps the other change', async () => {
    const shop = await createShop()
    const { id } = await shop.addRoute()
    const save = (price: number) =>
      shop.call('PATCH /api/routes/:id', {
        token: shop.root.token,
        params: { id },
        body: { price, version: 1 },
      })
    const both = await Promise.all([save(0.03), save(0.04)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = both.find(({ status }) => status === 409)
    expect(loser).toMatchObject({
      code: 'changed_meanwhile',
      message: 'Someone else just changed this. Review the changes before you save.',
    })
    const winner = both.find(({ status }) => status === 200)
    const { answer } = await shop.call('GET /api/routes', { token: shop.root.token })
    expect(answer.routes[0]?.price).toBe(winner?.answer.route.price)
  })

  it('for deletion if its version is outdated', async () => {
    const shop = await createShop()
    const { id } = await shop.addRoute()
    const remove = (version: number) =>
      shop.call('DELETE /api/routes/:id', { token: shop.root.token, params: { id }, query: { version } })
    await shop.call('PATCH /api/routes/:id', {
      token: shop.root.token,
      params: { id },
      body: { price: 0.03 },
    })
    expect(await remove(1)).toMatchObject({ status: 409, code: 'changed_meanwhile' })
    expect((await remove(2)).status).toBe(200)
  })

  it('if it does not exist', async () => {
    const shop = await createShop()
    const request = { token: shop.root.token, params: { id: 999 }, body: { price: 1 } }
    expect((await shop.call('PATCH /api/routes/:id', request)).status).toBe(404)
    expect((await shop.call('DELETE /api/routes/:id', request)).status).toBe(404)
  })
})
