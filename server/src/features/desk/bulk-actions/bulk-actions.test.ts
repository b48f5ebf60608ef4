import type { BulkAction } from '@trunkline/contract/bulk-actions'
import { describe, expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'
import { ask } from '../../../../test/database.ts'
import { prove, type SignedIn } from '../../../../test/portal.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'

async function begin() {
  const shop = await createShop()
  const { root, alice, paula } = shop
  const preview = (action: BulkAction | object, users: object, by: SignedIn = root) =>
    shop.call('POST /api/admin/bulk-actions', { token: by.token, body: { action, users } })
  return {
    ...shop,
    preview,
    all: { ids: [root.id, alice.id, paula.id] },
    apply: (id: number, by: SignedIn = root) =>
      shop.call('POST /api/admin/bulk-actions/:id/apply', { token: by.token, params: { id } }),
    rows: (id: number, query: Record<string, number> = {}, by: SignedIn = root) =>
      shop.call('GET /api/admin/bulk-actions/:id/rows', { token: by.token, params: { id }, query }),
    tag: (user: SignedIn, tag: string) =>
      shop.call('POST /api/admin/users/:id/tags', {
        token: root.token,
        params: { id: user.id },
        body: { tag },
      }),
    user: async (id: number) =>
      (await shop.call('GET /api/admin/users/:id', { token: root.token, params: { id } })).answer.user,
  }
}

describe('a bulk action', () => {
  it('previews who changes and who is skipped, changes nothing, and then applies exactly that', async () => {
    const { preview, apply, all, tag, user, root, alice, paula, ...portal } = await begin()
    await tag(alice, 'vip')
    const { answer } = await preview({ kind: 'add_tag', tag: 'VIP' }, all)
    expect(answer).toMatchObject({ changing: 2, skipped: 1, next: null })
    expect(answer.rows).toEqual([
      {
        user: { id: paula.id, username: 'paula' },
        skipped: null,
        before: { tags: [] },
        after: { tags: ['vip'] },
      },
      {
        user: { id: root.id, username: 'root' },
        skipped: null,
        before: { tags: [] },
        after: { tags: ['vip'] },
      },
      {
        user: { id: alice.id, username: 'alice' },
        skipped: 'unchanged',
        before: { tags: ['vip'] },
        after: { tags: ['vip'] },
      },
    ])
    expect((await user(paula.id)).tags).toEqual([])
    expect((await apply(answer.id)).answer).toEqual({ changed: 2, skipped: 1 })
    expect((await user(paula.id)).tags).toEqual(['vip'])

    // A repeat has the same answer and no effect.
    expect((await apply(answer.id)).answer).toEqual({ changed: 2, skipped: 1 })
    const entries = await auditOf(portal, root, 'user.tags')
    expect(entries).toHaveLength(3)
    expect(entries[0]).toMatchObject({
      user: { username: 'root' },
      before: { tags: [] },
      after: { tags: ['vip'] },
      reason: `Bulk action ${answer.id}`,
    })
  })

  it('is applied once by two requests at the same time', async () => {
    const { preview, apply, all, root, ...portal } = await begin()
    const { id } = (await preview({ kind: 'add_tag', tag: 'x' }, all)).answer
    const answers = await Promise.all([apply(id), apply(id), apply(id)])
    expect(answers.map(({ answer }) => answer.changed)).toEqual([3, 3, 3])
    expect(await auditOf(portal, root, 'user.tags')).toHaveLength(3)
  })

  it('is refused, naming the users, if a user changed since the preview', async () => {
    const { preview, apply, all, tag, user, alice, paula } = await begin()
    const { id } = (await preview({ kind: 'add_tag', tag: 'vip' }, all)).answer
    await tag(alice, 'other')
    const refused = await apply(id)
    expect(refused).toMatchObject({ status: 409, code: 'changed_meanwhile' })
    expect(refused.message).toBe('Nothing was applied. Changed since the preview: alice.')
    expect((await user(paula.id)).tags).toEqual([])
  })

  it('includes the users who matched the filter at the time of the preview, with an exact count', async () => {
    const { preview, apply, tag, user, call, root, alice, paula } = await begin()
    await tag(alice, 'trial')
    const count = await call('GET /api/admin/users/count', { token: root.token, query: { tag: 'trial' } })
    expect(count.answer).toEqual({ users: 1 })
    const { answer } = await preview({ kind: 'make_premium' }, { filter: { tag: 'trial' } })
    expect(answer).toMatchObject({ changing: 1, skipped: 0 })
    await tag(paula, 'trial')
    await apply(answer.id)
    expect((await user(alice.id)).is_premium).toBe(true)
    expect((await preview({ kind: 'end_premium' }, { filter: {} })).answer.changing).toBe(2)
  })

  it('never disables an administrator, and signs out those it disables', async () => {
    const { preview, apply, all, user, call, alice, root, services } = await begin()
    const deputy = await services.accounts.create({
      username: 'deputy',
      password: 'long enough',
      isAdmin: true,
    })
    const { answer } = await preview({ kind: 'disable' }, { ids: [...all.ids, deputy.id] })
    expect(answer.rows.map(({ user: { username }, skipped }) => [username, skipped])).toEqual([
      ['alice', null],
      ['paula', null],
      ['deputy', 'administrator'],
      ['root', 'own_account'],
    ])
    await apply(answer.id)
    expect((await user(alice.id)).is_disabled).toBe(true)
    expect((await call('GET /api/auth/me', { token: alice.token })).status).toBe(401)
    expect((await user(root.id)).is_disabled).toBe(false)
    const enable = await preview({ kind: 'enable' }, { filter: { disabled: 'yes' } })
    await apply(enable.answer.id)
    expect((await user(alice.id)).is_disabled).toBe(false)
  })

  it('applies a template of limits; looser limits need a recent password', async () => {
    const { preview, apply, all, call, root, alice, clock, ...portal } = await begin()
    const { template } = (
      await call('POST /api/admin/limit-templates', {
        token: root.token,
        body: { name: 'Big', daily_spend: 500 },
      })
    ).answer
    const made = await preview({ kind: 'apply_template', template_id: template.id }, all)
    expect(made.answer.rows[0]).toMatchObject({ before: { daily_spend: null }, after: { daily_spend: 500 } })
    clock.advance(11 * MINUTE)
    expect((await apply(made.answer.id)).code).toBe('password_needed')
    await prove({ call, clock, ...portal }, root)
    expect((await apply(made.answer.id)).answer).toEqual({ changed: 2, skipped: 1 })
    const guards = await call('GET /api/admin/users/:id/guards', {
      token: root.token,
      params: { id: alice.id },
    })
    expect(guards.answer).toMatchObject({
      admin: { daily_spend: 500 },
      template: { name: 'Big', changed: [] },
    })

    const again = await preview({ kind: 'apply_template', template_id: template.id }, all)
    expect(again.answer).toMatchObject({ changing: 0 })
    await call('PATCH /api/admin/limit-templates/:id', {
      token: root.token,
      params: { id: template.id },
      body: { daily_spend: 600 },
    })
    expect((await apply(again.answer.id)).code).toBe('changed_meanwhile')
    expect((await preview({ kind: 'apply_template', template_id: 999 }, all)).code).toBe('not_found')
  })

  it('selects a route, a premium one only for premium customers, and skips full tag lists', async () => {
    const { preview, apply, all, addRoute, selected, tag, alice, paula } = await begin()
    const route = await addRoute({ is_premium: true })
    const { answer } = await preview({ kind: 'select_route', route_id: route.id }, all)
    expect(answer.rows.map(({ user, skipped }) => [user.username, skipped])).toEqual([
      ['paula', null],
      ['alice', 'premium_only'],
      ['root', 'own_account'],
    ])
    await apply(answer.id)
    expect(await selected(paula)).toMatchObject([{ id: route.id }])
    expect(await selected(alice)).toEqual([])
    for (let n = 0; n < 10; n++) await tag(alice, `tag-${n}`)
    const full = await preview({ kind: 'add_tag', tag: 'one-more' }, { ids: [alice.id] })
    expect(full.answer.rows[0]?.skipped).toBe('too_many_tags')
  })

  it('tells routes with the same name on different plans apart', async () => {
    const { preview, apply, addPlan, addRoute, select, selected, root, alice, ...portal } = await begin()
    await addPlan('Silver')
    const gold = await addRoute({ planname: 'Gold' })
    const silver = await addRoute({ planname: 'Silver' })
    await select(alice, gold.id)
    const before = { country: 'DE', route: 'Berlin', plan: 'Gold', route_id: gold.id }
    const after = { country: 'DE', route: 'Berlin', plan: 'Silver', route_id: silver.id }
    const move = async () =>
      (await preview({ kind: 'select_route', route_id: silver.id }, { ids: [alice.id] })).answer
    const moved = await move()
    expect(moved.rows).toMatchObject([{ skipped: null, before, after }])

    await select(alice, silver.id)
    expect((await apply(moved.id)).code).toBe('changed_meanwhile')
    expect((await move()).rows).toMatchObject([{ skipped: 'unchanged', before: after, after }])

    await select(alice, gold.id)
    expect((await apply((await move()).id)).answer).toEqual({ changed: 1, skipped: 0 })
    expect(await selected(alice)).toMatchObject([{ id: silver.id }])
    expect(await auditOf(portal, root, 'selected_route.update')).toMatchObject([{ before, after }])
  })

  it('belongs to the administrator who made it, has pages, and ends after a day', async () => {
    const { preview, apply, rows, all, root, services, call, clock } = await begin()
    await services.accounts.create({ username: 'deputy', password: 'long enough', isAdmin: true })
    const signedIn = await call('POST /api/auth/login', {
      body: { username: 'deputy', password: 'long enough' },
    })
    const deputy = { ...root, token: signedIn.answer.token }
    const { id } = (await preview({ kind: 'add_tag', tag: 'x' }, all)).answer
    expect((await apply(id, deputy)).code).toBe('not_found')
    expect((await rows(id, {}, deputy)).code).toBe('not_found')
    const first = (await rows(id, { limit: 2 })).answer
    expect(first.rows.map(({ user }) => user.username)).toEqual(['alice', 'paula'])
    const second = (await rows(id, { limit: 2, after: first.next ?? 0 })).answer
    expect([second.rows.map(({ user }) => user.username), second.next]).toEqual([['root'], null])
    clock.advance(DAY + MINUTE)
    const { answer } = await call('POST /api/auth/login', {
      body: { username: root.username, password: root.password },
    })
    const later = { ...root, token: answer.token }
    await preview({ kind: 'add_tag', tag: 'x' }, all, later)
    expect((await apply(id, later)).code).toBe('not_found')
  })

  it('changes 5,000 users in one transaction, and refuses more', async () => {
    const { preview, apply, database } = await begin()
    const rows = await ask(
      database.url,
      `insert into users (username, password_hash, created_at)
       select 'many-' || n, 'x', now() from generate_series(1, 5001) as n returning id`,
    )
    const ids = rows.map(({ id }) => Number(id))
    expect((await preview({ kind: 'disable' }, { filter: { search: 'many-' } })).code).toBe('too_many_users')
    const { answer } = await preview({ kind: 'disable' }, { ids: ids.slice(1) })
    expect(answer).toMatchObject({ changing: 5_000 })
    expect((await apply(answer.id)).answer).toEqual({ changed: 5_000, skipped: 0 })
  })
})
