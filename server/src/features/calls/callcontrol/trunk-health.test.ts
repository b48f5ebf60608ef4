import { expect, it } from 'vitest'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createSmallProvider, LONDON, usd } from '../../../../test/telephony.ts'

async function setUp() {
  const phone = await createSmallProvider()
  const second = await phone.newTrunk(phone.planId, { name: 'Carrier Two', priority: 200 })
  const box = await startPlainSwitch()
  const { username } = await phone.newCustomer(usd(100), phone.routeId)
  await phone.startControl([box])
  let at = 1_000
  const report = async (trunk: number, isUp: boolean) => {
    box.say({ type: 'trunk', trunk, isUp, code: isUp ? 200 : 408, at: ++at })
    await phone.waitUntil(async () => (await health(trunk))?.is_up === isUp)
  }
  const health = (trunk: number) =>
    phone.db.selectFrom('trunk_health').selectAll().where('trunk_id', '=', trunk).executeTakeFirst()
  let calls = 0
  const offered = async () => {
    const call = `call-${++calls}`
    box.say({ type: 'authorize', call, at: phone.switchClock.now(), user: username, address: '', to: LONDON })
    await phone.waitUntil(() =>
      [...box.all('allow'), ...box.all('refuse')].some((message) => message.call === call),
    )
    const refused = box.all('refuse').find((message) => message.call === call)
    return refused?.reason ?? box.last('allow')?.trunks.map(({ id }) => id)
  }
  const openAlerts = () =>
    phone.db.selectFrom('alerts').selectAll().where('acknowledged_at', 'is', null).execute()
  return { phone, box, first: phone.trunkId, second, report, health, offered, openAlerts }
}

it('skips a trunk that is down until it recovers, and raises an alert', async () => {
  const { phone, first, second, report, offered, openAlerts } = await setUp()
  expect(await offered()).toEqual([first, second])
  await report(first, false)
  expect(await offered()).toEqual([second])
  await phone.waitUntil(async () => (await openAlerts()).length === 1)
  expect(await openAlerts()).toMatchObject([{ kind: 'trunk_down', subject: `trunk:${first}`, times: 1 }])
  // A repeated report changes nothing.
  await report(first, false)
  expect(await openAlerts()).toMatchObject([{ times: 1 }])
  await report(first, true)
  expect(await offered()).toEqual([first, second])
  await phone.waitUntil(async () => (await openAlerts()).length === 0)
})

it('closes the alert although a switch that was replaced had reported the trunk as down', async () => {
  const { phone, box, first, openAlerts } = await setUp()
  const gone = {
    switch_id: 'gone',
    started_at: phone.clock.now(),
    last_seen_at: new Date(phone.clock.now().getTime() - 120_000),
  }
  await phone.db
    .insertInto('switches')
    .values({ ...gone, software: '' })
    .execute()
  const state = {
    trunk_id: first,
    is_up: false,
    code: 408,
    since: gone.started_at,
    checked_at: gone.started_at,
  }
  await phone.db
    .insertInto('trunk_health')
    .values({ switch_id: 'gone', ...state })
    .execute()
  box.say({ type: 'trunk', trunk: first, isUp: false, code: 408, at: 2_000 })
  await phone.waitUntil(async () => (await openAlerts()).length === 1)
  box.say({ type: 'trunk', trunk: first, isUp: true, code: 200, at: 2_001 })
  await phone.waitUntil(async () => (await openAlerts()).length === 0)
})

it('refuses calls when every trunk of the route is down', async () => {
  const { first, second, report, offered } = await setUp()
  await report(first, false)
  await report(second, false)
  expect(await offered()).toBe('no_trunk')
})

it('sends the active trunks to the switch, and again only after a change', async () => {
  const { phone, box, first, second } = await setUp()
  const sentTrunks = () => box.last('trunks')?.trunks.map(({ id }) => id)
  expect(sentTrunks()).toEqual([first, second])
  const change = (columns: object) =>
    phone.db.updateTable('trunks').set(columns).where('id', '=', second).execute()
  await change({ capacity: 5 })
  // Notifications are ordered, so the trunk's change has arrived too.
  await phone.db.updateTable('users').set({ disabled_at: phone.clock.now() }).execute()
  await phone.waitUntil(() => box.all('unregister').length > 0)
  expect(box.all('trunks')).toHaveLength(1)
  await change({ status: 'inactive' })
  await phone.waitUntil(() => sentTrunks()?.length === 1)
  expect(box.all('trunks')).toHaveLength(2)
})
