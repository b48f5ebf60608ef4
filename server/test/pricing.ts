import type { RequestOf } from '@trunkline/contract'
import { createShop } from './catalogue.ts'
import type { SignedIn } from './portal.ts'

type Rule = Partial<RequestOf<'POST /api/admin/bulk-pricing/preview'>['body']>

/** A German route with two prefix rates, over a cheap and a dear trunk. */
export async function createPricing() {
  const shop = await createShop()
  const { root } = shop
  await shop.addPlan('Silver')
  const cheap = await shop.addTrunk({ name: 'Cheap', buy_rate: 0.004 })
  const dear = await shop.addTrunk({ name: 'Dear', buy_rate: 0.009 })
  const berlin = await shop.addRoute({
    price: 0.02,
    rates: [
      { prefix: '4915', price: 0.04 },
      { prefix: '4930', price: 0.011 },
    ],
  })
  await shop.call('PUT /api/trunks/:id/rates', {
    token: root.token,
    params: { id: dear.id },
    body: { rates: [{ prefix: '491', price: 0.03 }] },
  })
  const token = root.token
  return {
    ...shop,
    cheap,
    dear,
    berlin,
    preview: (rule: Rule | object = {}, by: SignedIn = root) =>
      shop.call('POST /api/admin/bulk-pricing/preview', {
        token: by.token,
        body: { percent: 20, step: 0.0001, ...rule },
      }),
    rows: (id: number, query: Record<string, string | number> = {}, by: SignedIn = root) =>
      shop.call('GET /api/admin/bulk-pricing/:id/rows', { token: by.token, params: { id }, query }),
    apply: (id: number, by: SignedIn = root) =>
      shop.call('POST /api/admin/bulk-pricing/:id/apply', { token: by.token, params: { id } }),
    undo: (id: number, by: SignedIn = root) =>
      shop.call('POST /api/admin/bulk-pricing/:id/undo', { token: by.token, params: { id } }),
    history: async () => (await shop.call('GET /api/admin/bulk-pricing', { token })).answer.changes,
    route: async (id: number) =>
      (await shop.call('GET /api/routes/:id', { token, params: { id } })).answer.route,
    setPrice: (id: number, price: number) =>
      shop.call('PATCH /api/routes/:id', { token, params: { id }, body: { price } }),
  }
}
