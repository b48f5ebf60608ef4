import { expect, it } from 'vitest'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createSmallProvider } from '../../../../test/telephony.ts'

it('raises an alert when a switch refuses calls, but not for calls refused before the connection', async () => {
  const phone = await createSmallProvider()
  const box = await startPlainSwitch()
  await phone.startControl([box])
  const alerts = () => phone.db.selectFrom('alerts').selectAll().execute()
  for (const refused of [7, 7, 19, 19, 0, 4]) box.say({ type: 'alive', at: 1, refused })
  await phone.waitUntil(async () => (await alerts())[0]?.times === 2)
  expect(await alerts()).toMatchObject([
    { kind: 'switch_overloaded', user_id: null, details: { refused: 4 } },
  ])
})
