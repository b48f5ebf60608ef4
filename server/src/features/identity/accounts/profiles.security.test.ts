import { expect, it } from 'vitest'
import { createPortal, prove, signUp } from '../../../../test/portal.ts'
import { HOUR } from '../../../platform/clock.ts'

it('refuses fields that would raise privileges', async () => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  for (const field of ['is_admin', 'is_premium', 'bal', 'id', 'user_id', 'host', 'email', 'disabled_at'])
    expect(
      (await portal.call('PATCH /api/user/profile', { token, body: { company: 'Bell', [field]: 1 } })).status,
    ).toBe(400)
  expect((await portal.call('GET /api/auth/me', { token })).answer.user).toMatchObject({
    company: null,
    is_admin: false,
    is_premium: false,
  })
})

it('refuses a new Website IP from customers, with the rest of the change', async () => {
  const portal = await createPortal()
  const { token } = await signUp(portal, 'alice')
  const body = { company: 'Bell', websiteip: '192.0.2.66' }
  expect(await portal.call('PATCH /api/user/profile', { token, body })).toMatchObject({
    status: 403,
    code: 'admin_only',
    message: 'The Website IP is set by an administrator.',
  })
  expect((await portal.call('GET /api/auth/me', { token })).answer.user).toMatchObject({
    company: null,
    websiteip: null,
  })
})

it('changes the caller only', async () => {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const bob = await signUp(portal, 'bob')
  const before = (await portal.call('GET /api/auth/me', { token: bob.token })).answer
  const body = { username: 'alison', company: 'Bell', password: 'quite another' }
  await portal.call('PATCH /api/user/profile', { token: alice.token, body })
  expect((await portal.call('GET /api/auth/me', { token: bob.token })).answer).toEqual(before)
})

it('invalidates pending reset links when the password changes', async () => {
  const portal = await createPortal({}, { hasWorker: true })
  const { token } = await signUp(portal, 'alice', { email: 'alice@example.com' })
  await portal.call('POST /api/auth/forgot-password', { body: { email: 'alice@example.com' } })
  const [mail] = await portal.mails(1)
  const link = /#token=(\S+)/.exec(mail?.text ?? '')?.[1]
  expect(link).toBeTruthy()
  await portal.call('PATCH /api/user/profile', { token, body: { password: 'quite another' } })
  const body = { token: link, newPassword: 'of the thief' }
  expect((await portal.call('POST /api/auth/reset-password', { body })).status).toBe(400)
})

it('limits attempts to find existing usernames', async () => {
  const portal = await createPortal()
  const alice = await signUp(portal, 'alice')
  const { token } = alice
  await signUp(portal, 'bob')
  const ask = () => portal.call('PATCH /api/user/profile', { token, body: { username: 'bob' } })
  for (let n = 0; n < 20; n++) expect((await ask()).status).toBe(409)
  expect((await ask()).status).toBe(429)
  // Changes without a username do not count.
  expect((await portal.call('PATCH /api/user/profile', { token, body: { company: 'Bell' } })).status).toBe(
    200,
  )
  portal.clock.advance(HOUR)
  await prove(portal, alice)
  expect((await ask()).status).toBe(409)
})
