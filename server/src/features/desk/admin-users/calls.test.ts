import { expect, it } from 'vitest'
import { startPlainSwitch } from '../../../../test/plain-switch.ts'
import { createPortal, signUp } from '../../../../test/portal.ts'
import { createSmallProvider, usd } from '../../../../test/telephony.ts'

/** Portal, switch and call control on one database. */
async function begin() {
  const portal = await createPortal()
  const root = await signUp(portal, 'root', { isAdmin: true })
  const phone = await createSmallProvider({ databaseUrl: portal.database.url })
  const update = (body: object) => portal.call('PATCH /api/admin/user/update', { token: root.token, body })
  return { portal, root, phone, update }
}

it('ends calls, sessions and registrations of a disabled user and refuses new ones', async () => {
  const { portal, root, phone, update } = await begin()
  const box = await startPlainSwitch()
  const { id, username } = await phone.newCustomer(usd(10), phone.routeId)
  const other = await phone.newCustomer(usd(10), phone.routeId)
  const token = await portal.services.sessions.open(portal.services.db, id, {
    address: '127.0.0.1',
    userAgent: 'test',
  })
  const sip = await portal.call('POST /api/admin/users/:id/sip/password', {
    token: root.token,
    params: { id },
  })
  expect(sip.status).toBe(200)
  await phone.startControl([phone.switch, box])
  const call = await phone.place({ user: username })
  await phone.place({ user: other.username })
  await phone.advance(30)
  expect(await phone.liveRows()).toHaveLength(2)

  expect((await update({ id, is_disabled: true })).answer.user).toMatchObject({ is_disabled: true })
  expect((await portal.call('GET /api/auth/me', { token })).status).toBe(401)
  await phone.waitUntil(() => box.all('unregister').length > 0)
  expect(box.last('unregister')).toMatchObject({ user: username })
  await phone.advance(2)
  expect(await phone.liveRows()).toMatchObject([{ user_id: other.id }])
  expect(await phone.cdrOf(call.call)).toMatchObject({ status: 'completed', reason: 'account_stopped' })
  box.say({ type: 'credentials', request: 'again', user: username, at: 1 })
  await phone.waitUntil(() => box.all('credentials').length > 0)
  expect(box.last('credentials')).toMatchObject({ md5: null, sha256: null })
  const next = await phone.place({ user: username })
  expect(await next.decided).toMatchObject({ decision: 'refused' })

  await update({ id, is_disabled: false })
  await phone.settle()
  const back = await phone.place({ user: username })
  expect(await back.decided).toMatchObject({ decision: 'allowed' })
  expect(await phone.faults()).toEqual([])
})

it('applies the premium flag to the next call over a premium route', async () => {
  const { phone, update } = await begin()
  const premium = await phone.newRoute(phone.planId, { is_premium: true })
  const { id, username } = await phone.newCustomer(usd(10), premium)
  await phone.startControl()
  const decision = async () => {
    await phone.settle()
    return (await phone.place({ user: username })).decided
  }
  expect(await decision()).toMatchObject({ decision: 'refused' })
  await update({ id, is_premium: true })
  await phone.waitUntil(async () => (await decision()).decision === 'allowed')
  await update({ id, is_premium: false })
  await phone.waitUntil(async () => (await decision()).decision === 'refused')
})
