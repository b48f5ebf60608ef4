import type { UserSort } from '@trunkline/contract/admin-users'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { createPortal, type Portal, type SignedIn, signUp } from '../../../../test/portal.ts'

async function begin() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const add = async (body: object) =>
    (await portal.call('POST /api/user/add', { token: root.token, body })).answer.user
  const list = async (query: Record<string, string | number> = {}) =>
    (await portal.call('GET /api/users', { token: root.token, query })).answer
  const names = async (query: Record<string, string | number> = {}) =>
    (await list(query)).users.map(({ username }) => username)
  const update = (body: object, by = root) =>
    portal.call('PATCH /api/admin/user/update', { token: by.token, body })
  return { portal, root, add, list, names, update }
}

let keys = 0
const newKey = () => `user-edit-${++keys}`

const give = (portal: Portal, root: SignedIn, id: number, amount: number) =>
  portal.call('POST /api/admin/balance-adjustments', {
    token: root.token,
    body: { user_id: id, amount, reason: 'a gift', request_key: newKey() },
  })

describe('the list of users', () => {
  it('is searched by part of a name, address or company, or by id', async () => {
    const { add, names, list } = await begin()
    const ann = await add({ username: 'ann', email: 'Ann@Example.com', company: 'Blue Whale Telecom' })
    await add({ username: 'bea.smith', email: 'bea@whales.example', is_premium: true })
    await add({ username: 'a_c' })
    await add({ username: 'abc' })
    expect(await names({ search: 'WHALE', sort: 'name' })).toEqual(['ann', 'bea.smith'])
    expect(await names({ search: 'smith' })).toEqual(['bea.smith'])
    expect(await names({ search: 'ann@example' })).toEqual(['ann'])
    expect(await names({ search: 'bea@WHALES.example' })).toEqual(['bea.smith'])
    expect(await names({ search: 'bea@example' })).toEqual([])
    expect(await names({ search: '@whales', sort: 'name' })).toEqual(['bea.smith'])
    expect(await names({ search: String(ann.id) })).toContain('ann')
    // Fewer than three letters match the start of a username. Wildcards are escaped.
    expect(await names({ search: 'a', sort: 'name' })).toEqual(['a_c', 'abc', 'ann'])
    expect(await names({ search: 'a_c' })).toEqual(['a_c'])
    expect(await names({ search: '%' })).toEqual([])
    expect((await list({ search: 'ann' })).users).toEqual([{ ...ann, health: [] }])
    expect(ann).toMatchObject({ email: 'ann@example.com', bal: 0, held: 0, is_disabled: false, version: 1 })
  })

  it('is filtered, sorted and paged without gaps or repeats', async () => {
    const { portal, root, add, names, list, update } = await begin()
    for (const [index, username] of ['delta', 'Alpha', 'charlie', 'bravo'].entries()) {
      const { id } = await add({ username, is_premium: index % 2 === 0 })
      if (index < 3) await give(portal, root, id, 10 - index)
      if (username === 'bravo') await update({ id, is_disabled: true })
    }
    expect(await names({ premium: 'yes' })).toEqual(['charlie', 'delta'])
    expect(await names({ disabled: 'yes' })).toEqual(['bravo'])
    expect(await names({ disabled: 'no', premium: 'no', admin: 'no' })).toEqual(['Alpha'])
    expect(await names({ admin: 'yes' })).toEqual(['root'])

    // Balances are current, but a job updates their order.
    expect((await list({ search: 'delta' })).users).toMatchObject([{ bal: 10 }])
    expect(await portal.services.userAdministration.refreshBalanceOrder()).toBe(3)
    const last = ['root', 'delta', 'Alpha', 'charlie', 'bravo']
    const orders: Record<UserSort, string[]> = {
      newest: ['bravo', 'charlie', 'Alpha', 'delta', 'root'],
      oldest: ['root', 'delta', 'Alpha', 'charlie', 'bravo'],
      name: ['Alpha', 'bravo', 'charlie', 'delta', 'root'],
      name_desc: ['root', 'delta', 'charlie', 'bravo', 'Alpha'],
      balance: ['delta', 'Alpha', 'charlie', 'bravo', 'root'],
      balance_asc: ['root', 'bravo', 'charlie', 'Alpha', 'delta'],
      // Nobody has called yet.
      spend_change: last,
      failed_calls: last.toReversed(),
      balance_days: last,
    }
    for (const [sort, expected] of Object.entries(orders)) {
      const walked: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const page = await list({ sort, limit: 2, ...(after && { after }) })
        walked.push(...page.users.map(({ username }) => username))
        after = page.next
      }
      expect({ sort, walked }).toEqual({ sort, walked: expected })
    }
    const lost = { sort: 'balance', after: 'nowhere' }
    expect((await portal.call('GET /api/users', { token: root.token, query: lost })).status).toBe(400)
  })
})

