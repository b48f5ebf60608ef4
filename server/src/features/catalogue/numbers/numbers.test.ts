import { defaultPlan } from '@trunkline/domain/ringing'
import { expect, it } from 'vitest'
import { createNumberShop, newKey } from '../../../../test/numbers.ts'
import type { SignedIn } from '../../../../test/portal.ts'

it('rents a number for the set-up fee and the first month, with lines in the statement', async () => {
  const shop = await createNumberShop()
  const { alice, topUp, balanceOf, rent, own, statement } = shop
  const number = await shop.addNumber({ setup: 1.5, monthly: 4, price: 0.02 })
  await topUp(alice, 10)
  const { status, answer } = await rent(alice, number, { time_zone: 'Europe/London' })
  expect(status).toBe(200)
  expect(answer.number).toMatchObject({
    number: '+442079460001',
    country: 'United Kingdom',
    country_code: 'GB',
    area: 'London',
    type: 'local',
    monthly: 4,
    setup: 1.5,
    price: 0.02,
    state: 'active',
    started_at: '2026-03-01T12:00:00.000Z',
    paid_until: '2026-04-01T12:00:00.000Z',
    cancels: false,
    suspends_at: null,
    releases_at: null,
    ring_plan: defaultPlan('Europe/London'),
    version: 1,
  })
  const listed = await shop.call('GET /api/numbers', { token: alice.token })
  expect(listed.answer.numbers).toEqual([answer.number])
  expect(await own(shop.paula)).toEqual([])
  expect(await balanceOf(alice)).toBe(4.5)
  expect(await statement(alice)).toMatchObject([
    { kind: 'number_rent', amount: -4, balance: 4.5, reference: '+442079460001, 2026-03-01 to 2026-04-01' },
    { kind: 'number_rent', amount: -1.5, balance: 8.5, reference: '+442079460001, set-up' },
  ])
  await shop.expectBooksToAddUp()
})

it('books a rental once for a repeated request, and refuses another number with its key', async () => {
  const shop = await createNumberShop()
  const { alice, topUp, balanceOf, rent } = shop
  const [first, second] = [await shop.addNumber(), await shop.addNumber()]
  await topUp(alice, 20)
  const request_key = newKey()
  const done = await Promise.all([1, 2, 3].map(() => rent(alice, first, { request_key })))
  expect(new Set(done.map(({ answer }) => answer.number.id)).size).toBe(1)
  expect(await balanceOf(alice)).toBe(17)
  expect(await rent(alice, second, { request_key })).toMatchObject({ status: 409, code: 'key_conflict' })
  expect(await rent(alice, first)).toMatchObject({ status: 409, code: 'number_taken' })
  // Keys of other customers do not conflict.
  await topUp(shop.paula, 20)
  expect(await rent(shop.paula, second, { request_key })).toMatchObject({ status: 200 })
})

it('refuses a rental that the balance does not cover and names the amount', async () => {
  const { alice, topUp, balanceOf, rent, own, ...shop } = await createNumberShop()
  const number = await shop.addNumber({ setup: 1, monthly: 4 })
  await topUp(alice, 4.5)
  expect(await rent(alice, number)).toMatchObject({
    status: 402,
    code: 'insufficient_balance',
    message: '+442079460001 costs $5.00 now, but only $4.50 is available. Please top up first.',
  })
  expect(await own(alice)).toEqual([])
  expect(await balanceOf(alice)).toBe(4.5)
  expect(await shop.call('GET /api/admin/numbers', { token: shop.root.token })).toMatchObject({
    answer: { numbers: [{ status: 'available', rental: null }] },
  })
})

it('refuses prices that the customer did not see, and unknown, blocked and reserved numbers', async () => {
  const { alice, paula, root, topUp, rent, ...shop } = await createNumberShop()
  await topUp(alice, 20)
  await topUp(paula, 20)
  const number = await shop.addNumber()
  const patch = (body: object) =>
    shop.call('PATCH /api/admin/numbers/:id', {
      token: root.token,
      params: { id: number.id },
      body: body as never,
    })
  expect((await patch({ monthly: 3, version: 1 })).status).toBe(200)
  expect(await rent(alice, number)).toMatchObject({ status: 409, code: 'number_price_changed' })
  const current = { ...number, monthly: 3 }
  expect(await rent(alice, { ...current, id: 999 })).toMatchObject({ status: 404 })
  await patch({ status: 'blocked', version: 2 })
  expect(await rent(alice, current)).toMatchObject({ code: 'number_taken' })
  await patch({ status: 'reserved', user_id: paula.id, version: 3 })
  expect(await rent(alice, current)).toMatchObject({ code: 'number_taken' })
  const available = async ({ token }: SignedIn) =>
    (await shop.call('GET /api/numbers/available', { token })).answer.numbers
  expect(await available(alice)).toEqual([])
  expect(await available(paula)).toMatchObject([{ id: number.id, monthly: 3 }])
  expect(await rent(paula, current)).toMatchObject({ status: 200 })
})

it('rents a number to one of many customers who ask at the same time', async () => {
  const shop = await createNumberShop()
  const number = await shop.addNumber()
  const customers = [shop.alice, shop.paula, shop.root]
  for (const who of customers) await shop.topUp(who, 10)
  const answers = await Promise.all(customers.flatMap((who) => [1, 2, 3].map(() => shop.rent(who, number))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'number_taken')).toHaveLength(8)
  const balances = await Promise.all(customers.map(shop.balanceOf))
  expect(balances.sort((left, right) => left - right)).toEqual([7, 10, 10])
  await shop.expectBooksToAddUp()
})

