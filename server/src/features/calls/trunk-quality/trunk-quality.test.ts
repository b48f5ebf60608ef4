import { drawOf, TRIAL_EVERY } from '@trunkline/domain/routing'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createSmallProvider, LONDON, usd } from '../../../../test/telephony.ts'
import { createExports } from '../../../platform/csv.ts'
import { createAlerts } from '../../identity/alerts/service.ts'
import { createAudit } from '../../identity/audit/service.ts'
import { createCallFigures } from '../figures/service.ts'
import { createTrunkQuality } from './service.ts'

const quality = { min_asr: 50, min_calls: 5, window_minutes: 30, rest_minutes: 20 }

/** Two trunks, Carrier One first, and a rule with a threshold. */
async function setUp({ country = null as string | null, terms = quality as object } = {}) {
  const phone = await createSmallProvider()
  const second = await phone.newTrunk(phone.planId, { name: 'Carrier Two', priority: 200 })
  const { username } = await phone.newCustomer(usd(1000), phone.routeId)
  const { id: rule_id } = await phone.db
    .insertInto('routing_rules')
    .values({ plan_id: phone.planId, country, mode: 'order', updated_at: phone.clock.now(), ...terms })
    .returning('id')
    .executeTakeFirstOrThrow()
  await phone.startControl()
  const service = createTrunkQuality({
    db: phone.db,
    clock: phone.clock,
    logger: pino({ level: 'silent' }),
    figures: createCallFigures(phone.db),
    alerts: createAlerts(phone.db, phone.clock),
    audit: createAudit(phone.db, phone.clock, createExports('')),
  })
  /** Judges, and waits until every call control has read the result. */
  const judge = async () => {
    await service.judge()
    await phone.settle()
  }
  /** A call that fails on Carrier One and is answered by the next trunk, or is answered at once. */
  const call = async (isAnswered: boolean) => {
    const carriers = [
      ...(isAnswered ? [] : [{ code: 503, afterMs: 0, ringAfterMs: null }]),
      { code: 200, afterMs: 0, ringAfterMs: null },
    ]
    await phone.place({ user: username, carriers, talkMs: 1_000 })
    await phone.advance(2)
  }
  const state = async (trunk_id: number) =>
    phone.db
      .selectFrom('routing_states')
      .selectAll()
      .where('rule_id', '=', rule_id)
      .where('trunk_id', '=', trunk_id)
      .executeTakeFirst()
  const alerts = async () =>
    (
      await phone.db
        .selectFrom('alerts')
        .select(['kind', 'message', 'acknowledged_at'])
        .orderBy('id')
        .execute()
    ).map(({ kind, acknowledged_at }) => [kind, acknowledged_at === null ? 'open' : 'closed'])
  return { phone, service, first: phone.trunkId, second, rule_id, username, judge, call, state, alerts }
}

let boxes = 0

/** Asks a call control of its own for the order of an ordinary call. */
async function askOrder({ phone, username }: Pick<Awaited<ReturnType<typeof setUp>>, 'phone' | 'username'>) {
  const id = `box-${++boxes}`
  const box = await startPlainSwitch(id)
  const control = await phone.startControl([box])
  let calls = 0
  const order = async (isTrial = false) => {
    let call = ''
    do call = `asked-${++calls}`
    while ((drawOf(`${id}/${call}`) % TRIAL_EVERY === 0) !== isTrial)
    box.say({ type: 'authorize', call, at: phone.switchClock.now(), user: username, address: '', to: LONDON })
    const answer = () => [...box.all('allow'), ...box.all('refuse')].find((message) => message.call === call)
    await phone.waitUntil(() => answer() !== undefined)
    const decision = answer()
    if (decision?.type !== 'allow') throw new Error(`refused: ${JSON.stringify(decision)}`)
    // Polling must not fill the account with calls.
    const at = phone.switchClock.now()
    box.say({ type: 'failed', id: `end-of-${call}`, call, at, code: 487, by: 'caller', attempts: [] })
    return decision.trunks.map(({ id }) => id)
  }
  return { order, control }
}

