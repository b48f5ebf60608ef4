import type { Address } from '@trunkline/contract'
import { expect, it } from 'vitest'
import { createNumberShop } from '../../../../test/numbers.ts'
import type { SignedIn } from '../../../../test/portal.ts'

/** Alice rents a number. A media process and a switch are there, unless they are away. */
async function createTestable(away: 'media' | 'switch' | null = null) {
  const shop = await createNumberShop()
  const { db, clock } = shop.services
  const now = () => clock.now()
  const seeAll = async () => {
    const media = { host: '127.0.0.1', port: 5070, password: 'secret', started_at: now(), seen_at: now() }
    const seen = { software: 'test', started_at: now(), last_seen_at: now(), sip_address: '127.0.0.1:5060' }
    await db.deleteFrom('media_servers').execute()
    await db.deleteFrom('switches').execute()
    if (away !== 'media')
      await db
        .insertInto('media_servers')
        .values({ id: 'm1', ...media })
        .execute()
    if (away !== 'switch')
      await db
        .insertInto('switches')
        .values({ switch_id: 'sw1', ...seen })
        .execute()
  }
  await seeAll()
  await shop.topUp(shop.alice, 20)
  const { answer } = await shop.rent(shop.alice, await shop.addNumber())
  const ask = (address: Address, who: SignedIn) =>
    shop.call(address, { token: who.token, params: { id: answer.number.id } })
  return {
    ...shop,
    db,
    seeAll,
    start: (who = shop.alice) => ask('POST /api/numbers/:id/test-calls', who),
    last: (who = shop.alice) => ask('GET /api/numbers/:id/test-calls', who),
  }
}

it('starts one test call at a time, and shows how it is going', async () => {
  const { db, start, last, services } = await createTestable()
  expect((await last()).answer).toEqual({ test_call: null })
  const both = await Promise.all([start(), start()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(both.find(({ status }) => status === 409)).toMatchObject({ code: 'test_call_running' })
  expect(both.find(({ status }) => status === 200)).toMatchObject({
    answer: { test_call: { state: 'waiting', is_running: true } },
  })
  await db.updateTable('test_calls').set({ state: 'ringing' }).execute()
  expect(await last()).toMatchObject({ answer: { test_call: { state: 'ringing', is_running: true } } })
  await db.updateTable('test_calls').set({ state: 'busy', ended_at: services.clock.now() }).execute()
  expect(await last()).toMatchObject({ answer: { test_call: { state: 'busy', is_running: false } } })
  expect(await start()).toMatchObject({ status: 200, answer: { test_call: { state: 'waiting' } } })
})

it('calls only own numbers that are not suspended', async () => {
  const { db, start, last, paula, root } = await createTestable()
  for (const who of [paula, root]) {
    expect(await start(who)).toMatchObject({ status: 404, code: 'not_found' })
    expect(await last(who)).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await db.selectFrom('test_calls').selectAll().execute()).toEqual([])
  const suspended = { state: 'suspended', overdue_since: new Date(), suspended_at: new Date() } as const
  await db.updateTable('number_rentals').set(suspended).execute()
  expect(await start()).toMatchObject({ status: 409, code: 'number_suspended' })
})

it.each(['media', 'switch'] as const)('refuses a test call without a %s process', async (away) => {
  const { start } = await createTestable(away)
  expect(await start()).toMatchObject({ status: 503, code: 'test_call_unavailable' })
})

it('allows ten test calls in ten minutes', async () => {
  const { db, start, services } = await createTestable()
  for (let count = 0; count < 10; count++) {
    expect(await start()).toMatchObject({ status: 200 })
    await db.updateTable('test_calls').set({ state: 'answered', ended_at: services.clock.now() }).execute()
  }
  expect(await start()).toMatchObject({ status: 429, code: 'too_many_requests' })
})

it('gives up a test call that no media process takes, or whose media process was killed', async () => {
  const { db, start, last, clock, seeAll } = await createTestable()
  await start()
  clock.advance(11_000)
  await seeAll()
  expect(await last()).toMatchObject({ answer: { test_call: { state: 'failed', is_running: false } } })
  expect(await start()).toMatchObject({ status: 200 })
  await db.updateTable('test_calls').set({ state: 'ringing' }).execute()
  clock.advance(60_000)
  await seeAll()
  expect(await start()).toMatchObject({ code: 'test_call_running' })
  clock.advance(125_000)
  await seeAll()
  expect(await last()).toMatchObject({ answer: { test_call: { state: 'failed', is_running: false } } })
  expect(await start()).toMatchObject({ status: 200 })
})
