import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { auditOf, racing } from '../../../../test/catalogue.ts'
import { ask } from '../../../../test/database.ts'
import { prove, signUp } from '../../../../test/portal.ts'
import { createPricing } from '../../../../test/pricing.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'

describe('applying a preview', () => {
  it('sets exactly the previewed prices once, with one audit entry, and increases versions', async () => {
    const { preview, apply, route, berlin, history, root, ...portal } = await createPricing()
    const { change, rows } = (await preview({ with_prefixes: true })).answer
    const applied = await apply(change.id)
    expect(applied.answer.change).toMatchObject({ state: 'applied', counts: change.counts })
    expect((await apply(change.id)).answer).toEqual(applied.answer)
    const now = await route(berlin.id)
    const written = [[null, now.price], ...now.rates.map(({ prefix, price }) => [prefix, price])]
    expect(written).toEqual(rows.map(({ prefix, after }) => [prefix, after]))
    expect(now.version).toBe(berlin.version + 1)
    const entries = await auditOf(portal, root, 'prices.change')
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      subject: `price change ${change.id}`,
      after: { percent: 20, basis: 'dearest', changed: 3 },
    })
    expect(await history()).toMatchObject([{ id: change.id, created_by: { username: 'root' } }])
    expect((await preview({ with_prefixes: true })).answer.change.counts).toMatchObject({
      changed: 0,
      unchanged: 3,
    })
  })

  it('tells call control about every changed route, also if only its prefix rates changed', async () => {
    const { preview, apply, berlin, addRoute, setPrice, database } = await createPricing()
    await addRoute({ name: 'Unchanged', price: 0.0108 })
    await setPrice(berlin.id, 0.0108)
    const { change } = (await preview({ with_prefixes: true })).answer
    expect(change.counts).toMatchObject({ changed: 2, unchanged: 2 })
    const listener = new pg.Client(database.url)
    const heard = new Set<string | undefined>()
    listener.on('notification', ({ payload }) => heard.add(payload))
    await listener.connect()
    try {
      await listener.query('listen call_control')
      await apply(change.id)
      await expect.poll(() => [...heard]).toEqual([`route:${berlin.id}`])
    } finally {
      await listener.end()
    }
  })

  it.each<[string, string, (shop: Awaited<ReturnType<typeof createPricing>>) => Promise<unknown>]>([
    ['a price', '1 price or cost has', ({ setPrice, berlin }) => setPrice(berlin.id, 0.021)],
    [
      'the terms of a route',
      '1 price or cost has',
      ({ call, root, berlin }) =>
        call('PATCH /api/routes/:id', {
          token: root.token,
          params: { id: berlin.id },
          body: { next_increment: 60 },
        }),
    ],
    [
      'the cost of a trunk',
      '2 prices or costs have',
      ({ call, root, dear }) =>
        call('PATCH /api/trunks/:id', {
          token: root.token,
          params: { id: dear.id },
          body: { buy_rate: 0.01 },
        }),
    ],
    [
      'a buy rate of a prefix',
      '1 price or cost has',
      ({ call, root, dear }) =>
        call('PUT /api/trunks/:id/rates', {
          token: root.token,
          params: { id: dear.id },
          body: { rates: [{ prefix: '491', price: 0.031 }] },
        }),
    ],
    ['a new route', '1 price or cost has', ({ addRoute }) => addRoute({ name: 'New' })],
    [
      'a deleted route',
      '3 prices or costs have',
      ({ call, root, berlin }) =>
        call('DELETE /api/routes/:id', { token: root.token, params: { id: berlin.id } }),
    ],
  ])('is refused after a change of %s, and changes nothing', async (_name, many, change) => {
    const shop = await createPricing()
    const { id } = (await shop.preview({ with_prefixes: true })).answer.change
    await change(shop)
    const refused = await shop.apply(id)
    expect(refused).toMatchObject({ status: 409, code: 'changed_meanwhile' })
    expect(refused.message).toContain(`Nothing was applied. ${many} changed since the preview: `)
    expect(await shop.history()).toEqual([])
    const prices = await ask(shop.database.url, `select price_micros from route_rates where prefix = '4915'`)
    expect(prices.map(({ price_micros }) => String(price_micros))).toEqual(
      _name === 'a deleted route' ? [] : ['40000'],
    )
  })

  it('is done by one of two administrators who apply at the same time', async () => {
    const shop = await createPricing()
    const deputy = await signUp(shop, 'deputy', { isAdmin: true })
    const mine = (await shop.preview()).answer.change.id
    const theirs = (await shop.preview({ percent: 50 }, deputy)).answer.change.id
    const answers = await racing(
      shop,
      (tx) => sql`select from routes where id = ${shop.berlin.id} for update`.execute(tx),
      () => [shop.apply(mine), shop.apply(theirs, deputy)],
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = answers.findIndex(({ status }) => status === 200)
    expect((await shop.route(shop.berlin.id)).price).toBe([0.0108, 0.0135][won])
    expect(await shop.history()).toHaveLength(1)
  })

  it('is done once by the same request twice at the same time', async () => {
    const shop = await createPricing()
    const { id } = (await shop.preview()).answer.change
    const answers = await racing(
      shop,
      (tx) => sql`select from price_changes where id = ${id} for update`.execute(tx),
      () => [shop.apply(id), shop.apply(id)],
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await shop.route(shop.berlin.id)).version).toBe(shop.berlin.version + 1)
    expect(await auditOf(shop, shop.root, 'prices.change')).toHaveLength(1)
  })

  it('needs the password again after ten minutes, like the undo', async () => {
    const shop = await createPricing()
    const { id } = (await shop.preview()).answer.change
    shop.clock.advance(11 * MINUTE)
    expect(await shop.apply(id)).toMatchObject({ status: 403, code: 'password_needed' })
    expect(await shop.undo(id)).toMatchObject({ status: 403, code: 'password_needed' })
    await prove(shop, shop.root)
    expect((await shop.apply(id)).status).toBe(200)
  })

  it('keeps previews private, at most five per administrator and for a day', async () => {
    const shop = await createPricing()
    const deputy = await signUp(shop, 'deputy', { isAdmin: true })
    const { id } = (await shop.preview()).answer.change
    expect((await shop.rows(id, {}, deputy)).code).toBe('not_found')
    expect((await shop.apply(id, deputy)).code).toBe('not_found')
    expect((await shop.undo(id)).code).toBe('prices_not_applied')
    for (let times = 0; times < 4; times++) await shop.preview()
    expect((await shop.rows(id)).status).toBe(200)
    const last = (await shop.preview()).answer.change.id
    expect((await shop.rows(id)).code).toBe('not_found')
    await shop.apply(last)
    expect((await shop.rows(last, {}, deputy)).status).toBe(200)
    shop.clock.advance(2 * DAY)
    await shop.preview({}, deputy)
    expect(await ask(shop.database.url, 'select id from price_changes')).toHaveLength(2)
  })
})