it('demotes a trunk after failed calls, keeps that over a restart, and lets it return after its rest', async () => {
  const all = await setUp()
  const { phone, first, second, judge, call, state, alerts } = all
  for (let count = 0; count < 4; count++) await call(false)
  await judge()
  expect(await state(first)).toMatchObject({ demoted_since: null, seen_calls: 4, seen_answered: 0 })
  await call(false)
  await judge()
  expect(await state(first)).toMatchObject({
    demoted_since: phone.clock.now(),
    cause_calls: 5,
    cause_answered: 0,
  })
  expect(await state(second)).toMatchObject({ demoted_since: null, seen_calls: 5, seen_answered: 5 })
  expect(await alerts()).toEqual([['trunk_demoted', 'open']])
  const asked = await askOrder(all)
  expect(await asked.order()).toEqual([second, first])
  expect(await asked.order(true)).toEqual([first, second])
  // Another call control, as after a restart, knows it too.
  await asked.control.close()
  const restarted = await askOrder(all)
  expect(await restarted.order()).toEqual([second, first])
  // A second judgment of the same calls changes nothing.
  await judge()
  expect(await alerts()).toEqual([['trunk_demoted', 'open']])

  phone.switchClock.advance(19 * 60_000)
  await judge()
  expect((await state(first))?.demoted_since).not.toBeNull()
  phone.switchClock.advance(60_000)
  await judge()
  expect((await state(first))?.demoted_since).toBeNull()
  await phone.waitUntil(async () => (await restarted.order())?.[0] === first)
  expect(await alerts()).toEqual([
    ['trunk_demoted', 'closed'],
    ['trunk_returned', 'open'],
  ])
  // The failed calls are still in the window, but do not count again.
  await judge()
  expect((await state(first))?.demoted_since).toBeNull()
})

it('returns a trunk at once if an administrator asks, and does not count its old failures again', async () => {
  const all = await setUp()
  const { phone, service, first, second, rule_id, judge, call, state, alerts } = all
  const root = { userId: (await phone.newCustomer(usd(0), phone.routeId)).id, isAdmin: true }
  for (let count = 0; count < 5; count++) await call(false)
  await judge()
  const { order } = await askOrder(all)
  expect(await order()).toEqual([second, first])
  await expect(service.returnNow({ ...root, isAdmin: false }, rule_id, first)).rejects.toThrow()
  await expect(service.returnNow(root, rule_id, 999)).rejects.toMatchObject({ code: 'not_found' })
  // A failed call that is not counted yet.
  await call(false)
  await service.returnNow(root, rule_id, first)
  await phone.waitUntil(async () => (await order())?.[0] === first)
  expect(await alerts()).toEqual([['trunk_demoted', 'closed']])
  for (let count = 0; count < 4; count++) await call(false)
  await judge()
  expect(await state(first)).toMatchObject({ demoted_since: null, seen_calls: 4 })
  await call(false)
  await judge()
  expect((await state(first))?.demoted_since).not.toBeNull()
  const audited = await phone.db.selectFrom('audit_log').select(['action', 'actor_id']).execute()
  expect(audited).toEqual([{ action: 'routing_rule.return', actor_id: root.userId }])
})

it('counts only calls to the country of the rule, and answered calls before they end', async () => {
  const { phone, first, judge, call, state, rule_id, username } = await setUp({ country: 'GB' })
  for (let count = 0; count < 5; count++) await call(false)
  for (let count = 0; count < 5; count++) await phone.place({ user: username, talkMs: null })
  await phone.settle()
  await judge()
  // Five failed, five are answered and still live.
  expect(await state(first)).toMatchObject({ demoted_since: null, seen_calls: 10, seen_answered: 5 })
  await phone.db.updateTable('routing_rules').set({ country: 'FR' }).where('id', '=', rule_id).execute()
  await judge()
  expect(await state(first)).toMatchObject({ seen_calls: 0 })
})

it('ends the state and the alert of a trunk that leaves the plan', async () => {
  const { phone, first, judge, call, state, alerts } = await setUp()
  for (let count = 0; count < 5; count++) await call(false)
  await judge()
  expect(await alerts()).toEqual([['trunk_demoted', 'open']])
  await phone.db.deleteFrom('trunk_plans').where('trunk_id', '=', first).execute()
  await judge()
  expect(await state(first)).toBeUndefined()
  expect(await alerts()).toEqual([['trunk_demoted', 'closed']])
})

it('has no states without a threshold', async () => {
  const { judge, call, state, first } = await setUp({ terms: {} })
  for (let count = 0; count < 5; count++) await call(false)
  await judge()
  expect(await state(first)).toBeUndefined()
})

it('offers trunks in the order of a rule as soon as it is saved', async () => {
  const all = await setUp({ terms: {} })
  const { phone, first, second, rule_id } = all
  const { order } = await askOrder(all)
  expect(await order()).toEqual([first, second])
  await phone.db.insertInto('routing_rule_trunks').values({ rule_id, trunk_id: second, place: 0 }).execute()
  await phone.waitUntil(async () => (await order())?.[0] === second)
  await phone.db.deleteFrom('routing_rules').execute()
  await phone.waitUntil(async () => (await order())?.[0] === first)
})

it('ignores a demotion that no worker has ended in time', async () => {
  const all = await setUp()
  const { phone, first, second, judge, call } = all
  for (let count = 0; count < 5; count++) await call(false)
  await judge()
  const { order } = await askOrder(all)
  phone.switchClock.advance(24 * 60_000)
  expect(await order()).toEqual([second, first])
  phone.switchClock.advance(2 * 60_000)
  expect(await order()).toEqual([first, second])
})
