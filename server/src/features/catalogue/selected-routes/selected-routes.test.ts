import { describe, expect, it } from 'vitest'
import { auditOf, createShop, racing, type Shop } from '../../../../test/catalogue.ts'

const statusOf = async (request: Promise<{ status: number }>) => (await request).status

describe('a selected route', () => {
  it('is one per country, and the latest is also returned separately, as specified', async () => {
    const shop = await createShop()
    const berlin = await shop.addRoute()
    const munich = await shop.addRoute({ name: 'Munich' })
    const paris = await shop.addRoute({ country: 'France', name: 'Paris' })
    await shop.select(shop.alice, berlin.id)
    shop.clock.advance(1000)
    await shop.select(shop.alice, paris.id)
    shop.clock.advance(1000)
    const { status, answer, message } = await shop.select(shop.alice, munich.id, shop.alice.id)
    expect({ status, message }).toEqual({ status: 200, message: 'Route selected.' })
    expect(answer.selectedRoute).toEqual({ country: 'Germany', country_code: 'DE', id: munich.id })
    expect(answer.selectedRoutes).toEqual([
      { country: 'Germany', country_code: 'DE', id: munich.id },
      { country: 'France', country_code: 'FR', id: paris.id },
    ])
    const asked = await shop.call('GET /api/user-selected-route', {
      token: shop.alice.token,
      query: { user_id: shop.alice.id },
    })
    expect(asked.answer.selectedRoutes).toEqual(answer.selectedRoutes)
    expect(await shop.selected(shop.paula)).toEqual([])
  })

  it('is null if there is none', async () => {
    const shop = await createShop()
    const { answer } = await shop.call('GET /api/user-selected-route', { token: shop.alice.token })
    expect(answer).toEqual({ selectedRoute: null, selectedRoutes: [] })
  })

  it('can be cleared for a country, by name or code', async () => {
    const shop = await createShop()
    const route = await shop.addRoute()
    await shop.select(shop.alice, route.id)
    const request = { token: shop.alice.token, query: { country: 'germany' } }
    const { answer } = await shop.call('DELETE /api/user-selected-route', request)
    expect(answer.selectedRoutes).toEqual([])
    expect((await shop.call('DELETE /api/user-selected-route', request)).status).toBe(404)
  })

  it('that is premium requires a premium user, even if an administrator selects it', async () => {
    const shop = await createShop()
    const route = await shop.addRoute({ is_premium: true })
    const refused = { status: 403, message: 'Upgrade to premium to select this route!' }
    expect(await shop.select(shop.alice, route.id)).toMatchObject(refused)
    expect(await shop.select(shop.root, route.id, shop.alice.id)).toMatchObject(refused)
    expect(await shop.selected(shop.alice)).toEqual([])
    expect((await shop.select(shop.paula, route.id)).status).toBe(200)
  })

  it('is consistent with concurrent moves and deletions of the route', async () => {
    const shop = await createShop()
    const moving = await shop.addRoute()
    const going = await shop.addRoute({ name: 'Munich' })
    const [token, params] = [shop.root.token, { id: moving.id }]
    const lock = (tx: Shop['services']['db']) => tx.selectFrom('routes').select('id').forUpdate().execute()
    await racing(shop, lock, () => [
      statusOf(shop.call('PATCH /api/routes/:id', { token, params, body: { country: 'FR' } })),
      statusOf(shop.select(shop.alice, moving.id)),
    ])
    const [deleted, chosen] = await racing(shop, lock, () => [
      statusOf(shop.call('DELETE /api/routes/:id', { token, params: { id: going.id } })),
      statusOf(shop.select(shop.paula, going.id)),
    ])
    expect(deleted).toBe(200)
    expect([200, 404]).toContain(chosen)
    expect((await shop.selected(shop.alice)).filter(({ country_code }) => country_code !== 'FR')).toEqual([])
    expect(await shop.selected(shop.paula)).toEqual([])
  })

  it('must exist', async () => {
    const shop = await createShop()
    expect((await shop.select(shop.alice, 999)).status).toBe(404)
    expect((await shop.select(shop.root, (await shop.addRoute()).id, 999)).status).toBe(404)
  })

  it('of another customer can be read and changed only by an administrator, with an audit entry', async () => {
    const shop = await createShop()
    const route = await shop.addRoute()
    const other = await shop.addRoute({ name: 'Munich' })
    await shop.select(shop.paula, route.id)
    const query = { user_id: shop.paula.id }
    const { token } = shop.alice
    expect((await shop.call('GET /api/user-selected-route', { token, query })).status).toBe(403)
    expect((await shop.select(shop.alice, other.id, shop.paula.id)).status).toBe(403)
    const giveUp = { token, query: { ...query, country: 'DE' } }
    expect((await shop.call('DELETE /api/user-selected-route', giveUp)).status).toBe(403)
    expect(await shop.selected(shop.paula)).toMatchObject([{ id: route.id }])

    expect((await shop.select(shop.root, other.id, shop.paula.id)).answer.selectedRoute?.id).toBe(other.id)
    expect(await shop.selected(shop.paula)).toMatchObject([{ id: other.id }])
    expect(await shop.selected(shop.root)).toEqual([])
    const [entry] = await auditOf(shop, shop.root, 'selected_route.update')
    expect(entry).toMatchObject({ user: { id: shop.paula.id }, after: { country: 'DE', route: other.id } })
  })
})
