import { describe, expect, it, onTestFinished } from 'vitest'
import { createShop, expectNowhere, listedTrunks, type Shop } from '../../../../test/catalogue.ts'
import { listen } from '../../../platform/listen.ts'
import { systemTimers } from '../../../platform/timers.ts'
import { createTrunkTests, readTestRequest, TEST_CHANNEL } from './tests.ts'

/** These switches are connected. The switch `gone` was, an hour ago. */
async function addSwitches(shop: Shop, connected: readonly string[]): Promise<void> {
  const now = shop.clock.now()
  const anHourAgo = new Date(now.getTime() - 3_600_000)
  const switchOf = (switch_id: string, last_seen_at: Date) => ({
    switch_id,
    software: '',
    started_at: now,
    last_seen_at,
  })
  await shop.services.db
    .insertInto('switches')
    .values([...connected.map((id) => switchOf(id, now)), switchOf('gone', anHourAgo)])
    .execute()
}

describe('the health of a trunk', () => {
  const report = (shop: Shop, trunk_id: number, switch_id: string, is_up: boolean) =>
    shop.services.db
      .insertInto('trunk_health')
      .values({
        switch_id,
        trunk_id,
        is_up,
        code: is_up ? 200 : 408,
        since: shop.clock.now(),
        checked_at: shop.clock.now(),
      })
      .execute()

  it('makes it inactive while no connected switch gets an answer, without changing the configured status', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const now = shop.clock.now()
    await addSwitches(shop, ['one', 'two'])
    await report(shop, id, 'gone', false)
    expect((await listedTrunks(shop, shop.root.token))[0]).toMatchObject({ status: 'active', health: [] })
    await report(shop, id, 'one', false)
    expect((await listedTrunks(shop, shop.alice.token))[0]).toMatchObject({ status: 'inactive' })
    expect((await listedTrunks(shop, shop.root.token))[0]).toMatchObject({
      status: 'inactive',
      configured_status: 'active',
      health: [{ switch: 'one', is_up: false, code: 408, since: now.toISOString() }],
    })
    await report(shop, id, 'two', true)
    expect((await listedTrunks(shop, shop.alice.token))[0]).toMatchObject({ status: 'active' })
    expectNowhere(await listedTrunks(shop, shop.alice.token), 'health', 'configured')
  })

  it('includes the registrations of connected switches, for administrators only', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk({ registers: true, auth_username: 'us', auth_password: 'secret' })
    const now = shop.clock.now()
    await addSwitches(shop, ['one'])
    await shop.services.db
      .insertInto('trunk_registrations')
      .values(
        ['one', 'gone'].map((switch_id) => ({ switch_id, trunk_id: id, is_registered: false, since: now })),
      )
      .execute()
    expect((await listedTrunks(shop, shop.root.token))[0]).toMatchObject({
      registrations: [{ switch: 'one', is_registered: false, since: now.toISOString() }],
    })
    expectNowhere(await listedTrunks(shop, shop.alice.token), 'registrations')
  })

  it('has no open alert after the trunk is deleted', async () => {
    const shop = await createShop()
    const { services, clock, root } = shop
    const [gone, kept] = [await shop.addTrunk(), await shop.addTrunk({ name: 'Kept' })]
    const { id: planId } = await shop.addPlan('Silver')
    const { id: ruleId } = await services.db
      .insertInto('routing_rules')
      .values({
        plan_id: planId,
        country: null,
        mode: 'order',
        updated_at: clock.now(),
        min_asr: 50,
        min_calls: 5,
        window_minutes: 30,
        rest_minutes: 20,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const since = clock.now()
    await services.db
      .insertInto('routing_states')
      .values({
        rule_id: ruleId,
        trunk_id: gone.id,
        judged_at: since,
        seen_calls: 5,
        seen_answered: 0,
        demoted_since: since,
        returns_at: since,
        cause_calls: 5,
        cause_answered: 0,
      })
      .execute()
    const subjects = [gone, kept].map(({ id }) => `trunk:${id}`)
    for (const subject of subjects)
      for (const kind of ['trunk_down', 'trunk_unregistered'])
        await services.alerts.raise({ kind, subject, userId: null, details: {}, message: kind })
    const subject = `trunk:${gone.id}:rule:${ruleId}`
    await services.alerts.raise({ kind: 'trunk_demoted', subject, userId: null, details: {}, message: '' })
    await shop.call('DELETE /api/trunks/:id', { token: root.token, params: { id: gone.id } })
    const open = await services.db
      .selectFrom('alerts')
      .select(['kind', 'subject'])
      .where('acknowledged_at', 'is', null)
      .orderBy('kind')
      .execute()
    expect(open).toEqual([
      { kind: 'trunk_down', subject: subjects[1] },
      { kind: 'trunk_unregistered', subject: subjects[1] },
    ])
  })

  it('can be tested immediately, but not without a switch', async () => {
    const shop = await createShop()
    const { id } = await shop.addTrunk()
    const test = (of: number) =>
      shop.call('POST /api/trunks/:id/test', { token: shop.root.token, params: { id: of } })
    expect((await test(9999)).status).toBe(404)
    const { answer } = await answerTests(shop)
    answer(({ request }) => ({ request, asked: 0 }))
    expect(await test(id)).toMatchObject({ status: 409, code: 'no_switch' })
    answer(({ request }) => ({ request, switch: 'edge', code: 200, ms: 12 }))
    expect((await test(id)).answer).toEqual({ test: { switch: 'edge', code: 200, ms: 12 } })
  })
})

/** Answers test requests like call control. */
async function answerTests(shop: Shop) {
  const databaseUrl = shop.database.url
  const { db } = shop.services
  const tests = createTrunkTests({ db, databaseUrl, clock: shop.clock, timers: systemTimers })
  let reply: (asked: { request: string }) => Parameters<typeof tests.reply>[0] = ({ request }) => ({
    request,
    asked: 0,
  })
  const listening = Promise.withResolvers<void>()
  const listener = listen({
    url: databaseUrl,
    channels: { [TEST_CHANNEL]: (payload) => void tests.reply(reply(readTestRequest(payload))) },
    onListening: listening.resolve,
    onError: listening.reject,
  })
  onTestFinished(listener.close)
  await listening.promise
  return {
    answer(given: typeof reply): void {
      reply = given
    },
  }
}