describe('a user', () => {
  it('is created with a given password or a generated one that is shown once', async () => {
    const { portal, root } = await begin()
    const body = { username: 'newcomer', email: '', company: 'Acme', country: 'de', is_premium: true }
    const made = await portal.call('POST /api/user/add', { token: root.token, body })
    expect(made.answer.user).toMatchObject({ email: null, country: 'Germany', is_premium: true, bal: 0 })
    const login = await portal.call('POST /api/auth/login', {
      body: { username: 'newcomer', password: made.answer.password },
    })
    expect(login.answer.user).toMatchObject({ id: made.answer.user.id, company: 'Acme' })
    const given = { username: 'second', password: 'their own password' }
    expect(
      (await portal.call('POST /api/user/add', { token: root.token, body: given })).answer,
    ).toMatchObject({ password: null })
    const taken = await portal.call('POST /api/user/add', {
      token: root.token,
      body: { ...given, username: 'NEWCOMER' },
    })
    expect(taken).toMatchObject({ status: 409, code: 'username_taken' })
    const log = await auditOf(portal, root, 'user.create')
    expect(log[1]).toMatchObject({ user: { username: 'newcomer' }, after: { company: 'Acme' } })
    expect(JSON.stringify(log)).not.toContain(made.answer.password)
  })

  it('changes only in the given fields, and the audit log has the old values', async () => {
    const { portal, root, add, update } = await begin()
    const { id } = await add({ username: 'carol', company: 'Old Ltd' })
    const change = {
      email: 'carol@example.com',
      company: 'New Ltd',
      country: 'France',
      is_premium: true,
      websiteip: '192.0.2.9',
      host: '198.51.100.7',
    }
    const changed = await update({ id, ...change, name: 'Carol' })
    expect(changed).toMatchObject({ status: 200, message: 'User updated successfully!' })
    expect(changed.answer.user).toMatchObject({ username: 'carol', ...change, version: 2 })
    expect(await auditOf(portal, root, 'user.update')).toMatchObject([
      {
        by: { username: 'root' },
        before: { company: 'Old Ltd', is_premium: false },
        after: { company: 'New Ltd' },
      },
    ])
    // Unchanged values create no version and no audit entry.
    const same = await update({ id, company: 'New Ltd', version: 2 })
    expect(same.answer.user.version).toBe(2)
    expect(await auditOf(portal, root, 'user.update')).toHaveLength(1)
    const whole = await portal.call('GET /api/admin/users/:id', { token: root.token, params: { id } })
    expect(whole.answer.user).toMatchObject({
      websiteip: '192.0.2.9',
      shown_websiteip: '192.0.2.9',
      disabled_at: null,
      callerid: null,
      sessions: 0,
      registrations: 0,
      live_calls: 0,
      open_tickets: 0,
      open_alerts: 0,
    })
    const cleared = await update({ id, websiteip: '', email: null })
    expect(cleared.answer.user).toMatchObject({ websiteip: null, email: null })
  })

  it.each([
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
    ['true', true],
    ['false', false],
    [true, true],
  ])('accepts a flag as %j', async (given, is) => {
    const { add, update } = await begin()
    const { id } = await add({ username: 'flagged', is_premium: is ? 0 : 1 })
    const { status, answer } = await update({ id, is_premium: given, is_admin: given })
    expect(status).toBe(200)
    expect(answer.user).toMatchObject({ is_premium: is, is_admin: is })
    expect(await update({ id, is_premium: 2 })).toMatchObject({
      status: 400,
      message: 'This must be true or false.',
    })
  })

  it('has their balance changed through the ledger, once per key', async () => {
    const { portal, root, add, update } = await begin()
    const { id } = await add({ username: 'carol' })
    await give(portal, root, id, 10)
    const edit = {
      id,
      company: 'Acme',
      version: 1,
      bal: 25.5,
      bal_was: 10,
      reason: 'goodwill',
      request_key: newKey(),
    }
    const all = await Promise.all([update(edit), update(edit), update(edit)])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { answer } of all)
      expect(answer.user).toMatchObject({ bal: 25.5, company: 'Acme', version: 2 })
    const { answer } = await portal.call('GET /api/admin/users/:id/statement', {
      token: root.token,
      params: { id },
    })
    expect(answer).toMatchObject({ balance: 25.5 })
    expect(answer.lines).toMatchObject([
      { kind: 'adjustment', amount: 15.5, balance: 25.5, reason: 'goodwill' },
      { amount: 10 },
    ])
    expect(await auditOf(portal, root, 'balance.adjust')).toHaveLength(2)
    expect((await portal.services.books.check()).isSound).toBe(true)
  })

  it('is signed out everywhere and gets a new SIP password that is shown once', async () => {
    const { portal, root } = await begin()
    const carol = await signUp(portal, 'carol')
    const params = { id: carol.id }
    const ask = { token: root.token, params }
    expect((await portal.call('GET /api/admin/users/:id/sessions', ask)).answer.sessions).toMatchObject([
      { address: '127.0.0.1', is_current: false },
    ])
    const out = await portal.call('DELETE /api/admin/users/:id/sessions', ask)
    expect(out.answer).toMatchObject({ ended: 1 })
    expect((await portal.call('GET /api/auth/me', { token: carol.token })).status).toBe(401)
    expect(await auditOf(portal, root, 'user.sign_out')).toMatchObject([{ user: { username: 'carol' } }])

    expect((await portal.call('GET /api/admin/users/:id/sip', ask)).answer).toMatchObject({
      connection: { username: 'carol', has_password: false },
      registrations: [],
    })
    const made = await portal.call('POST /api/admin/users/:id/sip/password', ask)
    expect(made.answer).toMatchObject({ username: 'carol', password: expect.any(String) })
    const sip = await portal.call('GET /api/admin/users/:id/sip', ask)
    expect(sip.answer.connection.has_password).toBe(true)
    expect(JSON.stringify(sip.answer)).not.toContain(made.answer.password)
  })
})

it('unlocks premium routes for a customer without a new sign-in', async () => {
  const { portal, root, update } = await begin()
  const carol = await signUp(portal, 'carol')
  await portal.call('POST /api/plans', { token: root.token, body: { name: 'Gold' } })
  const { answer } = await portal.call('POST /api/routes', {
    token: root.token,
    body: { country: 'Germany', name: 'Berlin', planname: 'Gold', price: 0.02, is_premium: true },
  })
  const select = () =>
    portal.call('POST /api/user-selected-route', {
      token: carol.token,
      body: { route_id: answer.route.id },
    })
  expect((await select()).code).toBe('premium_only')
  await update({ id: carol.id, is_premium: true })
  expect((await portal.call('GET /api/auth/me', { token: carol.token })).answer.user.is_premium).toBe(true)
  expect((await select()).status).toBe(200)
})