it('finds available numbers by country, type, area and digits, in pages', async () => {
  const { alice, ...shop } = await createNumberShop()
  const add = shop.addNumber
  const london = await add()
  const second = await add()
  const berlin = await add({ number: '+49 30 901820', area: 'Berlin', type: 'national' })
  const find = async (query: Record<string, string | number>) => {
    const { answer } = await shop.call('GET /api/numbers/available', { token: alice.token, query })
    return { ids: answer.numbers.map(({ id }) => id), next: answer.next, countries: answer.countries }
  }
  expect(await find({})).toEqual({
    ids: [london.id, second.id, berlin.id],
    next: null,
    countries: [
      { code: 'DE', name: 'Germany', count: 1 },
      { code: 'GB', name: 'United Kingdom', count: 2 },
    ],
  })
  expect((await find({ country: 'Germany' })).ids).toEqual([berlin.id])
  expect((await find({ country: 'gb' })).ids).toEqual([london.id, second.id])
  expect((await find({ country: 'Atlantis' })).ids).toEqual([])
  expect((await find({ type: 'national' })).ids).toEqual([berlin.id])
  expect((await find({ area: 'lond' })).ids).toEqual([london.id, second.id])
  expect((await find({ area: '%' })).ids).toEqual([])
  expect((await find({ digits: '+49 30' })).ids).toEqual([berlin.id])
  const page = await find({ limit: 2 })
  expect(page).toMatchObject({ ids: [london.id, second.id], next: second.id })
  expect(await find({ limit: 2, after: page.next ?? 0 })).toMatchObject({ ids: [berlin.id], next: null })
})

async function rented() {
  const shop = await createNumberShop()
  await shop.topUp(shop.alice, 10)
  const number = await shop.addNumber()
  const { answer } = await shop.rent(shop.alice, number)
  const { id } = answer.number
  const plan = (ring_plan: object, version = 1, who = shop.alice) =>
    shop.call('PATCH /api/numbers/:id', {
      token: who.token,
      params: { id },
      body: { ring_plan: { ...defaultPlan('UTC'), ...ring_plan }, version } as never,
    })
  const cancel = (cancels: boolean, who = shop.alice) =>
    shop.call('POST /api/numbers/:id/cancel', { token: who.token, params: { id }, body: { cancels } })
  return { shop, id, number, plan, cancel }
}

it('changes where a number rings, for its owner and the current version', async () => {
  const { shop, plan } = await rented()
  const rule = {
    name: 'Office hours',
    days: [1, 2, 3, 4, 5],
    from: 540,
    to: 1020,
    destination: { kind: 'number', number: '+49 (30) 901820', seconds: 20 },
  }
  const { status, answer } = await plan({ timeZone: 'Europe/Berlin', rules: [rule] })
  expect(status).toBe(200)
  expect(answer.number).toMatchObject({
    version: 2,
    ring_plan: {
      timeZone: 'Europe/Berlin',
      rules: [{ destination: { kind: 'number', number: '4930901820', callerId: 'number' } }],
    },
  })
  expect(await plan({})).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  expect(await plan({}, 2, shop.paula)).toMatchObject({ status: 404 })
  expect((await shop.own(shop.alice))[0]?.ring_plan.timeZone).toBe('Europe/Berlin')
})

it('refuses a PBX without trust, an invalid number, and a number that forwards to itself', async () => {
  const { shop, plan } = await rented()
  const pbx = { kind: 'pbx', address: '192.0.2.7', port: 5060, transport: 'udp', seconds: 20 }
  expect(await plan({ destination: pbx })).toMatchObject({
    status: 400,
    answer: { error: { fields: [{ field: 'ring_plan.destination.address' }] } },
  })
  const trust = (state: 'pending' | 'proven') =>
    shop.services.db
      .insertInto('trusted_addresses')
      .values({
        user_id: shop.alice.id,
        address: '192.0.2.7',
        state,
        added_at: new Date(),
        trusted_at: state === 'proven' ? new Date() : null,
      })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'address']).doUpdateSet({ state, trusted_at: new Date() }),
      )
      .execute()
  await trust('pending')
  expect(await plan({ destination: pbx })).toMatchObject({ status: 400 })
  await trust('proven')
  expect(await plan({ destination: pbx })).toMatchObject({ status: 200 })
  const forward = (number: string) => ({ fallback: { kind: 'number', number, seconds: 20 } })
  expect(await plan(forward('+44 20 7946 0001'), 2)).toMatchObject({
    status: 400,
    message: 'A number cannot forward to itself.',
  })
  expect(await plan(forward('+999 123 456'), 2)).toMatchObject({ status: 400 })
})

it('cancels a number for its owner, and keeps it after all', async () => {
  const { shop, cancel } = await rented()
  expect(await cancel(true, shop.paula)).toMatchObject({ status: 404 })
  expect((await cancel(true)).answer.number).toMatchObject({ cancels: true, state: 'active', version: 2 })
  expect((await cancel(true)).answer.number).toMatchObject({ cancels: true, version: 2 })
  expect((await cancel(false)).answer.number).toMatchObject({ cancels: false, version: 3 })
})
