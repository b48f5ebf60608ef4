import { system } from '@trunkline/domain/access'
import { micros } from '@trunkline/domain/money'
import { expect, it } from 'vitest'
import { auditOf } from '../../../../test/catalogue.ts'
import { aCdr } from '../../../../test/cdrs.ts'
import { createNumberShop, newKey } from '../../../../test/numbers.ts'
import { insertCdrs } from '../../calls/cdr/cdr-store.ts'

async function setUp() {
  const shop = await createNumberShop()
  const { token } = shop.root
  return {
    shop,
    token,
    create: (given: object = {}) =>
      shop.call('POST /api/admin/numbers', {
        token,
        body: { number: '+44 20 7946 0958', monthly: 2, ...given },
      }),
    patch: (id: number, body: object) =>
      shop.call('PATCH /api/admin/numbers/:id', { token, params: { id }, body: body as never }),
    remove: (id: number) => shop.call('DELETE /api/admin/numbers/:id', { token, params: { id } }),
    assign: (id: number, user_id: number, given: object = {}) =>
      shop.call('POST /api/admin/numbers/:id/assign', {
        token,
        params: { id },
        body: { user_id, request_key: newKey(), ...given },
      }),
    release: (id: number, reason = '') =>
      shop.call('POST /api/admin/numbers/:id/release', { token, params: { id }, body: { reason } }),
    list: async (query: Record<string, string | number> = {}) =>
      (await shop.call('GET /api/admin/numbers', { token, query })).answer,
  }
}

it('adds, changes and deletes a number, refuses an old version, and writes audit entries', async () => {
  const { shop, create, patch, remove } = await setUp()
  const trunk = await shop.addTrunk({ name: 'Carrier A' })
  const { answer } = await create({ trunk_id: trunk.id, cost: 0.004, cost_monthly: 1, tags: ['vip', 'vip'] })
  const { id } = answer.number
  expect(answer.number).toMatchObject({
    number: '+442079460958',
    country: 'United Kingdom',
    country_code: 'GB',
    type: 'local',
    monthly: 2,
    setup: 0,
    price: 0,
    cost_monthly: 1,
    cost: 0.004,
    max_calls: 10,
    tags: ['vip'],
    status: 'available',
    trunk: { id: trunk.id, name: 'Carrier A' },
    user: null,
    rental: null,
    version: 1,
  })
  expect(await create({ number: '020 7946 0958', country: 'GB' })).toMatchObject({ code: 'number_exists' })
  expect((await patch(id, { area: 'London', trunk_id: null, version: 1 })).answer.number).toMatchObject({
    area: 'London',
    trunk: null,
    monthly: 2,
    version: 2,
  })
  expect(await patch(id, { monthly: 3, version: 1 })).toMatchObject({ code: 'changed_meanwhile' })
  expect(await patch(999, { monthly: 3, version: 1 })).toMatchObject({ status: 404 })
  expect(await remove(id)).toMatchObject({ status: 200, message: 'Number deleted.' })
  expect(await remove(id)).toMatchObject({ status: 404 })
  expect(await auditOf(shop, shop.root, 'number.create')).toMatchObject([
    { subject: 'number +442079460958', after: { trunk: 'Carrier A', monthly: 2 } },
  ])
  expect(await auditOf(shop, shop.root, 'number.update')).toMatchObject([
    { before: { area: '', trunk: 'Carrier A' }, after: { area: 'London', trunk: null } },
  ])
  expect(await auditOf(shop, shop.root, 'number.delete')).toHaveLength(1)
})

