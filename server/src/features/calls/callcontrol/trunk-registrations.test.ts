import { expect, it } from 'vitest'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createSmallProvider } from '../../../../test/telephony.ts'

async function setUp() {
  const phone = await createSmallProvider()
  const registrar = await phone.newTrunk(phone.planId, {
    name: 'Carrier Two',
    registers: true,
    auth_username: 'us',
    auth_password: 'secret',
  })
  const box = await startPlainSwitch()
  await phone.startControl([box])
  const rows = () => phone.db.selectFrom('trunk_registrations').selectAll().execute()
  const report = async (trunk: number, isRegistered: boolean, at: number) => {
    box.say({ type: 'registration', trunk, isRegistered, at })
    await phone.waitUntil(async () => (await rows()).some((row) => row.is_registered === isRegistered))
  }
  const openAlerts = () =>
    phone.db.selectFrom('alerts').selectAll().where('acknowledged_at', 'is', null).execute()
  return { phone, box, registrar, rows, report, openAlerts }
}

it('stores whether a switch is registered at a carrier, and raises an alert until it is', async () => {
  const { phone, box, registrar, rows, report, openAlerts } = await setUp()
  await report(registrar, true, 1_000)
  expect(await openAlerts()).toEqual([])
  await report(registrar, false, 2_000)
  await phone.waitUntil(async () => (await openAlerts()).length === 1)
  expect(await openAlerts()).toMatchObject([
    { kind: 'trunk_unregistered', subject: `trunk:${registrar}`, times: 1 },
  ])
  expect((await openAlerts())[0]?.message).toContain('Carrier Two')
  // The state is reported again with every new connection.
  box.say({ type: 'registration', trunk: registrar, isRegistered: false, at: 3_000 })
  box.say({ type: 'registration', trunk: 9_999, isRegistered: false, at: 3_000 })
  await report(registrar, true, 4_000)
  await phone.waitUntil(async () => (await openAlerts()).length === 0)
  expect(await rows()).toMatchObject([{ trunk_id: registrar, is_registered: true, since: new Date(4_000) }])
})

it('forgets the state and closes the alert when the trunk no longer registers', async () => {
  const { phone, registrar, rows, report, openAlerts } = await setUp()
  await report(registrar, false, 1_000)
  await phone.waitUntil(async () => (await openAlerts()).length === 1)
  await phone.db.updateTable('trunks').set({ registers: false }).where('id', '=', registrar).execute()
  await phone.waitUntil(async () => (await openAlerts()).length === 0)
  expect(await rows()).toEqual([])
})
