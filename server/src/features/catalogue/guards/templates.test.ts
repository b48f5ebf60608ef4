import type { Address } from '@trunkline/contract'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { prove, withAdmin } from '../../../../test/portal.ts'
import { MINUTE } from '../../../platform/clock.ts'

async function begin() {
  const { portal, root, alice } = await withAdmin()
  const { token } = root
  const admin = <A extends Address>(address: A, id = 0, body?: object) =>
    portal.call(address, { token, params: { id }, ...(body && { body }) })
  return {
    portal,
    root,
    alice,
    create: (body: object) => admin('POST /api/admin/limit-templates', 0, body),
    change: (id: number, body: object) => admin('PATCH /api/admin/limit-templates/:id', id, body),
    remove: (id: number) => admin('DELETE /api/admin/limit-templates/:id', id),
    list: async () => (await admin('GET /api/admin/limit-templates')).answer.templates,
    apply: (template_id: number, more: object = {}) =>
      admin('POST /api/admin/users/:id/limit-template', alice.id, { template_id, ...more }),
    set: (body: object) => admin('PATCH /api/admin/users/:id/guards', alice.id, body),
    ofAlice: async () => (await admin('GET /api/admin/users/:id/guards', alice.id)).answer,
  }
}

const office = {
  name: 'Office',
  daily_spend: 20,
  max_concurrent_calls: 4,
  allowed_countries: ['DE', 'France'],
}

describe('templates of limits', () => {
  it('are created, changed, deleted and listed by name, with audit entries', async () => {
    const { portal, root, create, change, remove, list } = await begin()
    const { template } = (await create(office)).answer
    expect(template).toMatchObject({ name: 'Office', daily_spend: 20, max_price: null, users: 0, version: 1 })
    expect(template.allowed_countries?.map(({ country_code }) => country_code)).toEqual(['DE', 'FR'])
    await create({ name: 'call center' })
    expect((await list()).map(({ name }) => name)).toEqual(['call center', 'Office'])
    const changed = (await change(template.id, { daily_spend: null, version: 1 })).answer.template
    expect(changed).toEqual({ ...template, daily_spend: null, version: 2 })
    expect((await change(template.id, { daily_spend: null })).answer.template.version).toBe(2)
    expect((await change(template.id, { max_price: 2, version: 1 })).code).toBe('changed_meanwhile')
    expect((await change(template.id, { name: 'Call Center' })).answer).toMatchObject({
      error: { code: 'template_taken', fields: [{ field: 'name' }] },
    })
    expect((await create({ ...office, calls_stopped: true })).code).toBe('invalid_input')
    expect((await remove(template.id)).status).toBe(200)
    expect((await remove(template.id)).code).toBe('not_found')
    expect(await auditOf(portal, root, 'limit_template.create')).toHaveLength(2)
    expect(await auditOf(portal, root, 'limit_template.update')).toMatchObject([
      { before: { name: 'Office', daily_spend: 20 }, after: { name: 'Office', daily_spend: null } },
    ])
    expect(await auditOf(portal, root, 'limit_template.delete')).toMatchObject([{ after: null }])
  })

  it('replace all limits of a customer but keep calls stopped, and are no live link', async () => {
    const { portal, root, create, change, remove, apply, set, ofAlice, list } = await begin()
    await set({ calls_stopped: true, max_price: 0.5 })
    const { template } = (await create(office)).answer
    const applied = (await apply(template.id)).answer
    expect(applied.admin).toMatchObject({ daily_spend: 20, max_price: null, calls_stopped: true })
    const named = { id: template.id, name: 'Office', applied_by: 'root', changed: [] as string[] }
    expect(applied.template).toMatchObject(named)
    expect((await list())[0]?.users).toBe(1)

    await change(template.id, { daily_spend: 99, name: 'Bureau' })
    expect((await ofAlice()).admin.daily_spend).toBe(20)
    expect((await ofAlice()).template).toMatchObject(named)
    await set({ max_concurrent_calls: 5, blocked_countries: ['CU'] })
    expect((await ofAlice()).template?.changed).toEqual(['max_concurrent_calls', 'blocked_countries'])
    await set({ max_concurrent_calls: 4, blocked_countries: null })
    expect((await ofAlice()).template?.changed).toEqual([])
    await remove(template.id)
    expect((await ofAlice()).template).toMatchObject({ ...named, id: null })
    expect(await auditOf(portal, root, 'guards.template')).toMatchObject([
      { before: { max_price: 0.5 }, after: { template: 'Office', daily_spend: 20, max_price: null } },
    ])
  })

  it('are refused for limits that changed since they were read, and for unknown templates and users', async () => {
    const { portal, root, create, apply, set } = await begin()
    const { template } = (await create(office)).answer
    await set({ max_price: 0.5 })
    expect((await apply(template.id, { updated_at: null })).code).toBe('changed_meanwhile')
    expect((await apply(999)).code).toBe('not_found')
    const unknown = await portal.call('POST /api/admin/users/:id/limit-template', {
      token: root.token,
      params: { id: 999 },
      body: { template_id: template.id },
    })
    expect(unknown.code).toBe('not_found')
  })

  it('need a recent password if they loosen a limit', async () => {
    const { portal, root, create, apply } = await begin()
    const tight = (await create(office)).answer.template
    const loose = (await create({ name: 'Loose', daily_spend: 500 })).answer.template
    portal.clock.advance(11 * MINUTE)
    expect((await apply(loose.id)).code).toBe('password_needed')
    expect((await apply(tight.id)).status).toBe(200)
    await prove(portal, root)
    expect((await apply(loose.id)).answer.effective.daily_spend).toBe(500)
  })
})