it('refuses invalid numbers, foreign countries, unknown trunks and customers', async () => {
  const { create, patch } = await setUp()
  const fieldOf = ({ answer }: { answer: unknown }) =>
    (answer as { error: { fields: { field: string }[] } }).error.fields[0]?.field
  expect(fieldOf(await create({ number: '12345' }))).toBe('number')
  expect(fieldOf(await create({ country: 'Germany' }))).toBe('country')
  expect(fieldOf(await create({ trunk_id: 99 }))).toBe('trunk_id')
  expect(fieldOf(await create({ monthly: 10_001 }))).toBe('monthly')
  const { id } = (await create()).answer.number
  expect(fieldOf(await patch(id, { status: 'reserved', user_id: 99, version: 1 }))).toBe('user_id')
  expect(fieldOf(await patch(id, { user_id: 1, version: 1 }))).toBe('user_id')
})

it('reserves, blocks and frees a number', async () => {
  const { shop, create, patch } = await setUp()
  const { id } = (await create()).answer.number
  const reserved = await patch(id, { status: 'reserved', user_id: shop.alice.id, version: 1 })
  expect(reserved.answer.number).toMatchObject({
    status: 'reserved',
    user: { id: shop.alice.id, username: 'alice' },
  })
  expect((await patch(id, { note: 'hers', version: 2 })).answer.number.user?.id).toBe(shop.alice.id)
  const blocked = await patch(id, { status: 'blocked', version: 3 })
  expect(blocked.answer.number).toMatchObject({ status: 'blocked', user: null })
  expect((await patch(id, { status: 'available', version: 4 })).answer.number.status).toBe('available')
})

it('assigns a number with or without a charge, once for each request, and releases it', async () => {
  const { shop, create, patch, remove, assign, release } = await setUp()
  const { alice, balanceOf, own } = shop
  const { id } = (await create({ setup: 5 })).answer.number
  expect(await assign(id, alice.id)).toMatchObject({ code: 'insufficient_balance' })
  const request_key = newKey()
  const given = await assign(id, alice.id, { charge: false, request_key })
  expect(given.answer.number).toMatchObject({
    status: 'rented',
    user: { username: 'alice' },
    rental: { state: 'active', paid_until: '2026-04-01T12:00:00.000Z', cancels: false },
  })
  expect(await assign(id, alice.id, { charge: false, request_key })).toMatchObject({ status: 200 })
  expect(await assign(id, shop.paula.id)).toMatchObject({ code: 'number_taken' })
  expect(await assign(id, 999)).toMatchObject({ status: 404 })
  expect(await own(alice)).toMatchObject([{ number: '+442079460958', setup: 5 }])
  expect(await balanceOf(alice)).toBe(0)
  expect(await remove(id)).toMatchObject({ code: 'number_rented' })
  expect(await patch(id, { status: 'blocked', version: 2 })).toMatchObject({ code: 'number_rented' })
  // Prices of a running rental do not change.
  expect((await patch(id, { monthly: 9, version: 2 })).answer.number.monthly).toBe(9)
  expect(await own(alice)).toMatchObject([{ monthly: 2 }])
  const released = await release(id, 'abuse')
  expect(released.answer.number).toMatchObject({ status: 'available', user: null, rental: null })
  expect(await own(alice)).toEqual([])
  expect(await release(id)).toMatchObject({ status: 404 })
  expect(await auditOf(shop, shop.root, 'number.assign')).toMatchObject([
    { user: { username: 'alice' }, after: { charged: false } },
  ])
  expect(await auditOf(shop, shop.root, 'number.release')).toMatchObject([
    { user: { username: 'alice' }, before: { status: 'rented' }, reason: 'abuse' },
  ])
  await shop.topUp(alice, 20)
  expect(await assign(id, alice.id)).toMatchObject({ status: 200 })
  expect(await balanceOf(alice)).toBe(6)
  const { answer } = await shop.call('GET /api/admin/users/:id/statement', {
    token: shop.root.token,
    params: { id: alice.id },
    query: { kind: 'number_rent' },
  })
  expect(answer.lines).toMatchObject([{ by: 'root' }, { by: 'root' }])
  expect(await remove(id)).toMatchObject({ code: 'number_rented' })
  await shop.expectBooksToAddUp()
})

