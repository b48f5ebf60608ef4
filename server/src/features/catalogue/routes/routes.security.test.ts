import { expect, it } from 'vitest'
import { createShop, expectNowhere } from '../../../../test/catalogue.ts'

it('refuses changes by customers and hides the data for administrators', async () => {
  const shop = await createShop()
  const route = await shop.addRoute({ sells_below_cost: true })
  await shop.addTrunk({ name: 'Secret Carrier', buy_rate: 0.5 })
  await shop.select(shop.paula, route.id)
  const attempt = { token: shop.alice.token, params: { id: route.id }, body: { price: 0 } }
  expect(await shop.call('PATCH /api/routes/:id', attempt)).toMatchObject({
    status: 403,
    message: 'Only admin can update trunks/routes.',
  })
  expect(await shop.call('DELETE /api/routes/:id', attempt)).toMatchObject({
    status: 403,
    message: 'Only admin can delete trunks/routes.',
  })
  const adding = { ...attempt, body: { country: 'DE', name: 'x', planname: 'Gold', price: 0 } }
  expect((await shop.call('POST /api/routes', adding)).status).toBe(403)
  const { answer } = await shop.call('GET /api/routes', { token: shop.alice.token })
  expect(answer.routes).toMatchObject([{ price: 0.02 }])
  expectNowhere(answer, 'sells_below_cost', 'selected_by', 'dearer', 'Secret Carrier')
})