describe('undoing a change', () => {
  it('restores the prices that nobody changed since, and says which were left', async () => {
    const shop = await createPricing()
    const { preview, apply, undo, route, berlin, addRoute, setPrice, rows, call, root } = shop
    const second = await addRoute({ name: 'Second', price: 0.05 })
    const third = await addRoute({ name: 'Third', price: 0.06 })
    const { id } = (await preview({ with_prefixes: true })).answer.change
    await apply(id)
    await setPrice(second.id, 0.07)
    await call('DELETE /api/routes/:id', { token: root.token, params: { id: third.id } })
    const deputy = await signUp(shop, 'deputy', { isAdmin: true })
    const undone = await undo(id, deputy)
    expect(undone.answer.change).toMatchObject({
      state: 'undone',
      undone_by: { username: 'deputy' },
      restored: 3,
      left: 2,
    })
    expect((await undo(id)).answer).toEqual(undone.answer)
    const { price, rates } = await route(berlin.id)
    expect([price, ...rates.map(({ price }) => price)]).toEqual([0.02, 0.04, 0.011])
    expect((await route(second.id)).price).toBe(0.07)
    const left = (await rows(id, { show: 'left' })).answer.rows
    expect(left.map(({ name, undo }) => [name, undo])).toEqual([
      ['Second', 'changed'],
      ['Third', 'gone'],
    ])
    expect(await auditOf(shop, root, 'prices.undo')).toMatchObject([{ after: { restored: 3, left: 2 } }])
  })

  it('leaves the prices of a later change', async () => {
    const { preview, apply, undo, route, berlin } = await createPricing()
    const first = (await preview()).answer.change.id
    await apply(first)
    const second = (await preview({ percent: 50 })).answer.change.id
    await apply(second)
    expect((await undo(first)).answer.change).toMatchObject({ restored: 0, left: 1 })
    expect((await undo(second)).answer.change).toMatchObject({ restored: 1, left: 0 })
    expect((await route(berlin.id)).price).toBe(0.0108)
  })
})