it('lists numbers by filters with counts and pages', async () => {
  const { shop, list } = await setUp()
  const trunk = await shop.addTrunk({ name: 'Carrier A' })
  const london = await shop.addNumber({ tags: ['VIP'], trunk_id: trunk.id })
  const paris = await shop.addNumber({ number: '+33 1 99 00 12 34', area: 'Paris', type: 'national' })
  await shop.topUp(shop.alice, 10)
  await shop.rent(shop.alice, london)
  const ids = async (query: Record<string, string | number>) =>
    (await list(query)).numbers.map(({ id }) => id)
  expect((await list()).counts).toEqual({ all: 2, available: 1, reserved: 0, blocked: 0, rented: 1 })
  expect(await list({ status: 'rented' })).toMatchObject({
    numbers: [{ id: london.id, user: { username: 'alice' } }],
    counts: { all: 2, available: 1 },
  })
  expect(await ids({ search: '+33 1 99' })).toEqual([paris.id])
  expect(await ids({ search: 'pari' })).toEqual([paris.id])
  expect(await ids({ search: 'vip' })).toEqual([london.id])
  expect(await ids({ search: 'ALICE' })).toEqual([london.id])
  expect(await ids({ search: 'nothing' })).toEqual([])
  expect(await ids({ country: 'France' })).toEqual([paris.id])
  expect(await ids({ type: 'national' })).toEqual([paris.id])
  expect(await ids({ trunk: trunk.id })).toEqual([london.id])
  expect(await ids({ user: shop.alice.id })).toEqual([london.id])
  expect(await ids({ tag: 'vip' })).toEqual([london.id])
  expect(await list({ limit: 1 })).toMatchObject({ numbers: [{ id: london.id }], next: london.id })
  expect(await ids({ limit: 1, after: london.id })).toEqual([paris.id])
})

it('shows calls, minutes and the margin of the last 30 days', async () => {
  const { shop, list } = await setUp()
  const number = await shop.addNumber({ monthly: 2, setup: 1, cost_monthly: 0.5 })
  const unused = await shop.addNumber({ cost_monthly: 0.25 })
  await shop.topUp(shop.alice, 10)
  await shop.rent(shop.alice, number)
  const { db } = shop.services
  const call = { userId: shop.alice.id, startedAt: shop.clock.now() }
  await insertCdrs(db, system('test'), [
    aCdr({ ...call, seconds: 90, costMicros: micros(30_000n), buyMicros: micros(10_000n) }),
    aCdr({ ...call, status: 'no-answer' }),
  ])
  await db.updateTable('cdrs').set({ direction: 'in', number_id: number.id }).execute()
  const { numbers } = await list()
  // Rent of 3, minus 0.5 for the carrier, plus 0.02 of the call.
  expect(numbers.find(({ id }) => id === number.id)?.usage).toEqual({
    calls: 1,
    missed: 1,
    minutes: 1.5,
    margin: 2.52,
  })
  expect(numbers.find(({ id }) => id === unused.id)?.usage).toEqual({
    calls: 0,
    missed: 0,
    minutes: 0,
    margin: -0.25,
  })
})

it('changes the settings and writes an audit entry', async () => {
  const { shop, token } = await setUp()
  const settings = async () => (await shop.call('GET /api/admin/number-settings', { token })).answer.settings
  expect(await settings()).toEqual({ internal_price: 0, warn_days: 3, grace_days: 7, suspended_days: 14 })
  const body = { internal_price: 0.001, warn_days: 5, grace_days: 2, suspended_days: 30 }
  expect((await shop.call('PUT /api/admin/number-settings', { token, body })).answer.settings).toEqual(body)
  expect(await settings()).toEqual(body)
  const stored = await shop.services.db
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', 'internal_call_price')
    .executeTakeFirstOrThrow()
  expect(stored.value).toBe('1000')
  await shop.call('PUT /api/admin/number-settings', { token, body })
  expect(await auditOf(shop, shop.root, 'number_settings.update')).toMatchObject([
    { before: { warn_days: 3 }, after: { warn_days: 5 } },
  ])
})
