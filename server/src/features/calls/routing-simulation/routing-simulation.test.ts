import { micros } from '@trunkline/domain/money'
import { drawOf, TRIAL_EVERY } from '@trunkline/domain/routing'
import { expect, it } from 'vitest'
import { createShop } from '../../../../test/catalogue.ts'
import { aCdr } from '../../../../test/cdrs.ts'
import { systemOwner } from '../../../../test/ledger.ts'
import { insertCdrs, type NewCdr } from '../cdr/cdr-store.ts'
import { sampleCalls } from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let calls = 0
/** Not a trial call. */
function ordinaryId(): string {
  let id = ''
  do id = `sw1/past-${++calls}`
  while (drawOf(id) % TRIAL_EVERY === 0)
  return id
}

/** Carrier A is first and fails sometimes; B is cheaper. */
async function setUp() {
  const shop = await createShop()
  const { token } = shop.root
  const route = await shop.addRoute({ country: 'GB', name: 'London', price: 0.01 })
  const a = await shop.addTrunk({ name: 'A', buy_rate: 0.004, priority: 1 })
  const b = await shop.addTrunk({ name: 'B', buy_rate: 0.002, priority: 2 })
  const { answer } = await shop.call('GET /api/admin/plans', { token })
  const plan_id = answer.plans[0]?.id ?? 0
  const draft = { plan_id, country: 'GB', mode: 'cost', trunks: [], quality: null }
  const simulate = (given: object = {}) =>
    shop.call('POST /api/admin/routing-rules/simulate', { token, body: { ...draft, ...given } as never })
  const at = (ago: number) => new Date(shop.clock.now().getTime() - ago)
  const call = (ago: number, changes: Partial<NewCdr> = {}): NewCdr =>
    aCdr({ callId: ordinaryId(), routeId: route.id, startedAt: at(ago), trunkId: a.id, ...changes })
  const failover = (ago: number) =>
    call(ago, {
      trunkId: b.id,
      buyMicros: micros(2_000n),
      attempts: [{ trunk: a.id, name: 'A', code: 503, reason: '' }],
    })
  const add = (...records: NewCdr[]) => insertCdrs(shop.services.db, systemOwner, records)
  return { shop, route, a, b, simulate, call, failover, add }
}

const times = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make)

it('compares first trunks, cost, margin and expected ASR with what happened', async () => {
  const { a, b, simulate, call, failover, add } = await setUp()
  await add(
    ...times(10, () => call(DAY)),
    ...times(5, () => failover(3 * DAY)),
    call(DAY, { status: 'refused', trunkId: null, attempts: [] }),
    call(8 * DAY),
  )
  const { answer } = await simulate()
  expect(answer.simulation).toMatchObject({
    calls: 16,
    replayed: 15,
    left_out: 0,
    compared: 15,
    answered: 15,
    revenue: 0.15,
    before: { cost: 0.05, margin: 0.1, first_asr: 66.7 },
    // B had attempts in another hour only, and answered all of them.
    after: { cost: 0.03, margin: 0.12, first_asr: 100, unknown: 0 },
    trunks: [
      { id: b.id, name: 'B', before: { calls: 0, cost: 0.01 }, after: { calls: 15, cost: 0.03 }, asr: 100 },
      {
        id: a.id,
        before: { calls: 15, cost: 0.04 },
        after: { calls: 0, cost: 0 },
        attempts: 15,
        asr: 66.7,
        demoted_minutes: 0,
      },
    ],
  })
  const order = await simulate({ mode: 'order', trunks: [{ id: a.id, percent: null }] })
  // Every call begins on A as before, so nothing changes.
  const { before, after, trunks } = order.answer.simulation
  expect(after).toEqual({ ...before, unknown: 0 })
  for (const trunk of trunks) expect(trunk.after).toEqual(trunk.before)
})

it('applies the threshold of the draft to the measured attempts', async () => {
  const { a, b, simulate, call, failover, add } = await setUp()
  await add(...times(5, () => failover(3 * HOUR)), ...times(4, () => call(HOUR)))
  const quality = { min_asr: 50, min_calls: 5, window_minutes: 60, rest_minutes: 1440 }
  const { answer } = await simulate({ mode: 'order', quality })
  const { trunks } = answer.simulation
  expect(trunks.find(({ id }) => id === a.id)).toMatchObject({ before: { calls: 9 }, after: { calls: 5 } })
  expect(trunks.find(({ id }) => id === b.id)).toMatchObject({ after: { calls: 4 }, demoted_minutes: 0 })
  expect(trunks.find(({ id }) => id === a.id)?.demoted_minutes).toBeGreaterThan(150)
})

it('leaves out calls that no trunk can carry today, and knows no ASR of an unused trunk', async () => {
  const { shop, a, b, simulate, call, add } = await setUp()
  const { token } = shop.root
  await add(...times(3, () => call(DAY)))
  expect((await simulate()).answer.simulation.after).toMatchObject({ first_asr: null, unknown: 3 })
  for (const { id } of [a, b])
    await shop.call('PATCH /api/trunks/:id', { token, params: { id }, body: { status: 'inactive' } })
  expect((await simulate()).answer.simulation).toMatchObject({ replayed: 3, left_out: 3, compared: 0 })
})

it('refuses an unknown plan and trunks of other plans, and finds nothing without calls', async () => {
  const { simulate } = await setUp()
  expect((await simulate()).answer.simulation).toMatchObject({ calls: 0, compared: 0 })
  expect((await simulate({ plan_id: 9999 })).status).toBe(404)
  expect((await simulate({ mode: 'order', trunks: [{ id: 9999, percent: null }] })).status).toBe(400)
  expect((await simulate({ days: 32 })).status).toBe(400)
})

it('samples each quarter of an hour in proportion, up to a limit', async () => {
  const { shop, route, call, add } = await setUp()
  await add(
    ...times(10, () => call(5 * HOUR)),
    ...times(20, () => call(4 * HOUR)),
    ...times(30, () => call(3 * HOUR)),
  )
  await shop.services.callFigures.addQueued()
  const period = { from: new Date(0), to: new Date(shop.clock.now().getTime() + DAY) }
  const sample = await sampleCalls(shop.services.db, systemOwner, [route.id], period, 20)
  const counts = Map.groupBy(sample, ({ startedAt }) => startedAt)
  expect([...counts.values()].map(({ length }) => length)).toEqual([3, 6, 9])
  expect(await sampleCalls(shop.services.db, systemOwner, [route.id], period, 60)).toHaveLength(60)
})
