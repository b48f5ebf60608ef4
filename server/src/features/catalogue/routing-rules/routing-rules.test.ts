import { expect, it } from 'vitest'
import { auditOf, createShop } from '../../../../test/catalogue.ts'

async function setUp() {
  const shop = await createShop()
  const { token } = shop.root
  await shop.addRoute({ price: 0.05 })
  const cheap = await shop.addTrunk({ name: 'Cheap', buy_rate: 0.01, priority: 300 })
  const middle = await shop.addTrunk({ name: 'Middle', buy_rate: 0.02, priority: 200 })
  const dear = await shop.addTrunk({ name: 'Dear', buy_rate: 0.03, priority: 100 })
  const { answer } = await shop.call('GET /api/admin/plans', { token })
  const plan_id = answer.plans[0]?.id ?? 0
  const draft = { plan_id, country: null, mode: 'order' as const, trunks: [], quality: null }
  const put = (given: object = {}) =>
    shop.call('PUT /api/admin/routing-rules', { token, body: { ...draft, version: null, ...given } as never })
  const list = async () => (await shop.call('GET /api/admin/routing-rules', { token })).answer.rules
  const trace = async () => {
    const query = { number: '+49 30 901820' }
    const { answer } = await shop.call('GET /api/admin/try-number', { token, query })
    return answer.trial.routes[0]
  }
  return { shop, token, plan_id, draft, put, list, trace, cheap, middle, dear }
}

const named = (...trunks: { id: number }[]) => trunks.map(({ id }) => ({ id, percent: null }))
const quality = { min_asr: 40, min_calls: 20, window_minutes: 60, rest_minutes: 30 } as const

it('sets, changes and deletes a rule, refuses an old version, and writes audit entries', async () => {
  const { shop, token, put, list, cheap, dear } = await setUp()
  expect(await list()).toEqual([])
  const { answer } = await put({ trunks: named(dear, cheap), quality })
  expect(answer.rule).toMatchObject({
    planname: 'Gold',
    country: '',
    country_code: null,
    mode: 'order',
    trunks: [
      { id: dear.id, name: 'Dear', percent: null },
      { id: cheap.id, name: 'Cheap', percent: null },
    ],
    quality,
    states: [],
    version: 1,
  })
  expect(await put()).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  expect(await put({ version: 2 })).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  expect((await put({ version: 1, mode: 'cost' })).answer.rule).toMatchObject({ version: 2, trunks: [] })
  const german = await put({ country: 'Germany', mode: 'cost' })
  expect(german.answer.rule).toMatchObject({ country: 'Germany', country_code: 'DE', version: 1 })
  expect(await list()).toHaveLength(2)
  const remove = (query: Record<string, number>) =>
    shop.call('DELETE /api/admin/routing-rules/:id', { token, params: { id: answer.rule.id }, query })
  expect(await remove({ version: 1 })).toMatchObject({ status: 409 })
  expect(await remove({ version: 2 })).toMatchObject({ status: 200 })
  expect(await remove({})).toMatchObject({ status: 404 })
  expect((await list()).map((rule) => rule.country_code)).toEqual(['DE'])
  expect(await auditOf(shop, shop.root, 'routing_rule.create')).toHaveLength(2)
  expect(await auditOf(shop, shop.root, 'routing_rule.update')).toMatchObject([
    {
      before: { mode: 'order', trunks: ['Dear', 'Cheap'], min_asr: 40 },
      after: { mode: 'cost', trunks: [] },
    },
  ])
  expect(await auditOf(shop, shop.root, 'routing_rule.delete')).toHaveLength(1)
})

it('refuses unknown plans, trunks of other plans, wrong shares and thresholds, and writes nothing', async () => {
  const { shop, put, list, cheap, middle } = await setUp()
  await shop.addPlan('Silver')
  const other = await shop.addTrunk({ name: 'Other', plans: ['Silver'] })
  const share = (...percents: (number | null)[]) => ({
    mode: 'share',
    trunks: percents.map((percent, at) => ({ id: [cheap, middle][at]?.id, percent })),
  })
  expect(await put({ plan_id: 9999 })).toMatchObject({ status: 404 })
  for (const wrong of [
    { trunks: named(other) },
    { trunks: named({ id: 9999 }) },
    { trunks: named(cheap, cheap) },
    { trunks: [{ id: cheap.id, percent: 100 }] },
    { mode: 'cost', trunks: named(cheap) },
    { mode: 'share', trunks: [] },
    share(50, 49),
    share(100, null),
    share(100.5, -0.5),
    share(0, 100),
    { mode: 'random' },
    { country: 'Atlantis' },
    { quality: { ...quality, min_asr: 0 } },
    { quality: { ...quality, min_asr: 101 } },
    { quality: { ...quality, min_calls: 1 } },
    { quality: { ...quality, window_minutes: 20 } },
    { quality: { ...quality, rest_minutes: 0 } },
    { version: 0 },
  ])
    expect((await put(wrong)).status, JSON.stringify(wrong)).toBe(400)
  expect(await list()).toEqual([])
  expect((await put(share(50, 50))).status).toBe(200)
})

it('keeps the rule when one of its trunks is deleted', async () => {
  const { shop, token, put, list, cheap, dear } = await setUp()
  await put({ trunks: named(dear, cheap) })
  await shop.call('DELETE /api/trunks/:id', { token, params: { id: dear.id } })
  expect(await list()).toMatchObject([{ trunks: [{ id: cheap.id }] }])
})

it('decides the order of a traced number, which names the rule and a demotion', async () => {
  const { shop, put, trace, cheap, middle, dear } = await setUp()
  const order = async () => (await trace())?.trunks.map(({ name }) => name)
  expect(await order()).toEqual(['Dear', 'Middle', 'Cheap'])
  expect((await trace())?.rule).toBeNull()
  const { answer } = await put({ trunks: named(middle), quality })
  expect(await order()).toEqual(['Middle', 'Dear', 'Cheap'])
  await put({ country: 'DE', mode: 'cost' })
  expect(await order()).toEqual(['Cheap', 'Middle', 'Dear'])
  expect((await trace())?.rule).toMatchObject({ mode: 'cost', country_code: 'DE' })
  const german = (await put({ country: 'DE', version: 1, trunks: named(cheap, middle, dear), quality }))
    .answer.rule
  const since = shop.clock.now()
  for (const rule_id of [answer.rule.id, german.id])
    await shop.services.db
      .insertInto('routing_states')
      .values({
        rule_id,
        trunk_id: cheap.id,
        demoted_since: since,
        returns_at: new Date(since.getTime() + 60_000),
        cause_calls: 20,
        cause_answered: 5,
        seen_calls: 0,
        seen_answered: 0,
        judged_at: since,
      })
      .execute()
  expect(await order()).toEqual(['Middle', 'Dear', 'Cheap'])
  const traced = await trace()
  expect(traced?.trunks.map(({ demoted }) => demoted?.asr ?? null)).toEqual([null, null, 25])
  expect(traced?.trunks[2]?.demoted?.since).toBe(since.toISOString())
  // Without a threshold nothing stays demoted.
  await put({ country: 'DE', version: 2, trunks: named(cheap, middle, dear) })
  expect(await order()).toEqual(['Cheap', 'Middle', 'Dear'])
  const shares = [
    { id: dear.id, percent: 70 },
    { id: middle.id, percent: 30 },
  ]
  await put({ country: 'DE', version: 3, mode: 'share', trunks: shares })
  expect((await trace())?.trunks.map(({ name, share }) => [name, share])).toEqual([
    ['Dear', 70],
    ['Cheap', null],
    ['Middle', 30],
  ])
})
