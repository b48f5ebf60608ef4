import { expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'

/** A trunk with two rates, and requests for its decks. */
async function createList() {
  const shop = await createShop()
  const { token } = shop.root
  const trunk = await shop.addTrunk()
  const ask = { token, params: { id: trunk.id } }
  const rates = [
    { prefix: '44', price: 0.005 },
    { prefix: '49', price: 0.006 },
  ]
  await shop.call('PUT /api/trunks/:id/rates', { ...ask, body: { rates } })
  const inHours = (hours: number) => new Date(shop.clock.now().getTime() + hours * HOUR).toISOString()
  const check = (deck: string, more: object = {}) =>
    shop.call('POST /api/trunks/:id/rate-deck/check', { ...ask, body: { deck, mode: 'replace', ...more } })
  return {
    shop,
    trunk,
    ask,
    inHours,
    check,
    plan: async (deck: string, effective_at: string, more: object = {}) => {
      const { answer } = await check(deck, { effective_at, ...more })
      const body = { deck, mode: 'replace', effective_at, ...more, token: answer.check?.token ?? 'none' }
      return shop.call('POST /api/trunks/:id/rate-deck', { ...ask, body })
    },
    prices: async () => {
      const { answer } = await shop.call('GET /api/trunks/:id/rates', ask)
      return Object.fromEntries(answer.rates.map(({ prefix, price }) => [prefix, price]))
    },
    decks: async () => (await shop.call('GET /api/trunks/:id/rate-decks', ask)).answer.decks,
    cancel: (id: number) => shop.call('DELETE /api/admin/rate-decks/:id', { token, params: { id } }),
    applyDue: () => shop.services.rateDecks.applyDue(),
  }
}

const BEFORE = { 44: 0.005, 49: 0.006 }

it('a deck for a later time changes nothing before, and the rates then', async () => {
  const { shop, trunk, plan, prices, decks, inHours, applyDue } = await createList()
  const at = inHours(48)
  const deck = 'prefix,price,increments\n44,0.007,60/60\n33,0.004,1/1\n'
  expect(await plan(deck, at)).toMatchObject({
    status: 200,
    answer: { effective_at: at, rate_count: 2, counts: { new: 1, dearer: 1, removed: 1 } },
  })
  await applyDue()
  expect(await prices()).toEqual(BEFORE)
  expect(await decks()).toMatchObject([
    {
      state: 'planned',
      effective_at: at,
      line_count: 2,
      created_by: { username: shop.root.username },
      applied_at: null,
    },
  ])

  // Rates that change in between do not stop it: the deck replaces what is there.
  shop.clock.advance(2 * DAY - 1)
  await applyDue()
  expect(await prices()).toEqual(BEFORE)
  shop.clock.advance(1)
  await applyDue()
  await applyDue()
  expect(await prices()).toEqual({ 33: 0.004, 44: 0.007 })
  expect(await decks()).toMatchObject([{ state: 'applied', counts: { new: 1, dearer: 1, removed: 1 } }])
  expect(await auditOf(shop, shop.root, 'trunk.rates')).toMatchObject([
    { subject: `trunk ${trunk.id}`, before: { rate_count: 2 }, after: { rate_count: 2, dearer: 1 } },
    {},
  ])
  expect(await shop.services.db.selectFrom('planned_rates').selectAll().execute()).toEqual([])
})

it.each([1, 2, 3, 4, 5])(
  'planned decks are applied in order of time, each once by several workers (%i)',
  async () => {
    const { shop, plan, prices, decks, inHours, applyDue } = await createList()
    await plan('44,0.02\n', inHours(3), { mode: 'merge' })
    await plan('44,0.01\n33,0.01\n', inHours(2), { mode: 'merge' })
    shop.clock.advance(4 * HOUR)
    await Promise.all([applyDue(), applyDue(), applyDue()])
    await applyDue()
    expect(await prices()).toEqual({ 33: 0.01, 44: 0.02, 49: 0.006 })
    expect((await decks()).map(({ state, counts }) => [state, counts.new, counts.dearer]).sort()).toEqual([
      ['applied', 0, 1],
      ['applied', 1, 1],
    ])
    expect(await auditOf(shop, shop.root, 'trunk.rates')).toHaveLength(3)
  },
)

it('a planned deck can be canceled, an applied one cannot', async () => {
  const { shop, plan, prices, decks, inHours, cancel, applyDue } = await createList()
  await plan('44,0.02\n', inHours(1))
  const [{ id } = { id: 0 }] = await decks()
  expect((await cancel(id)).status).toBe(200)
  expect(await cancel(id)).toMatchObject({ status: 409, code: 'deck_not_planned' })
  shop.clock.advance(2 * HOUR)
  await applyDue()
  expect(await prices()).toEqual(BEFORE)
  expect(await decks()).toMatchObject([{ id, state: 'canceled' }])
  expect(await auditOf(shop, shop.root, 'trunk.rates_canceled')).toHaveLength(1)
  await plan('44,0.02\n', inHours(1))
  shop.clock.advance(2 * HOUR)
  await applyDue()
  const [applied] = await decks()
  expect(await cancel(applied?.id ?? 0)).toMatchObject({ status: 409 })
  expect((await cancel(999_999)).status).toBe(404)
})

it('refuses a time in the past or beyond a year, and more than 20 planned decks', async () => {
  const { plan, inHours, decks } = await createList()
  for (const at of [inHours(0), inHours(-1), inHours(367 * 24), 'tomorrow'])
    expect(await plan('44,0.02\n', at)).toMatchObject({ status: 400, code: 'invalid_input' })
  for (let hours = 1; hours <= 20; hours++) expect((await plan('44,0.02\n', inHours(hours))).status).toBe(200)
  expect(await plan('44,0.02\n', inHours(21))).toMatchObject({
    status: 400,
    message: 'This price list has 20 planned changes already. Cancel one first.',
  })
  expect((await decks()).map(({ effective_at }) => effective_at)).toEqual(
    Array.from({ length: 20 }, (_, at) => inHours(at + 1)),
  )
})

it('dates in the file must not be later than the planned time, and the latest one is suggested', async () => {
  const { shop, check, plan, inHours } = await createList()
  const day = inHours(72).slice(0, 10)
  const deck = `prefix,price,effective date\n44,0.007,${day}\n33,0.004,2020-01-01\n`
  expect((await check(deck)).answer.check).toMatchObject({ fault_count: 1, future_day: day })
  const then = `${day}T23:00:00.000Z`
  expect((await check(deck, { effective_at: then })).answer.check).toMatchObject({
    fault_count: 0,
    future_day: null,
  })
  expect((await plan(deck, then)).status).toBe(200)
  // Midnight in India is still the day before in UTC.
  const inIndia = `${day}T00:00:00+05:30`
  expect(await plan(deck, inIndia)).toMatchObject({
    status: 200,
    answer: { effective_at: new Date(inIndia).toISOString() },
  })
  // The file is checked for one time and applied for another.
  const { answer } = await check(deck, { effective_at: then })
  const body = { deck, mode: 'replace', effective_at: inHours(200), token: answer.check.token }
  const { id } = await shop.addTrunk()
  expect(
    await shop.call('POST /api/trunks/:id/rate-deck', { token: shop.root.token, params: { id }, body }),
  ).toMatchObject({ status: 409, code: 'changed_meanwhile' })
})

/** A route that takes decks. */
async function createRouteList() {
  const list = await createList()
  const { shop } = list
  const route = await shop.addRoute({ price: 0.02 })
  const ask = { token: shop.root.token, params: { id: route.id } }
  const give = async (given: object) => {
    const { answer } = await shop.call('POST /api/routes/:id/rate-deck/check', { ...ask, body: given })
    const body = { ...given, token: answer.check.token }
    expect(await shop.call('POST /api/routes/:id/rate-deck', { ...ask, body })).toMatchObject({ status: 200 })
  }
  return { ...list, ask, give }
}

it('a route that moved to another country takes only the lines of that country', async () => {
  const { shop, inHours, applyDue, ask, give } = await createRouteList()
  await give({ deck: '49,0.03\n4915,0.04\n', mode: 'merge', effective_at: inHours(1) })
  await shop.call('PATCH /api/routes/:id', { ...ask, body: { country: 'FR' } })
  shop.clock.advance(2 * HOUR)
  await applyDue()
  expect((await shop.call('GET /api/routes/:id/rates', ask)).answer.total).toBe(0)
  const { answer: listed } = await shop.call('GET /api/routes/:id/rate-decks', ask)
  expect(listed.decks).toMatchObject([{ state: 'applied', counts: { new: 0 } }])
})

it('a deck that replaces all rates keeps those of a route that moved to another country', async () => {
  const { shop, inHours, applyDue, ask, give } = await createRouteList()
  await give({ deck: '49,0.03\n', mode: 'replace', effective_at: inHours(1) })
  await shop.call('PATCH /api/routes/:id', { ...ask, body: { country: 'FR' } })
  await give({ deck: '336,0.05\n', mode: 'merge' })
  shop.clock.advance(2 * HOUR)
  await applyDue()
  const { answer: left } = await shop.call('GET /api/routes/:id/rates', ask)
  expect(left.rates).toMatchObject([{ prefix: '336', price: 0.05 }])
  const { answer: listed } = await shop.call('GET /api/routes/:id/rate-decks', ask)
  expect(listed.decks.find(({ mode }) => mode === 'replace')).toMatchObject({
    state: 'applied',
    counts: { new: 0, removed: 0 },
  })
})
