import { describe, expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'

describe('plans', () => {
  it('are returned as a list of names', async () => {
    const shop = await createShop()
    await shop.addPlan('bronze')
    await shop.addPlan('Silver')
    const { answer } = await shop.call('GET /api/plans', { token: shop.alice.token })
    expect(answer).toEqual(['bronze', 'Gold', 'Silver'])
  })

  it('show administrators the number of their routes and trunks', async () => {
    const shop = await createShop()
    await shop.addRoute()
    await shop.addRoute({ name: 'Munich' })
    await shop.addTrunk()
    const { answer } = await shop.call('GET /api/admin/plans', { token: shop.root.token })
    expect(answer.plans).toMatchObject([{ name: 'Gold', routes: 2, trunks: 1 }])
  })

  it('can be renamed, and routes follow', async () => {
    const shop = await createShop()
    const { id } = await shop.addPlan('Silver')
    await shop.addRoute({ planname: 'silver' })
    const rename = { token: shop.root.token, params: { id }, body: { name: 'Platinum' } }
    expect((await shop.call('PATCH /api/plans/:id', rename)).answer.plan.name).toBe('Platinum')
    const { answer } = await shop.call('GET /api/routes', { token: shop.alice.token })
    expect(answer.routes[0]?.planname).toBe('Platinum')
    expect((await auditOf(shop, shop.root, 'plan.update'))[0]).toMatchObject({
      before: { name: 'Silver' },
      after: { name: 'Platinum' },
    })
  })

  it('are renamed only with the current name, and trunks are added and removed one by one', async () => {
    const shop = await createShop()
    const token = shop.root.token
    const { id } = await shop.addPlan('Silver')
    const rename = (name: string, was: string) =>
      shop.call('PATCH /api/plans/:id', { token, params: { id }, body: { name, was } })
    expect((await rename('Platinum', 'Silver')).status).toBe(200)
    expect(await rename('Bronze', 'Silver')).toMatchObject({ status: 409, code: 'changed_meanwhile' })

    const [a, b, c] = [
      await shop.addTrunk({ name: 'A', plans: ['Platinum'] }),
      await shop.addTrunk({ name: 'B' }),
      await shop.addTrunk({ name: 'C' }),
    ]
    const change = (body: object) => shop.call('PUT /api/plans/:id/trunks', { token, params: { id }, body })
    // Keeps trunk C, which another administrator added.
    await change({ add: [c.id], remove: [] })
    expect((await change({ add: [b.id, b.id], remove: [a.id] })).answer.plan).toMatchObject({ trunks: 2 })
    expect(await change({ add: [999], remove: [b.id] })).toMatchObject({ status: 404 })
    const { answer } = await shop.call('GET /api/trunks', { token })
    expect(answer.trunks.map(({ name, plans, version }) => [name, plans, version])).toEqual([
      ['A', [], 2],
      ['B', ['Gold', 'Platinum'], 2],
      ['C', ['Gold', 'Platinum'], 2],
    ])
    expect((await auditOf(shop, shop.root, 'plan.trunks'))[0]).toMatchObject({
      before: { trunks: ['A', 'C'] },
      after: { trunks: ['B', 'C'] },
    })
  })

  it('have unique names regardless of letter case', async () => {
    const shop = await createShop()
    const { id } = await shop.addPlan('Silver')
    const token = shop.root.token
    const taken = { status: 409, code: 'plan_taken' }
    expect(await shop.call('POST /api/plans', { token, body: { name: 'GOLD' } })).toMatchObject(taken)
    const rename = { token, params: { id }, body: { name: 'gold' } }
    expect(await shop.call('PATCH /api/plans/:id', rename)).toMatchObject(taken)
  })

  it('can be deleted only while unused', async () => {
    const shop = await createShop()
    const token = shop.root.token
    const silver = await shop.addPlan('Silver')
    const bronze = await shop.addPlan('Bronze')
    const route = await shop.addRoute({ planname: 'Silver' })
    const trunk = await shop.addTrunk({ plans: ['Bronze'] })
    const remove = (id: number) => shop.call('DELETE /api/plans/:id', { token, params: { id } })
    expect(await remove(silver.id)).toMatchObject({ status: 409, code: 'plan_in_use' })
    expect(await remove(bronze.id)).toMatchObject({ status: 409, code: 'plan_in_use' })
    await shop.call('DELETE /api/routes/:id', { token, params: { id: route.id } })
    await shop.call('PATCH /api/trunks/:id', { token, params: { id: trunk.id }, body: { plans: [] } })
    expect((await remove(silver.id)).status).toBe(200)
    expect((await remove(bronze.id)).status).toBe(200)
    expect((await remove(bronze.id)).status).toBe(404)
    expect(await auditOf(shop, shop.root, 'plan.delete')).toHaveLength(2)
  })
})
